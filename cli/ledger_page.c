/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger page of the manual: a section per claim, a row per measured quantity, over all systems on which it was
 * measured. Measured figures are in the second column only, so that a test can compare the rest of the page with that
 * of another machine. */
#include "cli/ledger_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The next character that is not part of a number. */
static const char *past_number(const char *text)
{
    if ((*text >= '0' && *text <= '9') || *text == '.') {
        while ((*text >= '0' && *text <= '9') || *text == '.' || *text == 'e' || *text == '-' || *text == '+') text++;
    }
    return text;
}

/* Are two texts equal except for their numbers? */
static int same_words(const char *a, const char *b)
{
    for (;;) {
        const char *after_a = past_number(a), *after_b = past_number(b);
        if ((after_a == a) != (after_b == b)) return 0;
        if (after_a == a && *a != *b) return 0;
        if (*a == '\0') return 1;
        a = after_a == a ? a + 1 : after_a;
        b = after_b == b ? b + 1 : after_b;
    }
}

/* Do two measurements belong to one row? */
static int alike(const claim_measure *a, const claim_measure *b)
{
    return a->control == b->control && same_words(a->what, b->what) && same_words(a->why, b->why);
}

/* Escapes characters that have a meaning in Markdown or Doxygen. */
static void print_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|' || *text == '*' || *text == '_' || *text == '<' || *text == '^' || *text == '`' ||
            *text == '@')
            putchar('\\');
        putchar(*text);
    }
}

/* The name of a measurement's system, method or retraction. */
static const char *part(const claim_measure *m, int which)
{
    return which == 0 ? m->system : which == 1 ? m->method : m->retraction;
}

/* Does a row (that of measurement `row`; -1: the whole report) contain this measurement? */
static int belongs(const claim_report *r, int row, int i)
{
    return row < 0 ? !r->measures[i].skipped : alike(&r->measures[i], &r->measures[row]);
}

/* The number of different systems (0), methods (1) or retractions (2) of a row, whose names it prints if `print`. */
static int list_parts(const claim_report *r, int row, int which, int print)
{
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        const char *name = part(&r->measures[i], which);
        int known = name[0] == '\0' || !belongs(r, row, i);
        for (int k = 0; k < i && !known; k++)
            known = belongs(r, row, k) && strcmp(part(&r->measures[k], which), name) == 0;
        if (known) continue;
        if (print) {
            fputs(count > 0 ? ", " : "", stdout);
            print_text(name);
        }
        count++;
    }
    return count;
}

static void print_bound(const claim_measure *m)
{
    if (isinf(m->low)) {
        printf("≤ %.3g", m->high);
    } else if (isinf(m->high)) {
        printf("≥ %.3g", m->low);
    } else {
        printf("%.4g … %.4g", m->low, m->high);
    }
}

/* Prints a count, or the name if there is only one, after a separator unless it comes first; 1 if anything was
 * printed. */
static int print_count(const claim_report *r, int row, int which, const char *many, int printed)
{
    const int count = list_parts(r, row, which, 0);
    if (count > 0 && printed) fputs("; ", stdout);
    if (count == 1) {
        (void)list_parts(r, row, which, 1);
    } else if (count > 1) {
        printf("%d %s", count, many);
    }
    return printed || count > 0;
}

static void print_row(const claim_report *r, int row)
{
    static const char *const many[] = {"systems", "methods", "retractions"};
    const claim_measure *first = &r->measures[row], *worst = first;
    for (int i = row + 1; i < r->count; i++) {
        const claim_measure *m = &r->measures[i];
        if (!m->skipped && alike(m, first) && worst->passed && (!m->passed || claim_share(m) > claim_share(worst)))
            worst = m;
    }
    printf("| %s", first->control ? "control: " : "");
    print_text(first->trouble[0] != '\0' ? first->trouble : first->what);
    printf(" | %.2g | ", worst->value);
    print_bound(worst);
    fputs(" | ", stdout);
    print_text(first->why);
    fputs(" | ", stdout);
    for (int which = 0, printed = 0; which < 3; which++) printed = print_count(r, row, which, many[which], printed);
    puts(" |");
}

static void print_rows(const claim_report *r, int control)
{
    for (int i = 0; i < r->count; i++) {
        int first = r->measures[i].control == control && !r->measures[i].skipped;
        for (int k = 0; k < i && first; k++) first = !alike(&r->measures[k], &r->measures[i]);
        if (first) print_row(r, i);
    }
}

static void print_claim(const claim *c, const claim_report *r)
{
    static const char *const names[] = {"Systems", "Methods", "Retractions"};
    printf("## %s {#claim_%s}\n\n", c->id, c->id);
    print_text(c->text);
    fputs("\n\n*Source*: ", stdout);
    print_text(c->source);
    printf(". *Verdict*: **%s**, %d measurements.", claim_verdict(r) > 0 ? "holds" : "fails", claim_measured(r));
    for (int which = 0; which < 3; which++) {
        if (list_parts(r, -1, which, 0) == 0) continue;
        printf(" *%s*: ", names[which]);
        (void)list_parts(r, -1, which, 1);
        putchar('.');
    }
    puts("\n\n| what | measured | bound | where the bound comes from | on |\n|---|---|---|---|---|");
    print_rows(r, 0);
    print_rows(r, 1);
    putchar('\n');
}

void cli_ledger_page(const claim *const *chosen, const claim_report *reports, int count)
{
    puts("# The ledger {#ledger}\n\n"
         "<!-- Written by `liegrp verify --page`: do not edit. -->\n\n"
         "The claims of the literature (keys in @ref theory) and of this project, measured by `liegrp verify`. Each "
         "figure is the\none nearest to its bound over all systems, methods and retractions of its row. A *control* is "
         "a system or a coefficient\nthat must violate the claim: it shows that the check can fail. `liegrp verify "
         "CLAIM --all` prints every measurement.\n");
    for (int i = 0; i < count; i++) print_claim(chosen[i], &reports[i]);
}
