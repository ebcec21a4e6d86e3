/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of elements, refusals, and remarks on what was not read. */
#include "multibody/files/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "groups/rotation.h"

/* ---- refusals and remarks ---- */

static void refuse(mb_reader *r, lg_status status, const mb_element *e, const char *format, va_list arguments)
{
    char text[LG_MESSAGE_SIZE];
    if (r->status != LG_OK) return;
    lg_decimal numbers = lg_decimal_enter();
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = '\0';
    lg_decimal_leave(&numbers);
    r->status = e != NULL ? lg_fail(&r->m->error, status, "%s:%d: %.220s", e->file, e->line, text)
                          : lg_fail(&r->m->error, status, "%s: %.220s", r->file, text);
}

void mb_refuse(mb_reader *r, const mb_element *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(r, LG_ERROR_ARGUMENT, e, format, arguments);
    va_end(arguments);
}

void mb_refuse_as(mb_reader *r, lg_status status, const mb_element *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(r, status, e, format, arguments);
    va_end(arguments);
}

void *mb_take(mb_reader *r, size_t bytes)
{
    void *at = mb_document_take(&r->document, bytes);
    if (at == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    return at;
}

const char *mb_print(mb_reader *r, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? mb_take(r, (size_t)length + 1) : NULL;
    if (text != NULL) (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text != NULL ? text : "";
}

void mb_pass_on(mb_reader *r, const mb_element *e, lg_status status)
{
    char text[LG_MESSAGE_SIZE];
    for (int k = 0; k < MB_KINDS; k++)
        if (r->m->part[k].count > MB_LINKS_MOST)
            mb_refuse(r, e, "more than %d of these, which is too many", MB_LINKS_MOST);
    if (status == LG_OK) return;
    memcpy(text, r->m->error.message, sizeof text);
    mb_refuse_as(r, status, e, "%s", text);
}

void mb_note(mb_reader *r, const mb_element *e, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = '\0';
    va_end(arguments);
    if (r->remarks >= MB_REMARKS_MOST) (void)snprintf(text, sizeof text, "further elements are not read either");
    for (int i = 0; i < r->remarks; i++) {
        if (strcmp(r->remark[i].text, text) != 0) continue;
        r->remark[i].count++;
        return;
    }
    if (r->remarks == r->remark_room) {
        const int room = r->remarks > 0 ? 2 * r->remarks : 16;
        mb_remark *more = realloc(r->remark, (size_t)room * sizeof *more);
        if (more != NULL) r->remark = more, r->remark_room = room;
    }
    char *copy = r->remarks < r->remark_room ? mb_document_take(&r->document, strlen(text) + 1) : NULL;
    if (copy == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
        return;
    }
    memcpy(copy, text, strlen(text) + 1);
    r->remark[r->remarks++] = (mb_remark){copy, e->file, e->line, 1};
}

/* Why something is not read, where a user may wonder. */
static const char *reason(const char *name, int attribute)
{
    static const struct {
        const char *name, *why;
        int attribute; /* 1: of an attribute, 0: of an element */
    } reasons[] = {
        {"effort", ": controls have no limits", 1},
        {"velocity", ": velocities have no limits", 1},
        {"transmission", ": each movable joint has a motor of its name", 0},
        {"contact", ": bodies do not touch each other; surfaces do, in <liegrp> of a URDF", 0},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(reasons[i].name, name) == 0 && reasons[i].attribute == attribute) return reasons[i].why;
    return "";
}

static void note_attributes(mb_reader *r, const mb_element *e)
{
    for (const mb_attribute *a = e->attribute; a != NULL; a = a->next)
        if (!a->read && strncmp(a->name, "xmlns", 5) != 0)
            mb_note(r, e, "%.40s of <%.40s> is not read%s", a->name, e->name, reason(a->name, 1));
}

static void keep_remarks(mb_reader *r)
{
    lg_mechanism *m = r->m;
    m->remark = calloc((size_t)r->remarks + 1, sizeof *m->remark);
    for (int i = 0; m->remark != NULL && i < r->remarks; i++) {
        char text[320];
        const mb_remark *k = &r->remark[i];
        char times[48] = "";
        if (k->count > 1) (void)snprintf(times, sizeof times, " (%d times, first here)", k->count);
        (void)snprintf(text, sizeof text, "%s:%d: %s%s", k->file, k->line, k->text, times);
        if ((m->remark[i] = malloc(strlen(text) + 1)) == NULL) break;
        memcpy(m->remark[i], text, strlen(text) + 1);
        m->remarks++;
    }
    if (m->remark == NULL || m->remarks < r->remarks) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
}

void mb_note_unread(mb_reader *r)
{
    for (const mb_element *e = r->document.root; e != NULL && r->status == LG_OK;) {
        if (!e->read)
            mb_note(r, e, "<%.60s> is not read%s", e->name, reason(e->name, 0));
        else
            note_attributes(r, e);
        const mb_element *next = e->read ? e->child : NULL;
        for (; next == NULL && e != NULL; e = e->parent) next = e->next;
        e = next;
    }
    if (r->status == LG_OK) keep_remarks(r);
}

/* ---- elements ---- */

int mb_is(const mb_element *e, const char *name)
{
    return strcmp(e->name, name) == 0;
}

mb_element *mb_each_element(mb_element *e, const char *name, mb_element *from)
{
    mb_element *c = from != NULL ? from->next : e->child;
    while (c != NULL && !mb_is(c, name)) c = c->next;
    if (c != NULL) c->read = 1;
    return c;
}

mb_element *mb_only(mb_reader *r, mb_element *e, const char *name)
{
    mb_element *first = mb_each_element(e, name, NULL),
               *second = first != NULL ? mb_each_element(e, name, first) : NULL;
    if (second != NULL) mb_refuse(r, second, "this <%s> has two <%s>; remove one", e->name, name);
    return r->status == LG_OK ? first : NULL;
}

mb_element *mb_needed(mb_reader *r, mb_element *e, const char *name)
{
    mb_element *c = mb_only(r, e, name);
    if (c != NULL) return c;
    const char *own = mb_text(e, "name");
    mb_refuse(r, e, "<%s> '%.60s' has no <%s>", e->name, own != NULL ? own : "", name);
    return NULL;
}

void mb_passed_over(mb_element *e)
{
    for (mb_element *c = e;;) { /* a walk through all that it contains */
        c->read = 1;
        for (mb_attribute *a = c->attribute; a != NULL; a = a->next) a->read = 1;
        mb_element *next = c->child;
        for (; next == NULL && c != e; c = c->parent) next = c->next;
        if (next == NULL) return;
        c = next;
    }
}

const char *mb_text(mb_element *e, const char *name)
{
    for (mb_attribute *a = e->attribute; a != NULL; a = a->next) {
        if (strcmp(a->name, name) != 0) continue;
        a->read = 1;
        return a->value;
    }
    return NULL;
}

const char *mb_needed_text(mb_reader *r, mb_element *e, const char *name)
{
    const char *text = mb_text(e, name);
    if (text != NULL && text[0] != '\0') return text;
    mb_refuse(r, e, "<%s> has no attribute '%s'", e->name, name);
    return NULL;
}

static const char *skip(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Reads up to `most` finite numbers from *at on, which becomes where they end. -1: refused. */
static int scan(mb_reader *r, const mb_element *e, const char *name, const char **at, double *out, int most)
{
    int count = 0;
    for (*at = skip(*at); **at != '\0' && count < most; *at = skip(*at), count++) {
        const char *end;
        const int length = (int)(strcspn(*at, " \t\r\n") < 60 ? strcspn(*at, " \t\r\n") : 60);
        out[count] = lg_decimal_read(*at, &end);
        const int whole = end > *at && (*end == '\0' || strchr(" \t\r\n", *end) != NULL);
        if (!whole || !isfinite(out[count])) {
            mb_refuse(r, e, "%s of <%s>: '%.*s' is not a finite number", name, e->name, length, *at);
            return -1;
        }
        *at = end;
    }
    return count;
}

int mb_numbers(mb_reader *r, mb_element *e, const char *name, double *out, int least, int most)
{
    double value[16 + 1];
    const char *const text = mb_text(e, name), *at = text;
    if (text == NULL || r->status != LG_OK) return 0;
    const int count = scan(r, e, name, &at, value, most + 1);
    if (count < 0) return 0;
    if (count < least || count > most) {
        if (least == most)
            mb_refuse(r, e, "%s of <%s> is '%.60s'; it must be %d number%s", name, e->name, text, most,
                      most > 1 ? "s" : "");
        else
            mb_refuse(r, e, "%s of <%s> is '%.60s'; it must be %d to %d numbers", name, e->name, text, least, most);
        return 0;
    }
    memcpy(out, value, (size_t)count * sizeof *out);
    return count;
}

int mb_list(mb_reader *r, mb_element *e, const char *name, double **list, int most)
{
    const char *const text = mb_text(e, name), *at = text;
    size_t words = 0;
    *list = NULL;
    if (text == NULL || r->status != LG_OK) return 0;
    for (const char *word = skip(text); *word != '\0'; word = skip(word + strcspn(word, " \t\r\n"))) words++;
    if (words > (size_t)most) mb_refuse(r, e, "%s of <%s> has %zu numbers, more than %d", name, e->name, words, most);
    double *own = words > 0 && r->status == LG_OK ? mb_take(r, words * sizeof *own) : NULL;
    const int count = own != NULL ? scan(r, e, name, &at, own, (int)words) : 0;
    if (count > 0) *list = own;
    return count > 0 ? count : 0;
}

double mb_number(mb_reader *r, mb_element *e, const char *name, double otherwise)
{
    double x = otherwise;
    (void)mb_numbers(r, e, name, &x, 1, 1);
    return x;
}

double mb_needed_number(mb_reader *r, mb_element *e, const char *name)
{
    double x = 0;
    if (mb_needed_text(r, e, name) != NULL) (void)mb_numbers(r, e, name, &x, 1, 1);
    return x;
}

int mb_choice(mb_reader *r, mb_element *e, const char *name, const char *const *choices, int otherwise)
{
    const char *text = mb_text(e, name);
    char list[160] = "";
    size_t used = 0;
    if (text == NULL || r->status != LG_OK) return otherwise;
    for (int i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], text) == 0) return i;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    mb_refuse(r, e, "%s of <%s> is '%.40s'; it must be one of: %s", name, e->name, text, list);
    return otherwise;
}

void mb_unit(mb_reader *r, const mb_element *e, const char *name, double *v, int n)
{
    if (r->status != LG_OK) return;
    if (lg_unit(v, v, n) != LG_OK) mb_refuse(r, e, "%s of <%s> has length 0; it must point somewhere", name, e->name);
}
