/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of the manual on the ledger: a section a claim, a row for each thing that was measured, over all the systems
 * that it was measured on. Measured figures stand in the second column and nowhere else, so that a test can compare the
 * rest of the page with that of another machine. */
#include "ledger_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Do two measurements belong into one row? */
static int alike(const claim_measure *a, const claim_measure *b)
{
    return a->control == b->control && strcmp(a->what, b->what) == 0 && strcmp(a->why, b->why) == 0;
}

/* Markdown takes some characters for its own. */
static void print_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|' || *text == '*' || *text == '_' || *text == '<' || *text == '^' || *text == '`') putchar('\\');
        putchar(*text);
    }
}

/* The part of a measurement that a list names. */
static const char *part(const claim_measure *m, int which)
{
    return which == 0 ? m->system : which == 1 ? m->method : m->retraction;
}

/* Is this the first of its row, from `first` on, with that system (method, retraction)? */
static int is_new(const claim_report *r, int first, int i, int which)
{
    for (int k = first; k < i; k++)
        if (alike(&r->measures[k], &r->measures[first]) &&
            strcmp(part(&r->measures[k], which), part(&r->measures[i], which)) == 0)
            return 0;
    return 1;
}

/* The different systems (0), methods (1) or retractions (2) of a row. */
static void print_parts(const claim_report *r, int first, int which)
{
    int listed = 0;
    for (int i = first; i < r->count; i++) {
        if (!alike(&r->measures[i], &r->measures[first]) || !is_new(r, first, i, which)) continue;
        if (part(&r->measures[i], which)[0] == '\0') continue;
        printf("%s", listed++ > 0 ? ", " : "");
        print_text(part(&r->measures[i], which));
    }
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

static void print_row(const claim_report *r, int first)
{
    const claim_measure *worst = &r->measures[first];
    int count = 0;
    for (int i = first; i < r->count; i++) {
        const claim_measure *m = &r->measures[i];
        if (!alike(m, &r->measures[first])) continue;
        if (count++ > 0 && worst->passed && (!m->passed || claim_share(m) > claim_share(worst))) worst = m;
    }
    printf("| %s", worst->control ? "control: " : "");
    print_text(worst->trouble[0] != '\0' ? worst->trouble : worst->what);
    printf(" | %.2g | ", worst->value);
    print_bound(worst);
    fputs(" | ", stdout);
    print_text(worst->why);
    fputs(" | ", stdout);
    for (int which = 0; which < 3; which++) {
        if (which > 0) fputs("; ", stdout);
        print_parts(r, first, which);
    }
    puts(" |");
}

static void print_claim(const claim *c, const claim_report *r)
{
    printf("## %s {#claim_%s}\n\n", c->id, c->id);
    print_text(c->text);
    fputs("\n\n*Source*: ", stdout);
    print_text(c->source);
    printf(". *Verdict*: **%s**, %d measurements.\n\n", claim_verdict(r) > 0 ? "holds" : "fails", r->count);
    puts("| what | measured | bound | where the bound comes from | systems; methods; retractions "
         "|\n|---|---|---|---|---|");
    for (int i = 0; i < r->count; i++) {
        int first = 1;
        for (int k = 0; k < i && first; k++) first = !alike(&r->measures[k], &r->measures[i]);
        if (first) print_row(r, i);
    }
    putchar('\n');
}

void cli_ledger_page(const claim *const *chosen, const claim_report *reports, int count)
{
    puts(
        "# The ledger {#ledger}\n\n"
        "<!-- Written by `liegrp verify --page`: do not edit. -->\n\n"
        "Every claim of the papers (keys in @ref theory), and ours, measured by `liegrp verify`: the figure nearest to "
        "its bound over all\nsystems, methods and retractions named at its right. A *control* is a system or a "
        "coefficient that must violate the claim:\nit shows that the check can fail. `liegrp verify CLAIM --all` "
        "prints "
        "every measurement.\n");
    for (int i = 0; i < count; i++) print_claim(chosen[i], &reports[i]);
}
