/* SPDX-License-Identifier: BSD-3-Clause */
/* Error against cost: all methods of the library on systems of the catalog, and peers if there are any, over a short
 * and a long time. */
#include "benchmarks/suite/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Conservative systems on every kind of group; the peers' equations are in benchmarks/. */
static const struct {
    const char *name, *parameter;
    double value;
} systems[] = {
    {"chaplygin-sphere", "Omega", 0}, {"rolling-disk", NULL, 0}, {"particle-quadratic", NULL, 0},
    {"veselova-top", NULL, 0},        {"heavy-top", NULL, 0},    {"cvt", NULL, 0},
};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

static const bench_way methods[] = {
    {"gauss", "exp", NULL, 0},
    {"sem", "exp", NULL, 0},
    {"sem", "cayley", NULL, 0},
    {"sem", "exp", "sem, solved to 1e-10", 1e-10},
    {"sem", "cayley", "sem, solved to 1e-10", 1e-10},
    {"sem@suzuki4", "exp", NULL, 0},
    {"sem@kahan-li6", "exp", NULL, 0},
    {"sem@kahan-li8", "exp", NULL, 0},
    {"gni", "exp", NULL, 0},
    {"gni", "cayley", NULL, 0},
    {"gni@suzuki4", "exp", NULL, 0},
    {"gni@suzuki4", "cayley", NULL, 0},
    {"gni@kahan-li6", "exp", NULL, 0},
    {"gni@kahan-li6", "cayley", NULL, 0},
    {"gni@kahan-li8", "exp", NULL, 0},
    {"gni@kahan-li8", "cayley", NULL, 0},
    {"nsv", "exp", NULL, 0},
    {"dla:midpoint", "exp", NULL, 0},
    {"rk4", "exp", NULL, 0},
    {"rkmk4", "exp", NULL, 0},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* A long run uses steps up to the largest with this error at the end of the short run: those that resolve the
 * motion. */
static const double resolved = 0.1;
enum { MOST_PEERS = 8 };

typedef struct job {
    bench_report *r;
    const bench_settings *s;
    bench_trials all;
    bench_ladders ladders;
    const char *horizon; /* "short", "long" */
    double T;
    double coarsest[SYSTEMS][METHODS];   /* such steps, found in the short run; 0: none */
    double loosest[SYSTEMS][MOST_PEERS]; /* such tolerances */
} job;

/* The row of every trial. */
static void write_points(job *j, const bench_motion *m)
{
    for (int i = 0; i < j->all.count; i++) {
        const bench_trial *t = &j->all.trial[i];
        bench_case ms = t->timed;
        ms.median *= 1e-6, ms.first *= 1e-6, ms.third *= 1e-6;
        bench_row(j->r);
        bench_text(j->r, m->label);
        bench_number(j->r, m->T);
        bench_text(j->r, t->name);
        bench_text(j->r, t->retraction);
        bench_number(j->r, t->setting);
        bench_number(j->r, (double)t->steps);
        bench_timing(j->r, &ms);
        bench_number(j->r, t->error);
        bench_number(j->r, t->energy);
        bench_number(j->r, t->constraint);
    }
}

static void begin_points(const job *j)
{
    char name[32], title[160];
    snprintf(name, sizeof name, "%s runs", j->horizon);
    snprintf(title, sizeof title,
             "to T = %g: milliseconds, |log(g^-1 g_true)| at T, largest relative error of the energy and largest "
             "constraint on the way",
             j->T);
    bench_table(j->r, name, title);
    bench_column(j->r, "system", "");
    bench_column(j->r, "T", "%g");
    bench_column(j->r, "method", "");
    bench_column(j->r, "retraction", "");
    bench_column(j->r, "step or tolerance", "%.3g");
    bench_column(j->r, "steps", "%.0f");
    bench_column(j->r, "ms", "%.4g");
    bench_column(j->r, "error", "%.1e");
    bench_column(j->r, "energy", "%.1e");
    bench_column(j->r, "constraint", "%.1e");
}

/* A panel of all ladders; `what` as in bench_trial_value(). */
static void draw(const job *j, const bench_motion *m, int what)
{
    char title[BENCH_NAME], label[BENCH_NAME];
    if (what == BENCH_OF_ERROR && !m->known) return;
    snprintf(title, sizeof title, "%s, T = %g", m->label, m->T);
    bench_panel(j->r, title, "time of a run [ms]",
                what == BENCH_OF_ERROR ? "error at T [SI units]" : "energy error, constraint [SI units]");
    for (int i = 0; i < j->all.count; i++) {
        const bench_trial *t = &j->all.trial[i];
        snprintf(label, sizeof label, "%s%s%s", t->name, t->retraction[0] != '\0' ? ", " : "", t->retraction);
        if (bench_is_first(&j->all, i)) bench_curve(j->r, label, t->peer != NULL);
        bench_point(j->r, t->timed.median * 1e-6, bench_trial_value(t, what));
    }
}

/* The cheapest of ours (peers = 0), or of the peers whose name begins with `family`. */
typedef struct winner {
    const char *name, *retraction;
    double cost;
} winner;

static winner cheapest(const bench_trials *all, int peers, const char *family, int what, double target)
{
    winner w = {"", "", NAN};
    for (int i = 0; i < all->count; i++) {
        const bench_trial *t = &all->trial[i];
        if (!bench_is_first(all, i) || (t->peer != NULL) != peers) continue;
        if (strncmp(t->name, family, strlen(family)) != 0) continue;
        const double cost = bench_cost(all, t->name, t->retraction, what, target);
        if (!(cost >= w.cost)) w = isfinite(cost) ? (winner){t->name, t->retraction, cost} : w;
    }
    return w;
}

static const struct {
    const char *name;
    int what;
    double target;
    int horizons; /* 1: short, 2: long */
} targets[] = {
    {"error 1e-3", BENCH_OF_ERROR, 1e-3, 3},
    {"error 1e-6", BENCH_OF_ERROR, 1e-6, 3},
    {"error 1e-9", BENCH_OF_ERROR, 1e-9, 3},
    {"energy and constraint 1e-8", BENCH_OF_INVARIANTS, 1e-8, 2},
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

/* The families of peers, and all of them. */
static const char *const families[] = {"GSL", "CVODE", "ARKODE", "energy-projected CVODE"};
enum { FAMILIES = 4 };

typedef struct goal {
    char system[BENCH_NAME], text[BENCH_NAME];
    double T;
    int known; /* 0: the true end is not known accurately enough */
    winner ours, peer[FAMILIES];
    double tried[FAMILIES]; /* the cost of the most expensive run of each */
} goal;

enum { GOALS = SYSTEMS * TARGETS * 2 };

/* Milliseconds of the most expensive run of those whose name begins with it. */
static double costliest(const bench_trials *all, const char *family)
{
    double most = 0;
    for (int i = 0; i < all->count; i++)
        if (all->trial[i].peer != NULL && strncmp(all->trial[i].name, family, strlen(family)) == 0)
            most = fmax(most, all->trial[i].timed.median * 1e-6);
    return most;
}

static int find_goals(const job *j, const bench_motion *m, goal *goals, int count)
{
    const int horizon = strcmp(j->horizon, "short") == 0 ? 1 : 2;
    for (int k = 0; k < TARGETS; k++) {
        if (!(targets[k].horizons & horizon)) continue;
        goal *g = &goals[count++];
        snprintf(g->system, sizeof g->system, "%s", m->label);
        snprintf(g->text, sizeof g->text, "%s", targets[k].name);
        g->T = m->T;
        g->known = targets[k].what != BENCH_OF_ERROR || (m->known && targets[k].target >= 2 * m->uncertain);
        g->ours = cheapest(&j->all, 0, "", targets[k].what, targets[k].target);
        for (int i = 0; i < FAMILIES; i++) {
            g->peer[i] = cheapest(&j->all, 1, families[i], targets[k].what, targets[k].target);
            g->tried[i] = costliest(&j->all, families[i]);
        }
    }
    return count;
}

static void name_of(char *text, const winner *w)
{
    snprintf(text, BENCH_NAME, "%s%s%s", w->name, w->retraction[0] != '\0' ? ", " : "", w->retraction);
}

static void write_goals(const job *j, const goal *goals, int count)
{
    char text[BENCH_NAME];
    bench_table(
        j->r, "cost of a target",
        "milliseconds of the cheapest to reach a target, and the cost of the peers relative to it; -: not reached");
    bench_column(j->r, "system", "");
    bench_column(j->r, "T", "%g");
    bench_column(j->r, "target", "");
    bench_column(j->r, "ours", "");
    bench_column(j->r, "ms", "%.4g");
    for (int i = 0; i < FAMILIES && j->s->peers != NULL; i++) {
        snprintf(text, sizeof text, "%s / ours", families[i]);
        bench_column(j->r, families[i], "");
        bench_column(j->r, text, "%.2f");
    }
    for (int k = 0; k < count; k++) {
        const goal *g = &goals[k];
        bench_row(j->r);
        bench_text(j->r, g->system);
        bench_number(j->r, g->T);
        bench_text(j->r, g->text);
        name_of(text, &g->ours);
        bench_text(j->r, text);
        bench_number(j->r, g->ours.cost);
        for (int i = 0; i < FAMILIES && j->s->peers != NULL; i++) {
            name_of(text, &g->peer[i]);
            bench_text(j->r, text);
            bench_number(j->r, g->peer[i].cost / g->ours.cost);
        }
    }
}

/* The goals of the long run with peers: the least cost of a family relative to the cheapest of ours. */
static const struct {
    const char *family; /* "": the best of all */
    int target;
    double least; /* 0: only reported */
} wanted[] = {{"CVODE", 3, 10}, {"energy-projected CVODE", 3, 0}, {"GSL", 3, 3}, {"", 1, 1}, {"", 2, 1}};
enum { WANTED = sizeof wanted / sizeof wanted[0] };

/* The cheapest peer whose name begins with it. */
static winner rival(const goal *g, const char *family)
{
    winner best = {"", "", NAN};
    for (int i = 0; i < FAMILIES; i++)
        if (strncmp(g->peer[i].name, family, strlen(family)) == 0 && !(g->peer[i].cost >= best.cost) &&
            isfinite(g->peer[i].cost))
            best = g->peer[i];
    return best;
}

/* One line of the summary; the ratio, infinite if only ours reach the target, NaN if they do not. */
static double judge(const job *j, const goal *g, int k)
{
    const winner peer = rival(g, wanted[k].family);
    const char *family = wanted[k].family[0] != '\0' ? wanted[k].family : "the best peer";
    char name[BENCH_NAME], ours[BENCH_NAME], what[3 * BENCH_NAME], bound[BENCH_NAME];
    double ratio = peer.cost / g->ours.cost;
    name_of(ours, &g->ours);
    snprintf(what, sizeof what, "%s, T = %g, %s", g->system, g->T, g->text);
    /* who looks at the result knows that a long name is cut */
    if (snprintf(name, sizeof name, "%s, %s: %s over ours", g->system, g->text, family) < 0) name[0] = '\0';
    if (!g->known) {
        bench_figure(j->r, name, NAN, "%s: the true end is not known accurately enough", what);
        return (double)NAN;
    }
    if (!isfinite(g->ours.cost)) {
        bench_figure(j->r, name, NAN, "%s: none of ours reaches the target%s%s", what,
                     peer.name[0] != '\0' ? ", but " : "", peer.name);
        return (double)NAN;
    }
    if (!isfinite(peer.cost)) {
        double tried = 0;
        for (int i = 0; i < FAMILIES; i++)
            if (strncmp(families[i], wanted[k].family, strlen(wanted[k].family)) == 0) tried = fmax(tried, g->tried[i]);
        bench_figure(j->r, name, NAN, "%s: %s reaches the target in %.3g ms, %s does not in runs of up to %.3g ms",
                     what, ours, g->ours.cost, family, tried);
        return INFINITY;
    }
    bound[0] = '\0';
    if (wanted[k].least > 0)
        snprintf(bound, sizeof bound, " (meant to be at least %g: %s)", wanted[k].least,
                 ratio >= wanted[k].least ? "met" : "missed");
    bench_figure(j->r, name, ratio, "%s: %s costs %.2f times as much as %s%s", what, peer.name, ratio, ours, bound);
    return ratio;
}

/* System by system, wins and losses alike, with the number of each. */
static void summarise(const job *j, const goal *goals, int count)
{
    for (int k = 0; k < WANTED; k++) {
        const char *text = targets[wanted[k].target].name;
        const char *family = wanted[k].family[0] != '\0' ? wanted[k].family : "the best peer";
        double ratio[SYSTEMS];
        int n = 0, met = 0;
        char name[BENCH_NAME];
        for (int i = 0; i < count && n < SYSTEMS; i++) {
            if (strcmp(goals[i].text, text) != 0 || goals[i].T != j->T) continue;
            ratio[n] = judge(j, &goals[i], k);
            met += ratio[n] >= fmax(1, wanted[k].least);
            if (!isnan(ratio[n])) n++;
        }
        if (n == 0) continue;
        const double least = bench_quantile(ratio, n, 0), median = ratio[(n - 1) / 2]; /* sorted; some are infinite */
        snprintf(name, sizeof name, "%s: %s over ours, median", text, family);
        bench_figure(
            j->r, name, median,
            "%s, T = %g: %s costs %.2f times as much as the cheapest of ours in the median of %d systems (%.2f to "
            "%.2f); at least %g in %d",
            text, j->T, family, median, n, least, ratio[n - 1], fmax(1, wanted[k].least), met);
    }
}

/* The energy error of every method in the time that `sem` takes with the step of `liegrp run`. */
static void write_equal_cost(const job *j, const bench_motion *m)
{
    const bench_trial *yard = NULL;
    for (int i = 0; i < j->all.count; i++) {
        const bench_trial *t = &j->all.trial[i];
        if (strcmp(t->name, "sem") == 0 && strcmp(t->retraction, "exp") == 0 && t->setting > 0.999 * m->step) yard = t;
    }
    if (yard == NULL) return;
    const double ms = yard->timed.median * 1e-6;
    for (int i = 0; i < j->all.count; i++) {
        const bench_trial *t = &j->all.trial[i];
        if (!bench_is_first(&j->all, i)) continue;
        bench_row(j->r);
        bench_text(j->r, m->label);
        bench_number(j->r, ms);
        bench_text(j->r, t->name);
        bench_text(j->r, t->retraction);
        bench_number(j->r, bench_reached(&j->all, t->name, t->retraction, BENCH_OF_INVARIANTS, ms));
        bench_number(j->r, bench_reached(&j->all, t->name, t->retraction, BENCH_OF_ERROR, ms));
    }
}

/* The ladder of a method: its first step in multiples of the system's step. */
static double coarsest_of(const job *j, int system, int method, const bench_motion *m)
{
    if (j->s->quick) return 1;
    if (strcmp(j->horizon, "short") == 0) return 64;
    /* a power of 2: T and the steps that divide it are rounded */
    return exp2(fmax(0, floor(log2(j->coarsest[system][method] / m->step) + 0.1)));
}

/* Are all retractions the same on this system? */
static int is_flat(const lg_group *G)
{
    int flat = 1;
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        const lg_group_kind kind = lg_group_factor(G, i)->kind;
        flat &= kind == LG_KIND_RN || kind == LG_KIND_TORUS;
    }
    return flat;
}

/* All ladders on a motion; nonzero: it cannot be computed. */
static int climb(job *j, bench_motion *m, int system)
{
    const long most = j->s->quick ? 4000 : 400000;
    bench_tell(j->s, "methods: %s, T = %g: reference", m->label, j->T);
    if (bench_motion_reference(m, j->T, most)) {
        bench_fail(j->r, "%s", m->message);
        return 1;
    }
    for (int i = 0; i < METHODS; i++) {
        const bench_way way = methods[i];
        const char *name = way.name != NULL ? way.name : way.method;
        if (is_flat(m->S->group) && strcmp(way.retraction, "cayley") == 0) continue;
        bench_tell(j->s, "methods: %s, T = %g: %s", m->label, j->T, name);
        (void)bench_try_method(&j->all, m, way, coarsest_of(j, system, i, m), &j->ladders);
        if (strcmp(j->horizon, "short") == 0)
            j->coarsest[system][i] = bench_coarsest(&j->all, name, way.retraction, resolved);
    }
    for (int i = 0; j->s->peers != NULL && i < MOST_PEERS && j->s->peers[i] != NULL; i++) {
        const bench_peer *peer = j->s->peers[i];
        const int first = strcmp(j->horizon, "short") == 0;
        bench_tell(j->s, "methods: %s, T = %g: %s", m->label, j->T, peer->name);
        bench_try_peer(&j->all, m, peer, first ? 0 : j->loosest[system][i], &j->ladders);
        if (first) j->loosest[system][i] = bench_coarsest(&j->all, peer->name, "", resolved);
    }
    bench_tell(j->s, "methods: %s, T = %g: %d ladders' points, timed in turn", m->label, j->T, j->all.count);
    bench_time_trials(j->r, &j->all);
    return 0;
}

static void begin_references(const job *j)
{
    bench_table(j->r, "references", "the reference for the true motion, and its last change when its step was halved");
    bench_column(j->r, "system", "");
    bench_column(j->r, "T", "%g");
    bench_column(j->r, "reference", "");
    bench_column(j->r, "change", "%.1e");
}

/* The results for a motion over a horizon, kept until its table is due: trials are dropped after each motion. */
typedef struct kept {
    bench_report *equal, *references; /* tables that grow with the points */
} kept;

static int measure(job *j, goal *goals, int count, kept *k)
{
    for (int i = 0; i < SYSTEMS; i++) {
        bench_motion m;
        if (bench_motion_open(&m, systems[i].name, NULL, systems[i].parameter, systems[i].value)) {
            bench_fail(j->r, "%s", m.message);
        } else if (climb(j, &m, i) == 0) {
            job beside = *j;
            write_points(j, &m);
            draw(j, &m, BENCH_OF_ERROR);
            count = find_goals(j, &m, goals, count);
            beside.r = k->references;
            bench_row(beside.r);
            bench_text(beside.r, m.label);
            bench_number(beside.r, m.T);
            bench_text(beside.r, m.reference);
            bench_number(beside.r, m.uncertain);
            beside.r = k->equal;
            if (strcmp(j->horizon, "long") == 0) {
                draw(j, &m, BENCH_OF_INVARIANTS);
                write_equal_cost(&beside, &m);
            }
        }
        bench_drop_trials(&j->all);
        bench_motion_close(&m);
    }
    return count;
}

static void begin_equal_cost(bench_report *r)
{
    bench_table(
        r, "equal cost",
        "the long run in the time of sem, exp, with the step of `liegrp run` or the nearest one: largest energy or "
        "constraint error on the way, error at T; by power laws between the points of a ladder");
    bench_column(r, "system", "");
    bench_column(r, "ms", "%.4g");
    bench_column(r, "method", "");
    bench_column(r, "retraction", "");
    bench_column(r, "energy, constraint", "%.1e");
    bench_column(r, "error", "%.1e");
}

static void measure_all(job *j, goal *goals, kept *k)
{
    const int quick = j->s->quick;
    job references = *j;
    int count = 0;
    references.r = k->references;
    begin_references(&references);
    begin_equal_cost(k->equal);
    j->horizon = "short", j->T = quick ? 0.5 : 10;
    j->ladders = quick ? (bench_ladders){2, 2, 0.05, 0.05} : (bench_ladders){12, 11, 0.02, 0.02};
    begin_points(j);
    count = measure(j, goals, count, k);
    j->horizon = "long", j->T = quick ? 2 : 1000;
    j->ladders = quick ? (bench_ladders){1, 1, 0.05, 0.05} : (bench_ladders){8, 11, 0.08, 0.25};
    begin_points(j);
    count = measure(j, goals, count, k);
    bench_report_append(j->r, k->equal);
    bench_report_append(j->r, k->references);
    write_goals(j, goals, count);
    if (j->s->peers != NULL) summarise(j, goals, count);
    bench_say(
        j->r,
        "Ladders: halved steps, and tolerances (relative and absolute) 1e-3, 1e-4, ...; in the long run both begin "
        "with the largest that has an error of at most %g at the end of the short one. A run that takes "
        "longer than %g s (a peer's: %g s) ends its ladder. Costs between points by power laws. "
        "chaplygin-sphere rolls on a table at rest.",
        resolved, j->ladders.seconds, j->ladders.peer_seconds);
}

void bench_methods(bench_report *r, const bench_settings *s)
{
    job j = {.r = r, .s = s};
    kept k = {bench_report_begin("", s->quick), bench_report_begin("", s->quick)};
    goal *goals = calloc(GOALS, sizeof *goals);
    j.all.trial = calloc(BENCH_TRIALS, sizeof *j.all.trial);
    bench_begin(r, s, 3);
    for (int i = 0; s->peers != NULL && s->peers[i] != NULL; i++)
        bench_report_version(r, s->peers[i]->name, s->peers[i]->version);
    if (goals != NULL && j.all.trial != NULL && k.equal != NULL && k.references != NULL) {
        measure_all(&j, goals, &k);
    } else {
        bench_fail(r, "out of memory");
    }
    bench_report_end(k.equal), bench_report_end(k.references);
    free(goals);
    free(j.all.trial);
}
