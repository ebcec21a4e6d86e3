/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as a table, JSON and CSV. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/convergence.h"
#include "cli/lib/json.h"
#include "cli/lib/print.h"
#include "cli/lib/text.h"

const char *cli_convergence_kind(lg_variables kind)
{
    switch (kind) {
    case LG_VARIABLES_REDUCED:
        return "reduced";
    case LG_VARIABLES_RECONSTRUCTED:
        return "reconstructed";
    case LG_VARIABLES_BOTH:
        break;
    }
    return "both";
}

static int columns_of(const cli_comparison *all)
{
    return lg_reference_column_count(all->R);
}

static const lg_convergence_column *column_of(const cli_comparison *all, int i)
{
    return lg_reference_column(all->R, i);
}

/* The table ------------------------------------------------------------------------------------------------------- */

/* Widths of the table's columns: method, retraction, step, one for all the others. */
typedef struct widths {
    int method, retraction, step, number;
} widths;

static int longer(int width, const char *text)
{
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static widths measure(const cli_comparison *all)
{
    widths w = {6, 10, 10, 10};
    for (int i = 0; i < all->count; i++) {
        w.method = longer(w.method, all->orders[i].method);
        w.retraction = longer(w.retraction, all->orders[i].retraction);
    }
    for (int i = 0; i < columns_of(all); i++) {
        w.number = longer(w.number, column_of(all, i)->name);
        w.number = longer(w.number, cli_convergence_kind(column_of(all, i)->kind));
    }
    return w;
}

/* Names of the columns that the exact solution gives, or else of those that it does not give. */
static void print_names(FILE *f, const cli_comparison *all, int exact)
{
    const char *between = "";
    for (int i = 0; i < columns_of(all); i++) {
        const lg_convergence_column *c = column_of(all, i);
        if (c->exact != exact) continue;
        cli_print(f, "%s%s", between, c->name);
        if (!exact) fprintf(f, " %.1e", c->error);
        between = ", ";
    }
}

static void print_reference(FILE *f, const cli_comparison *all)
{
    const char *method = lg_reference_method(all->R);
    int exact = 0;
    for (int i = 0; i < columns_of(all); i++) exact |= column_of(all, i)->exact;
    cli_print(f, "%s: errors at t = %.15g\nreference: ", all->S->name, all->time);
    if (exact) {
        fputs("the exact solution", f);
        if (method != NULL) {
            fputs(" (", f);
            print_names(f, all, 1);
            fputs("); ", f);
        }
    }
    if (method != NULL) {
        cli_print(f, "%s with steps of %.6g; its own error is about: ", method, lg_reference_step(all->R));
        print_names(f, all, 0);
    }
    fputs("\n\n", f);
}

static void print_head(FILE *f, const cli_comparison *all, widths w)
{
    cli_print(f, "%*s", w.method + w.retraction + w.step + 6, "");
    for (int i = 0; i < columns_of(all); i++)
        cli_print(f, "  %*s", w.number, cli_convergence_kind(column_of(all, i)->kind));
    cli_print(f, "\n%-*s  %-*s  %-*s", w.method, "method", w.retraction, "retraction", w.step + 2, "h");
    for (int i = 0; i < columns_of(all); i++) cli_print(f, "  %*s", w.number, column_of(all, i)->name);
    fputc('\n', f);
}

/* A number in its column; brackets take one character on either side. */
static void print_error(FILE *f, double error, int used, int width)
{
    char text[32];
    snprintf(text, sizeof text, used ? "%.2e " : "(%.2e)", error);
    cli_print(f, "  %*s", width, text);
}

/* 1 if a number is printed in brackets. */
static int print_levels(FILE *f, const cli_order *o, widths w)
{
    int brackets = 0;
    for (int k = 0; k < o->c.levels; k++) {
        const lg_convergence_level *level = &o->c.level[k];
        cli_print(f, "%-*s  %-*s  %-*.6g", w.method, o->method, w.retraction, o->retraction, w.step + 2, level->step);
        if (level->status != LG_OK) {
            cli_print(f, "  %s\n", level->message);
            continue;
        }
        for (int i = 0; i < o->c.columns; i++) {
            print_error(f, level->error[i], level->used[i], w.number);
            brackets |= !level->used[i];
        }
        fputc('\n', f);
    }
    return brackets;
}

static void print_orders(FILE *f, const cli_order *o, widths w)
{
    cli_print(f, "%-*s  %-*s  %-*s", w.method, o->method, w.retraction, o->retraction, w.step + 2, "order");
    for (int i = 0; i < o->c.columns; i++) {
        if (isfinite(o->c.order[i])) {
            fprintf(f, "  %*.2f ", w.number - 1, o->c.order[i]);
        } else {
            cli_print(f, "  %*s ", w.number - 1, "-");
        }
    }
    fputs("\n\n", f);
}

void cli_convergence_table(FILE *f, const cli_comparison *all)
{
    const widths w = measure(all);
    int brackets = 0;
    print_reference(f, all);
    print_head(f, all, w);
    for (int i = 0; i < all->count; i++) {
        if (all->orders[i].refused) continue;
        brackets |= print_levels(f, &all->orders[i], w);
        print_orders(f, &all->orders[i], w);
    }
    if (brackets) {
        fputs("(...): rounding, or less than ten times the reference's own error; not used for the order. -: fewer "
              "than two\n"
              "errors are above that level\n",
              f);
    }
    for (int i = 0; i < all->count; i++) {
        const cli_order *o = &all->orders[i];
        if (o->refused) cli_print(f, "refused: %s, %s: %s\n", o->method, o->retraction, o->c.message);
    }
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

/* The separator before every member of an object or list but the first, and the name of a member. */
static void member(FILE *f, int first, const char *indent, const char *name)
{
    fprintf(f, "%s%s", first ? "" : ",", indent);
    if (name == NULL) return;
    cli_json_string(f, name);
    fputs(": ", f);
}

static void json_columns(FILE *f, const cli_comparison *all)
{
    member(f, 0, "\n  ", "columns");
    fputc('[', f);
    for (int i = 0; i < columns_of(all); i++) {
        const lg_convergence_column *c = column_of(all, i);
        member(f, i == 0, "\n    ", NULL);
        fputc('{', f);
        member(f, 1, "", "name");
        cli_json_string(f, c->name);
        member(f, 0, " ", "variables");
        cli_json_string(f, cli_convergence_kind(c->kind));
        member(f, 0, " ", "exact");
        fputs(c->exact ? "true" : "false", f);
        member(f, 0, " ", "reference_error");
        cli_json_number(f, c->error);
        fputc('}', f);
    }
    fputs("\n  ]", f);
}

/* Numbers of all columns by name. */
static void json_numbers(FILE *f, const cli_comparison *all, const char *name, const double *numbers)
{
    member(f, 0, " ", name);
    fputc('{', f);
    for (int i = 0; i < columns_of(all); i++) {
        member(f, i == 0, i == 0 ? "" : " ", column_of(all, i)->name);
        cli_json_number(f, numbers[i]);
    }
    fputc('}', f);
}

static void json_level(FILE *f, const cli_comparison *all, const lg_convergence_level *level)
{
    int first = 1;
    fputc('{', f);
    member(f, 1, "", "step");
    cli_json_number(f, level->step);
    member(f, 0, " ", "steps");
    fprintf(f, "%" PRId64, level->steps);
    member(f, 0, " ", "failure");
    cli_json_string(f, level->status != LG_OK ? level->message : NULL);
    json_numbers(f, all, "errors", level->error);
    json_numbers(f, all, "floors", level->floor);
    member(f, 0, " ", "used");
    fputc('[', f);
    for (int i = 0; i < columns_of(all); i++) {
        if (!level->used[i]) continue;
        member(f, first, first ? "" : " ", NULL);
        cli_json_string(f, column_of(all, i)->name);
        first = 0;
    }
    fputs("]}", f);
}

static void json_order(FILE *f, const cli_comparison *all, const cli_order *o)
{
    fputc('{', f);
    member(f, 1, "", "method");
    cli_json_string(f, o->method);
    member(f, 0, " ", "retraction");
    cli_json_string(f, o->retraction);
    member(f, 0, " ", "refused");
    cli_json_string(f, o->refused ? o->c.message : NULL);
    if (!o->refused) {
        json_numbers(f, all, "orders", o->c.order);
        member(f, 0, " ", "levels");
        fputc('[', f);
        for (int k = 0; k < o->c.levels; k++) {
            member(f, k == 0, "\n      ", NULL);
            json_level(f, all, &o->c.level[k]);
        }
        fputs("\n    ]", f);
    }
    fputc('}', f);
}

void cli_convergence_json(FILE *f, const cli_comparison *all)
{
    fputc('{', f);
    member(f, 1, "\n  ", "system");
    cli_json_string(f, all->S->name);
    member(f, 0, "\n  ", "time");
    cli_json_number(f, all->time);
    member(f, 0, "\n  ", "reference");
    fputc('{', f);
    member(f, 1, "", "method");
    cli_json_string(f, lg_reference_method(all->R));
    member(f, 0, " ", "step");
    cli_json_number(f, lg_reference_step(all->R));
    fputc('}', f);
    json_columns(f, all);
    member(f, 0, "\n  ", "measurements");
    fputc('[', f);
    for (int i = 0; i < all->count; i++) {
        member(f, i == 0, "\n    ", NULL);
        json_order(f, all, &all->orders[i]);
    }
    fputs("\n  ]\n}\n", f);
}

/* CSV ------------------------------------------------------------------------------------------------------------- */

static void csv_names(FILE *f, const cli_order *o)
{
    text_csv(f, o->method);
    fputc(',', f);
    text_csv(f, o->retraction);
}

static void csv_level(FILE *f, const cli_comparison *all, const cli_order *o, const lg_convergence_level *level)
{
    for (int i = 0; i < columns_of(all); i++) {
        const lg_convergence_column *c = column_of(all, i);
        csv_names(f, o);
        cli_print(f, ",%.17g,%" PRId64 ",%s,%s,%.17g,%.17g,%d,%.17g,", level->step, level->steps, c->name,
                  cli_convergence_kind(c->kind), level->error[i], level->floor[i], level->used[i], o->c.order[i]);
        text_csv(f, level->message);
        fputc('\n', f);
    }
}

void cli_convergence_csv(FILE *f, const void *comparison)
{
    const cli_comparison *all = comparison;
    fputs("method,retraction,step,steps,quantity,variables,error,floor,used,order,message\n", f);
    for (int i = 0; i < all->count; i++) {
        const cli_order *o = &all->orders[i];
        if (o->refused) {
            csv_names(f, o);
            fputs(",nan,0,,,nan,nan,0,nan,", f);
            text_csv(f, o->c.message);
            fputc('\n', f);
        }
        for (int k = 0; !o->refused && k < o->c.levels; k++) csv_level(f, all, o, &o->c.level[k]);
    }
}
