/* SPDX-License-Identifier: BSD-3-Clause */
/* Which retraction for which tolerance: error against cost of the GNI, plain and composed to order 4, with all
 * retractions, on four systems with rotations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/suite/methods.h"
#include "claims/framework/examples.h"

static const char *const systems[] = {"rolling-ball", "heavy-top", "rolling-disk", "body-se3"};
static const char *const methods[] = {"gni", "gni@suzuki4"};
static const char *const retractions[] = {"exp",         "cayley",      "second-kind", "exp:order=1",
                                          "exp:order=2", "exp:order=3", "exp:order=4", "exp:order=5",
                                          "exp:order=6", "exp:order=7", "exp:order=8"};
static const double targets[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10};
enum { SYSTEMS = 4, METHODS = 2, RETRACTIONS = 11, TARGETS = 6, YARDSTICKS = 3 };

/* The least cost of a retraction with any of the methods, for a target on a system; NaN: never. */
typedef double costs[SYSTEMS][TARGETS][RETRACTIONS];

typedef struct job {
    bench_report *r;
    const bench_settings *s;
    bench_trials all;
    costs cost;
    const char *method[SYSTEMS][TARGETS][RETRACTIONS];
} job;

static void note_costs(job *j, int system)
{
    for (int t = 0; t < TARGETS; t++)
        for (int k = 0; k < RETRACTIONS; k++) {
            j->cost[system][t][k] = NAN;
            for (int i = 0; i < METHODS; i++) {
                const double c = bench_cost(&j->all, methods[i], retractions[k], BENCH_OF_ERROR, targets[t]);
                if (!isfinite(c) || c >= j->cost[system][t][k]) continue;
                j->cost[system][t][k] = c;
                j->method[system][t][k] = methods[i];
            }
        }
}

static void write_points(const job *j, const bench_motion *m)
{
    for (int i = 0; i < j->all.count; i++) {
        const bench_trial *t = &j->all.trial[i];
        bench_case ms = t->timed;
        ms.median *= 1e-6, ms.first *= 1e-6, ms.third *= 1e-6;
        bench_row(j->r);
        bench_text(j->r, m->label);
        bench_text(j->r, t->name);
        bench_text(j->r, t->retraction);
        bench_number(j->r, t->setting);
        bench_timing(j->r, &ms);
        bench_number(j->r, t->error);
    }
}

/* A panel per method. */
static void draw(const job *j, const bench_motion *m)
{
    for (int k = 0; k < METHODS; k++) {
        char title[BENCH_NAME];
        snprintf(title, sizeof title, "%s, %s, T = %g", m->label, methods[k], m->T);
        bench_panel(j->r, title, "time of a run [ms]", "error at T [SI units]");
        for (int i = 0; i < j->all.count; i++) {
            const bench_trial *t = &j->all.trial[i];
            if (strcmp(t->name, methods[k]) != 0) continue;
            if (bench_is_first(&j->all, i)) bench_curve(j->r, t->retraction, 0);
            bench_point(j->r, t->timed.median * 1e-6, t->error);
        }
    }
}

static void measure(job *j, int system)
{
    const bench_ladders l = j->s->quick ? (bench_ladders){2, 0, 0.05, 0} : (bench_ladders){10, 0, 0.05, 0};
    bench_motion m;
    bench_tell(j->s, "retractions: %s", systems[system]);
    if (bench_motion_open(&m, systems[system], claim_example(systems[system]), NULL, 0) ||
        bench_motion_reference(&m, j->s->quick ? 0.5 : 10, j->s->quick ? 4000 : 400000)) {
        bench_fail(j->r, "%s", m.message);
    } else {
        for (int k = 0; k < RETRACTIONS; k++)
            for (int i = 0; i < METHODS; i++)
                (void)bench_try_method(&j->all, &m, (bench_way){methods[i], retractions[k], NULL, 0},
                                       j->s->quick ? 1 : 4, &l);
        bench_time_trials(j->r, &j->all);
        write_points(j, &m);
        draw(j, &m);
    }
    note_costs(j, system);
    bench_drop_trials(&j->all);
    bench_motion_close(&m);
}

/* The cheapest of those from number `first` on; -1: none reaches the target. */
static int cheapest(const job *j, int system, int target, int first)
{
    int best = -1;
    for (int k = first; k < RETRACTIONS; k++)
        if (isfinite(j->cost[system][target][k]) &&
            (best < 0 || j->cost[system][target][k] < j->cost[system][target][best]))
            best = k;
    return best;
}

static void write_cheapest(const job *j)
{
    bench_table(j->r, "cheapest",
                "the cheapest retraction for an error, and the cost of the others relative to it; -: not reached");
    bench_column(j->r, "system", "");
    bench_column(j->r, "error", "%.0e");
    bench_column(j->r, "retraction", "");
    bench_column(j->r, "method", "");
    bench_column(j->r, "ms", "%.4g");
    for (int k = 0; k < YARDSTICKS; k++) bench_column(j->r, retractions[k], "%.2f");
    bench_column(j->r, "best series", "");
    bench_column(j->r, "it", "%.2f");
    for (int i = 0; i < SYSTEMS; i++)
        for (int t = 0; t < TARGETS; t++) {
            const int best = cheapest(j, i, t, 0), series = cheapest(j, i, t, YARDSTICKS);
            if (best < 0) continue;
            bench_row(j->r);
            bench_text(j->r, systems[i]);
            bench_number(j->r, targets[t]);
            bench_text(j->r, retractions[best]);
            bench_text(j->r, j->method[i][t][best]);
            bench_number(j->r, j->cost[i][t][best]);
            for (int k = 0; k < YARDSTICKS; k++) bench_number(j->r, j->cost[i][t][k] / j->cost[i][t][best]);
            bench_text(j->r, series >= 0 ? retractions[series] : "");
            bench_number(j->r, series >= 0 ? j->cost[i][t][series] / j->cost[i][t][best] : (double)NAN);
        }
}

/* The retraction with the smallest cost relative to the cheapest, in the worst of the systems. */
static void conclude(const job *j, int target)
{
    int safest = -1, reached = 0;
    double least = INFINITY;
    char name[BENCH_NAME], winners[300] = "";
    for (int k = 0; k < RETRACTIONS; k++) {
        double worst = 0;
        for (int i = 0; i < SYSTEMS; i++) {
            const int best = cheapest(j, i, target, 0);
            if (best < 0) continue;
            const double ratio = j->cost[i][target][k] / j->cost[i][target][best];
            worst = isfinite(ratio) ? fmax(worst, ratio) : INFINITY;
        }
        if (worst < least) least = worst, safest = k;
    }
    for (int i = 0; i < SYSTEMS; i++) {
        const int best = cheapest(j, i, target, 0);
        const size_t used = strlen(winners);
        if (best < 0) continue;
        snprintf(winners + used, sizeof winners - used, "%s%s %s", reached++ > 0 ? ", " : "", systems[i],
                 retractions[best]);
    }
    if (safest < 0 || reached == 0) return;
    snprintf(name, sizeof name, "%s over the cheapest, error %.0e", retractions[safest], targets[target]);
    bench_figure(j->r, name, least, "error %.0e: take %s, at most %.2f times the cost of the cheapest (%s)",
                 targets[target], retractions[safest], least, winners);
}

void bench_retractions(bench_report *r, const bench_settings *s)
{
    job *j = calloc(1, sizeof *j);
    bench_begin(r, s, BENCH_FEW);
    if (j != NULL) j->all.trial = calloc(BENCH_TRIALS, sizeof *j->all.trial);
    if (j == NULL || j->all.trial == NULL) {
        bench_fail(r, "out of memory");
        free(j);
        return;
    }
    j->r = r, j->s = s;
    bench_table(r, "runs", "to T = 10: milliseconds, and |log(g^-1 g_true)| there");
    bench_column(r, "system", "");
    bench_column(r, "method", "");
    bench_column(r, "retraction", "");
    bench_column(r, "step", "%.4g");
    bench_column(r, "ms", "%.4g");
    bench_column(r, "error", "%.1e");
    for (int i = 0; i < SYSTEMS; i++) measure(j, i);
    write_cheapest(j);
    for (int t = 0; t < TARGETS; t++) conclude(j, t);
    bench_say(r, "Costs between the points of a ladder of steps by power laws; the cheaper of gni and gni@suzuki4.");
    free(j->all.trial);
    free(j);
}
