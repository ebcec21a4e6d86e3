/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/race/race.h"

void race_keep(race_result *r, const race_ladder *l)
{
    r->ran = 1;
    r->least = race_least(l);
    for (int e = 0; e < RACE_ERRORS; e++) {
        const race_point *p = race_cheapest(l, race_errors[e]), *a = race_at(l, race_errors[e]);
        if (p != NULL) r->cheapest[e] = *p;
        if (a != NULL) r->asked[e] = *a;
    }
}

/* A row of the tables. */
typedef struct place {
    int system, time, error;
} place;

static const race_result *result_of(const race_results *all, place at, int racer)
{
    return &all->of[at.system][at.time][racer];
}

/* Nanoseconds per unit of time; NaN: the error was not reached. */
static double cost(const race_results *all, place at, int racer)
{
    const double ns = result_of(all, at, racer)->cheapest[at.error].ns;
    return ns > 0 ? ns / race_times[at.time] : (double)NAN;
}

static int find(const char *name, unsigned table)
{
    for (int i = 0; i < race_racer_count; i++)
        if ((race_racers[i].tables & table) && strcmp(race_racers[i].name, name) == 0) return i;
    return -1;
}

/* The least cost of one of these racers of other software: the named ones, or all of a table (NULL). */
static double rival(const race_results *all, place at, unsigned table, const char *const *names)
{
    double least = INFINITY;
    for (int i = 0; i < race_racer_count; i++) {
        int listed = names == NULL && race_racers[i].peer != NULL && (race_racers[i].tables & table);
        for (int k = 0; names != NULL && names[k] != NULL; k++) listed |= find(names[k], table) == i;
        const double ns = listed ? cost(all, at, i) : (double)NAN;
        if (ns < least) least = ns;
    }
    return isfinite(least) ? least : (double)NAN;
}

static const char *const adaptive[] = {"rk8pd", NULL}, *const fixed[] = {"rk8pd fixed", NULL};

/* Comparisons with one of ours, to the right of the costs. */
typedef struct comparison {
    const char *name;
    unsigned table;
    const char *const *names; /* NULL: all others of the table */
    const char *ours;         /* NULL: the first racer */
} comparison;

static const comparison comparisons[] = {
    {"rk8pd / gauss", RACE_MAIN, adaptive, NULL},
    {"rk8pd / gauss, tolerance", RACE_MAIN, adaptive, "gauss, tolerance"},
    {"rk8pd fixed / gauss", RACE_MAIN, fixed, NULL},
    {"best other / gauss", RACE_MAIN, NULL, NULL},
    {"best projected / gauss", RACE_PROJECTED, NULL, NULL},
    {"rk8pd reduced / gauss", RACE_REDUCED, adaptive, NULL},
    {"rk8pd fixed, reduced / gauss", RACE_REDUCED, fixed, NULL},
    {"best reduced / gauss", RACE_REDUCED, NULL, NULL},
};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

static double compare(const race_results *all, place at, const comparison *c)
{
    return rival(all, at, c->table, c->names) / cost(all, at, c->ours != NULL ? find(c->ours, c->table) : 0);
}

static int ran(const race_results *all, place at)
{
    return result_of(all, at, 0)->ran;
}

/* Did a racer other than the first reach T with any error? */
static int contested(const race_results *all, place at, unsigned table)
{
    int others = table == 0;
    for (int i = 1; i < race_racer_count; i++)
        others |= (race_racers[i].tables & table) && result_of(all, at, i)->least >= 0 && result_of(all, at, i)->ran;
    return ran(all, at) && others;
}

/* Calls the function for every row. */
static void each(bench_report *r, const race_results *all, unsigned table,
                 void (*write)(bench_report *, const race_results *, place, unsigned))
{
    for (int s = 0; s < RACE_SYSTEMS; s++)
        for (int t = 0; t < RACE_TIMES; t++)
            for (int e = 0; e < RACE_ERRORS; e++) {
                const place at = {s, t, e};
                if (!contested(all, at, table)) continue;
                bench_row(r);
                bench_text(r, race_systems[s].name);
                bench_number(r, race_times[t]);
                bench_number(r, race_errors[e]);
                write(r, all, at, table);
            }
}

static void begin(bench_report *r, const char *name, const char *title, const char *third)
{
    bench_table(r, name, title);
    bench_column(r, "system", "");
    bench_column(r, "T", "%g");
    bench_column(r, third, "%.0e");
}

/* Costs ------------------------------------------------------------------------------------------------------------ */

static void write_costs(bench_report *r, const race_results *all, place at, unsigned table)
{
    for (int i = 0; i < race_racer_count; i++)
        if (race_racers[i].tables & table) bench_number(r, cost(all, at, i));
    for (int k = 0; k < COMPARISONS; k++)
        if (comparisons[k].table == table) bench_number(r, compare(all, at, &comparisons[k]));
}

static void costs(bench_report *r, const race_results *all, unsigned table, const char *name, const char *title)
{
    begin(r, name, title, "error");
    for (int i = 0; i < race_racer_count; i++)
        if (race_racers[i].tables & table) bench_column(r, race_racers[i].name, "%.0f");
    for (int k = 0; k < COMPARISONS; k++)
        if (comparisons[k].table == table) bench_column(r, comparisons[k].name, "%.2f");
    each(r, all, table, write_costs);
}

/* rk8pd over each of ours, by width. */
static void write_widths(bench_report *r, const race_results *all, place at, unsigned table)
{
    const double other = rival(all, at, RACE_MAIN, adaptive);
    (void)table;
    for (int i = 0; i < race_racer_count; i++)
        if ((race_racers[i].tables & RACE_WIDTHS) && race_racers[i].kind == RACE_OURS) {
            bench_number(r, cost(all, at, i));
            bench_number(r, other / cost(all, at, i));
        }
}

static void widths(bench_report *r, const race_results *all)
{
    char text[BENCH_NAME];
    begin(r, "widths",
          "gauss with all lanes of the machine, with fewer, and with callbacks that see one state at a time: "
          "ns per unit of time, and rk8pd over it",
          "error");
    for (int i = 0; i < race_racer_count; i++)
        if ((race_racers[i].tables & RACE_WIDTHS) && race_racers[i].kind == RACE_OURS) {
            bench_column(r, race_racers[i].name, "%.0f");
            snprintf(text, sizeof text, "rk8pd / %s", race_racers[i].name);
            bench_column(r, text, "%.2f");
        }
    each(r, all, RACE_WIDTHS, write_widths);
}

/* Settings of the winner, and what everybody can reach --------------------------------------------------------------
 */

static void write_settings(bench_report *r, const race_results *all, place at, unsigned table)
{
    const race_point *p = &result_of(all, at, 0)->cheapest[at.error];
    const int none = !(p->ns > 0);
    (void)table;
    bench_number(r, none ? (double)NAN : p->with.setting);
    bench_number(r, none ? (double)NAN : p->with.solver);
    bench_number(r, none ? (double)NAN : p->error);
    bench_number(r, none ? (double)NAN : p->energy);
}

static void settings(bench_report *r, const race_results *all)
{
    begin(r, "settings",
          "gauss: the step and the solver's tolerance of its cheapest run, its error, and that of the energy", "error");
    bench_column(r, "h", "%.4g");
    bench_column(r, "solver", "%.0e");
    bench_column(r, "error at T", "%.1e");
    bench_column(r, "energy", "%.1e");
    each(r, all, 0, write_settings);
}

static void least(bench_report *r, const race_results *all, unsigned table, const char *name, const char *title)
{
    bench_table(r, name, title);
    bench_column(r, "system", "");
    bench_column(r, "T", "%g");
    for (int i = 0; i < race_racer_count; i++)
        if (race_racers[i].tables & table) bench_column(r, race_racers[i].name, "%.0e");
    for (int s = 0; s < RACE_SYSTEMS; s++)
        for (int t = 0; t < RACE_TIMES; t++) {
            const place at = {s, t, 0};
            if (!ran(all, at)) continue;
            bench_row(r);
            bench_text(r, race_systems[s].name);
            bench_number(r, race_times[t]);
            for (int i = 0; i < race_racer_count; i++)
                if (race_racers[i].tables & table) bench_number(r, result_of(all, at, i)->least);
        }
}

/* Who does not know the truth -------------------------------------------------------------------------------------- */

static void write_asked(bench_report *r, const race_results *all, place at, unsigned table)
{
    for (int i = 0; i < race_racer_count; i++) {
        const race_point *p = &result_of(all, at, i)->asked[at.error];
        if (race_racers[i].kind != RACE_ADAPTIVE || !(race_racers[i].tables & table)) continue;
        bench_number(r, p->ns > 0 ? p->error : (double)NAN);
        bench_number(r, p->ns > 0 ? p->ns / race_times[at.time] : (double)NAN);
    }
}

static void asked(bench_report *r, const race_results *all, unsigned table, const char *name, const char *title)
{
    char text[BENCH_NAME];
    begin(r, name, title, "tolerance");
    for (int i = 0; i < race_racer_count; i++)
        if (race_racers[i].kind == RACE_ADAPTIVE && (race_racers[i].tables & table)) {
            snprintf(text, sizeof text, "%s: error", race_racers[i].name);
            bench_column(r, text, "%.0e");
            bench_column(r, "ns", "%.0f");
        }
    each(r, all, table, write_asked);
}

/* Summary ---------------------------------------------------------------------------------------------------------- */

static int ours_reaches(const race_results *all, place at, const comparison *c)
{
    return cost(all, at, c->ours != NULL ? find(c->ours, c->table) : 0) > 0;
}

/* The error relative to the tolerance, over all systems. */
static void summarise_asked(bench_report *r, const race_results *all, int racer, int time)
{
    double product = 1, worst = 0;
    int n = 0;
    for (int s = 0; s < RACE_SYSTEMS; s++)
        for (int e = 0; e < RACE_ERRORS; e++) {
            const race_point *p = &all->of[s][time][racer].asked[e];
            if (!(p->ns > 0)) continue;
            product *= p->error / race_errors[e], n++;
            worst = fmax(worst, p->error / race_errors[e]);
        }
    if (n == 0) return;
    bench_say(r,
              "%s, T = %g: asked for a tolerance it gives an error of %.2g times that in the geometric mean of %d "
              "runs, %.2g times at most",
              race_racers[racer].name, race_times[time], pow(product, 1. / n), n, worst);
}

/* The least ratio over the systems, and the geometric mean, at one time and error. */
static void summarise(bench_report *r, const race_results *all, const comparison *c, int time, int error)
{
    double product = 1, worst = INFINITY;
    const char *where = "";
    char name[BENCH_NAME], missing[128] = "";
    int n = 0;
    for (int s = 0; s < RACE_SYSTEMS; s++) {
        const place at = {s, time, error};
        if (!contested(all, at, c->table)) continue;
        const double ratio = compare(all, at, c);
        if (!(ratio > 0)) {
            const size_t used = strlen(missing);
            snprintf(missing + used, sizeof missing - used, "%s%s%s", used > 0 ? ", " : "; only ", race_systems[s].name,
                     ours_reaches(all, at, c) ? " (ours)" : " (theirs or none)");
        }
        if (!(ratio > 0)) continue;
        product *= ratio, n++;
        if (ratio < worst) worst = ratio, where = race_systems[s].name;
    }
    if (n == 0) return;
    snprintf(name, sizeof name, "%s, T = %g, error %.0e", c->name, race_times[time], race_errors[error]);
    bench_figure(r, name, pow(product, 1. / n), "%s: %.2f in the geometric mean of %d systems, at least %.2f (%s)%s",
                 name, pow(product, 1. / n), n, worst, where, missing);
}

void race_write(bench_report *r, const race_results *all, unsigned tables)
{
    if (tables & RACE_MAIN) {
        costs(r, all, RACE_MAIN, "trajectories",
              "ns per unit of time to have the state at T to an error; -: not reached");
        settings(r, all);
        asked(r, all, RACE_MAIN, "tolerances",
              "who asks for a tolerance: the error at T that comes, and ns per unit of time; -: the run is given up");
        least(r, all, RACE_MAIN, "least errors", "the least error at T with any step or tolerance");
    }
    if (tables & RACE_PROJECTED) {
        costs(
            r, all, RACE_PROJECTED, "projected",
            "the same with a projection onto constraints and energy, after each step (msadams, CVODE, Bulirsch-Stoer: at T)");
        asked(r, all, RACE_PROJECTED, "tolerances, projected",
              "who asks for a tolerance, projected: error at T and cost");
        least(r, all, RACE_PROJECTED, "least errors, projected",
              "the least error at T with any step or tolerance, projected");
    }
    if (tables & RACE_REDUCED)
        costs(r, all, RACE_REDUCED, "reduced",
              "the same with equations that are reduced by hand for each system: fewer unknowns, no multipliers");
    if (tables & RACE_WIDTHS) widths(r, all);
    if (tables & RACE_METHODS)
        costs(r, all, RACE_METHODS, "methods",
              "methods of the library: ns per unit of time to have the state at T to an error");
    for (int k = 0; k < COMPARISONS; k++)
        for (int t = 0; t < RACE_TIMES; t++)
            for (int e = 0; e < RACE_ERRORS && (tables & comparisons[k].table); e++)
                summarise(r, all, &comparisons[k], t, e);
    for (int i = 0; i < race_racer_count && (tables & RACE_MAIN); i++)
        for (int t = 0; t < RACE_TIMES && (race_racers[i].tables & RACE_MAIN); t++) summarise_asked(r, all, i, t);
    for (int s = 0; s < RACE_SYSTEMS; s++)
        if (all->checked[s] >= 0)
            bench_say(r, "%s: right-hand side and library's accelerations agree to %.0e", race_systems[s].name,
                      all->checked[s]);
}
