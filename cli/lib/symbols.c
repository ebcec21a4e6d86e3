/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass from left to right: words, subscripts, superscripts, tildes, numbers, signs. */
#include "cli/lib/symbols.h"

#include <stdio.h>
#include <string.h>

typedef struct pair {
    const char *name, *symbol;
} pair;

/* Names that stand for a symbol. */
static const pair words[] = {
    {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"},  {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"}, {"eta", "η"},
    {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},   {"pi", "π"},
    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},    {"phi", "φ"},   {"varphi", "φ"},  {"chi", "χ"},  {"psi", "ψ"},
    {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"},  {"Theta", "Θ"}, {"Lambda", "Λ"},  {"Xi", "Ξ"},   {"Pi", "Π"},
    {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},    {"Omega", "Ω"}, {"dtheta", "dθ"}, {NULL, NULL},
};

static const pair below[] = {
    {"0", "₀"}, {"1", "₁"}, {"2", "₂"}, {"3", "₃"}, {"4", "₄"}, {"5", "₅"},   {"6", "₆"}, {"7", "₇"},
    {"8", "₈"}, {"9", "₉"}, {"+", "₊"}, {"-", "₋"}, {"a", "ₐ"}, {"e", "ₑ"},   {"h", "ₕ"}, {"i", "ᵢ"},
    {"j", "ⱼ"}, {"k", "ₖ"}, {"l", "ₗ"}, {"m", "ₘ"}, {"n", "ₙ"}, {"o", "ₒ"},   {"p", "ₚ"}, {"r", "ᵣ"},
    {"s", "ₛ"}, {"t", "ₜ"}, {"u", "ᵤ"}, {"v", "ᵥ"}, {"x", "ₓ"}, {NULL, NULL},
};

static const pair above[] = {
    {"0", "⁰"}, {"1", "¹"}, {"2", "²"}, {"3", "³"}, {"4", "⁴"}, {"5", "⁵"}, {"6", "⁶"}, {"7", "⁷"},
    {"8", "⁸"}, {"9", "⁹"}, {"+", "⁺"}, {"-", "⁻"}, {"*", "*"}, {"T", "ᵀ"}, {"n", "ⁿ"}, {NULL, NULL},
};

typedef struct writer {
    char *to;
    size_t used, room;
    int full;
} writer;

/* All of these bytes or none. */
static void put(writer *w, const char *text, size_t length)
{
    w->full = w->full || w->used + length + 1 > w->room;
    if (w->full) return;
    memcpy(w->to + w->used, text, length);
    w->used += length;
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *find(const pair *list, const char *text, size_t length)
{
    for (; list->name != NULL; list++)
        if (strlen(list->name) == length && memcmp(list->name, text, length) == 0) return list->symbol;
    return NULL;
}

/* The index after '_' or '^' at `at`: its bytes as symbols; the number of bytes read, 0 if it has none. */
static size_t script(writer *w, const pair *list, const char *at)
{
    const int braces = at[1] == '{';
    const char *first = at + 1 + braces;
    size_t length = 0;
    if (braces) {
        length = strcspn(first, "}");
        if (first[length] == '\0') return 0;
    } else if (is_digit(*first)) {
        while (is_digit(first[length])) length++;
    } else {
        length = *first != '\0' && !is_letter(first[1]);
    }
    for (size_t i = 0; i < length; i++)
        if (find(list, first + i, 1) == NULL) return 0;
    for (size_t i = 0; i < length; i++) {
        const char *symbol = find(list, first + i, 1);
        put(w, symbol, strlen(symbol));
    }
    return length > 0 ? 1 + 2 * (size_t)braces + length : 0;
}

/* The index at '_' that stands for a symbol, as in p_theta: '_' and the symbol; the number of bytes read, or 0. */
static size_t named_index(writer *w, const char *at)
{
    size_t length = 0;
    const char *symbol;
    while (is_letter(at[1 + length])) length++;
    symbol = find(words, at + 1, length);
    if (symbol == NULL || at[1 + length] == '_') return 0;
    put(w, "_", 1);
    put(w, symbol, strlen(symbol));
    return 1 + length;
}

/* A word, with its index or exponent if it is one letter or the name of one. */
static size_t word(writer *w, const char *text)
{
    size_t length = 0, more;
    const char *symbol;
    while (is_letter(text[length])) length++;
    symbol = find(words, text, length);
    put(w, symbol != NULL ? symbol : text, symbol != NULL ? strlen(symbol) : length);
    if (length > 1 && symbol == NULL) return length;
    if (text[length] == '~') {
        put(w, "\xcc\x83", 2); /* the combining tilde */
        length++;
    }
    more = text[length] == '_' ? script(w, below, text + length) : 0;
    if (more == 0 && text[length] == '_') more = named_index(w, text + length);
    return length + more;
}

/* Writes the power of ten of 6e-4 or 1e4, at its 'e'. Returns the number of bytes read; 0: not a power. */
static size_t power(writer *w, const char *at, int one)
{
    const int minus = at[1] == '-';
    size_t digits = 0;
    const char *first = at + 1 + (at[1] == '-' || at[1] == '+');
    while (is_digit(first[digits])) digits++;
    if (digits == 0 || is_letter(first[digits])) return 0;
    put(w, one ? "10" : "·10", one ? 2 : 4);
    if (minus) put(w, "⁻", 3);
    for (size_t i = 0; i < digits; i++) {
        if (first[i] == '0' && i + 1 < digits && i == 0) continue;
        const char *symbol = find(above, first + i, 1);
        put(w, symbol, strlen(symbol));
    }
    return (size_t)(first - at) + digits;
}

static size_t number(writer *w, const char *text)
{
    size_t length = 0;
    int one;
    while (is_digit(text[length]) || (text[length] == '.' && is_digit(text[length + 1]))) length++;
    one = length == 1 && text[0] == '1' && text[1] == 'e';
    if (text[length] == 'e') {
        const size_t mark = w->used;
        size_t more;
        if (!one) put(w, text, length);
        more = power(w, text + length, one);
        if (more > 0) return length + more;
        w->used = mark;
    }
    put(w, text, length);
    return length;
}

size_t symbols_of(char *to, size_t room, const char *text)
{
    writer w = {to, 0, room, room == 0};
    char before = ' ';
    while (*text != '\0' && !w.full) {
        size_t read = 0;
        const char next = text[1];
        if (is_letter(*text) && before != '_') {
            read = word(&w, text);
        } else if (is_digit(*text) && !is_letter(before) && before != '_') {
            read = number(&w, text);
        } else if (is_letter(*text)) {
            while (is_letter(text[read])) read++;
            put(&w, text, read);
        } else if (*text == '^') {
            read = script(&w, above, text);
        } else if (*text == '-' && strchr(" (,=[", before) != NULL && (next == ' ' || is_digit(next))) {
            put(&w, "−", 3);
            read = 1;
        }
        if (read == 0 && (unsigned char)*text < ' ') { /* no text of a picture has lines */
            put(&w, " ", 1);
            read = 1;
        }
        if (read == 0) { /* whole characters of UTF-8 */
            for (read = 1; ((unsigned char)text[read] & 0xc0) == 0x80;) read++;
            put(&w, text, read);
        }
        before = text[read - 1];
        text += read;
    }
    if (room > 0) to[w.used] = '\0';
    return w.used;
}

size_t symbols_exponent(char *to, size_t room, const char *text, size_t *bytes)
{
    static const char half[] = "^(1/2)";
    writer w = {to, 0, room, room == 0};
    size_t read = 0;
    if (strncmp(text, half, sizeof half - 1) == 0) {
        put(&w, "¹ᐟ²", strlen("¹ᐟ²"));
        read = sizeof half - 1;
    } else if (text[0] == '^' && text[1] == '-' && is_digit(text[2])) {
        put(&w, "⁻", 3);
        for (read = 2; is_digit(text[read]); read++) {
            const char *symbol = find(above, text + read, 1);
            put(&w, symbol, strlen(symbol));
        }
    } else if (text[0] == '^' && text[1] != '*') {
        read = script(&w, above, text);
    }
    *bytes = w.used;
    return read;
}

int symbols_width(const char *text)
{
    double width = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        const int combining = c[0] == 0xcc || (c[0] == 0xcd && c[1] < 0xb0);
        if ((*c & 0xc0) == 0x80 || combining) continue;
        width += strchr("iljtfrI.,:;'|!()[] ", *c) != NULL ? 0.65 : strchr("mwMW@", *c) != NULL ? 1.6 : 1.05;
    }
    return (int)width + 1;
}
