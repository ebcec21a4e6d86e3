/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/print.h"
#include "cli/lib/terminal.h"

static void print_duration(double seconds)
{
    if (seconds < 1e-6)
        fprintf(stderr, "%.0f ns", 1e9 * seconds);
    else if (seconds < 1e-3)
        fprintf(stderr, "%.3g us", 1e6 * seconds);
    else if (seconds < 1)
        fprintf(stderr, "%.3g ms", 1e3 * seconds);
    else
        fprintf(stderr, "%.4g s", seconds);
}

/* ", tolerance X: steps of A to B, N rows every H to t = T in ". */
static void print_found(const lg_motion_options *o, const lg_run_result *f)
{
    fprintf(stderr, "tolerance %g: ", o->tolerance);
    if (isfinite(f->found_shortest)) fprintf(stderr, "steps of %.3g to %.3g, ", f->found_shortest, f->found_longest);
    cli_print(stderr, "%" PRId64 " state%s every %.10g to t = %.10g in ", f->steps, f->steps == 1 ? "" : "s", o->step,
              f->time);
}

static void print_steps(const cli_system *S, const lg_motion_options *o, const lg_run_result *f)
{
    const int maps = S->R == NULL || o->retraction != NULL;
    cli_print(stderr, "%s, %s, %s%s", S->name, o->method, maps ? cli_retraction(o) : "", maps ? ", " : "");
    if (o->tolerance != 0)
        print_found(o, f);
    else
        cli_print(stderr, "h = %.10g: %" PRId64 " step%s to t = %.10g in ", o->step, f->steps, f->steps == 1 ? "" : "s",
                  f->time);
    print_duration(f->seconds);
    if (f->steps > 0) {
        fputs(", ", stderr);
        print_duration(f->seconds / (double)f->steps);
        fputs(o->tolerance != 0 ? " a state" : " a step", stderr);
        if (f->iterations != NULL && f->iterations_most > 0) {
            cli_print(stderr, "; %s: %.1f on average, at most %d", f->iterations, f->iterations_mean,
                      f->iterations_most);
        }
    }
    fputc('\n', stderr);
}

/* Prints ", slope S +- the half width of its 95 % confidence interval", as far as they are known. */
static void print_slope(double slope, double half)
{
    if (isnan(slope)) return;
    fprintf(stderr, ", slope %.3g", slope);
    if (isfinite(half)) fprintf(stderr, " +- %.2g", half);
    fputs(" per unit of time", stderr);
}

/* The kinds of work in it. */
static void print_account(const cli_system *S, const lg_account *a)
{
    const struct {
        const char *name;
        double work;
    } kinds[] = {{"motors", a->motors},
                 {"drives", a->drives},
                 {"servos", a->servos},
                 {"dampers", a->dampers},
                 {S->R != NULL ? "moving ground" : "drift and time-dependence", a->ground},
                 {"forces", a->wrench},
                 {"dry friction", -a->friction},
                 {"landings", -a->landing},
                 {"impacts", -a->impact_normal - a->impact_friction},
                 {"projections", -a->node}};
    const char *before = "; work of ";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].work == 0) continue;
        cli_print(stderr, "%s%s %.6g", before, kinds[i].name, kinds[i].work);
        before = ", ";
    }
}

/* The GNI has two momenta at a node, all other methods one. If something does work, the balance is more informative
 * than the change. */
static void print_energy(const cli_system *S, const lg_run_result *f, const lg_account *account)
{
    const double change = fmax(f->energy_high - f->energy_first, f->energy_first - f->energy_low);
    const int two = isfinite(f->energy_post_drift);
    cli_print(stderr, "energy %s: from %.12g, in [%.12g, %.12g], largest change %.3g", two ? "H(p~)" : "H",
              f->energy_first, f->energy_low, f->energy_high, change);
    print_slope(f->energy_slope, f->energy_slope_half);
    fputc('\n', stderr);
    if (two) fprintf(stderr, "energy H(p^-): largest relative change %.3g\n", f->energy_post_drift);
    if (isfinite(f->balance) && f->work != 0) {
        cli_print(stderr, "energy balance: largest |H - H_0 - account| = %.3g", f->balance);
        print_account(S, account);
        fputc('\n', stderr);
    }
}

/* Growth of the normal part signals the parasitic mode if the part is large compared with its earlier values and with
 * the energy. The mode may have decayed before the last tenth; |p^- - p~| also contains (h/2) A^T lambda, hence the
 * larger bound there. */
static int parasitic(const lg_run_result *f, double most)
{
    const double energy = fmax(fabs(f->energy_first), fmax(fabs(f->energy_low), fabs(f->energy_high)));
    return (f->normal_last > 10 * f->normal_first && f->normal_last > 1e-3 * sqrt(energy)) ||
           (most > 10 * f->normal_first && most > 0.3 * sqrt(energy));
}

static void print_normal(const lg_motion_options *o, const lg_run_result *f, double most)
{
    if (!isfinite(f->normal_first) || !isfinite(f->normal_last)) return;
    fprintf(stderr, "normal part |p^- - p~|: at most %.3g in the first tenth, %.3g in the last, %.3g in all rows\n",
            f->normal_first, f->normal_last, most);
    if (!parasitic(f, most)) return;
    cli_mark(stderr, CLI_WARNING, "warning");
    cli_print(stderr,
              "the normal part has grown: this is the parasitic mode of the method; do not trust the end of "
              "the run.\nThe method sem has no such mode; a smaller step or a shorter time helps%s.\n",
              (o->start == LG_START_REACTION) ? "" : ", and so does --start reaction");
}

/* The constraints that the velocity residual is made of. */
static const char *rows_of(const cli_system *S)
{
    if (S->R != NULL) return "slip |A xi - drift|";
    const lg_model_definition *d = lg_model_describe(S->M);
    if (d->callbacks.holonomic_count == 0) return "|A (xi - Y)|";
    return d->constraint_count > 0 ? "|A (xi - Y)|, |d phi xi + phi_t|" : "|d phi xi + phi_t|";
}

/* A number of which two digits matter; 200 rather than 2e+02. */
static void print_rough(const char *before, double x, const char *after)
{
    cli_print(stderr, x >= 100 && x < 1e6 ? "%s%.0f%s" : "%s%.2g%s", before, x, after);
}

/* Prints one of the errors, NaN not at all. */
static void print_error(int *count, double error, double unit, const char *what)
{
    if (isnan(error)) return;
    error = error < 1e-13 ? 0 : error * unit;
    print_rough((*count)++ > 0 ? ", " : " ", error, what);
}

/* The error of the trajectory: measured where all steps were compared with half steps, else a lower bound. */
static void print_errors(const lg_run_result *f)
{
    int count = 0;
    if (f->error_steps == 0 || (isnan(f->error_rotation) && isnan(f->error_position) && isnan(f->error_velocity)))
        return;
    if (!(fmax(f->error_rotation, fmax(f->error_position, f->error_velocity)) > 1e-12)) {
        fputs("accuracy: error of the trajectory at the level of round-off\n", stderr);
        return;
    }
    cli_print(stderr, "accuracy: error of the trajectory %s",
              f->error_steps < f->steps || !isnan(f->error_lost) ? "at least" : "about");
    print_error(&count, f->error_rotation, 1, " rad");
    print_error(&count, f->error_position, 1, " in position");
    print_error(&count, f->error_velocity, 100, " % in velocity");
    if (f->error_parts == 1)
        fputs(" (by a tolerance 1000 times smaller", stderr);
    else if (f->error_parts == 2)
        fputs(" (by half steps", stderr);
    else
        fprintf(stderr, " (by steps of h/%" PRId64, f->error_parts);
    if (f->error_steps < f->steps) fprintf(stderr, " over the first %" PRId64 " steps", f->error_steps);
    fputc(')', stderr);
    if (!isnan(f->error_lost)) fprintf(stderr, "; above a tenth of the motion from t = %.4g on", f->error_lost);
    fputc('\n', stderr);
}

static void print_resolution(const lg_run_result *f)
{
    if (f->resolved) return;
    cli_mark(stderr, CLI_WARNING, "warning");
    fprintf(stderr, "the step does not resolve the motion: at t = %.4g smaller steps ", f->resolution_time);
    if (isfinite(f->resolution))
        print_rough("differ from it by ", 100 * f->resolution, " % of the motion in a step");
    else
        fputs("fail", stderr);
    if (f->turn > 1) print_rough(", and a step turns by ", f->turn, " rad");
    fputs("; take a smaller one\n", stderr);
}

static void print_remarks(const cli_system *S)
{
    static const char mark[] = "warning: ";
    const char *remark;
    for (int i = 0; (remark = cli_run_remark(S, i)) != NULL; i++) {
        const int warns = strncmp(remark, mark, strlen(mark)) == 0;
        if (warns) cli_mark(stderr, CLI_WARNING, "warning");
        cli_print(stderr, "%s\n", warns ? remark + strlen(mark) : remark);
    }
}

void cli_summary(const cli_system *S, const lg_motion_options *o, const lg_run_result *f, const lg_account *account,
                 double normal_most)
{
    print_steps(S, o, f);
    print_energy(S, f, account);
    print_errors(f);
    print_resolution(f);
    print_remarks(S);
    if (!S->kind->constrained(S)) return;
    if (S->R != NULL)
        fprintf(stderr, "joints: largest gap |phi| = %.3g\n", f->holonomic);
    else if (lg_model_describe(S->M)->callbacks.holonomic_count > 0)
        fprintf(stderr, "positions: largest |phi| = %.3g\n", f->holonomic);
    cli_print(stderr, "constraints: largest %s = %.3g\n", rows_of(S), f->constraint);
    print_normal(o, f, normal_most);
}

/* The monitor and the probes ------------------------------------------------------------------------------------ */

static void print_quantity(const char *kind, const lg_monitor_quantity *q)
{
    cli_print(stderr, "  %s%s: ", kind, q->name);
    if (isnan(q->first)) {
        fputs("undefined at some of the samples\n", stderr);
        return;
    }
    fprintf(stderr, "from %.12g, largest deviation %.3g", q->first, q->deviation);
    if (!isnan(q->half)) print_slope(q->slope, q->half);
    fputc('\n', stderr);
}

static void print_growth(const lg_monitor_figures *f)
{
    if (isnan(f->normal_first)) return;
    fprintf(stderr, "  normal part |p^- - p~|: at most %.3g in the first tenth, %.3g in the last", f->normal_first,
            f->normal_last);
    if (isfinite(f->growth)) {
        fprintf(stderr, "; growth rate %.3g +- %.2g per unit of time", f->growth, f->growth_half);
    }
    if (isfinite(f->growth_predicted)) {
        fprintf(stderr, "; the linearisation at the end predicts %.3g", f->growth_predicted);
    }
    fputc('\n', stderr);
}

void cli_summary_monitor(const lg_monitor *m)
{
    lg_monitor_figures f = lg_monitor_figures_default();
    lg_monitor_quantity q;
    if (lg_monitor_read(m, &f) != LG_OK) return;
    cli_print(stderr, "monitor: %" PRId64 " sample%s, one every %" PRId64 " step%s\n", f.samples,
              f.samples == 1 ? "" : "s", f.every, f.every == 1 ? "" : "s");
    print_quantity("", &f.energy);
    for (int i = 0; i < f.invariants; i++) {
        if (lg_monitor_invariant(m, &q, i) == LG_OK) print_quantity("inv_", &q);
    }
    fprintf(stderr, "  residuals: velocities %.3g", f.constraint);
    if (!isnan(f.holonomic)) fprintf(stderr, ", positions %.3g", f.holonomic);
    if (!isnan(f.group)) fprintf(stderr, ", distance from the group %.3g", f.group);
    if (f.momentum_samples > 0) {
        fprintf(stderr, ", momentum equation %.3g (relative)\n", f.momentum);
    } else {
        cli_print(stderr, ", momentum equation: %s\n",
                  f.samples < 2 ? "no step was sampled" : "not known for this method and system");
    }
    print_growth(&f);
}

static void print_failed(lg_status status)
{
    cli_print(stderr, "not measured (%s)", lg_status_text(status));
}

int cli_probe(const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    cli_probes *q = context;
    q->reversibility_status = lg_diagnostics_reversibility(it, &q->reversibility, CLI_PROBE_STEPS);
    q->determinant_status = lg_diagnostics_determinant(it, &q->determinant);
    q->growth_status = lg_diagnostics_parasitic_growth(it, &q->growth, &q->multipliers);
    return 0;
}

void cli_summary_probes(const cli_probes *q)
{
    fprintf(stderr, "probe at the end: reversibility defect over %d steps ", CLI_PROBE_STEPS);
    if (q->reversibility_status == LG_OK) {
        fprintf(stderr, "%.3g", q->reversibility);
    } else {
        print_failed(q->reversibility_status);
    }
    fputs("; determinant of a step ", stderr);
    if (q->determinant_status == LG_OK) {
        fprintf(stderr, "%.12g", fabs(q->determinant) < 1e-12 ? 0 : q->determinant);
    } else {
        print_failed(q->determinant_status);
    }
    fputs("; parasitic growth rate", stderr);
    if (q->growth_status != LG_OK) {
        fputc(' ', stderr);
        print_failed(q->growth_status);
    } else if (q->multipliers == 0) {
        fputs(": no such mode", stderr);
    } else {
        cli_print(stderr, " %.6g per unit of time (%d multiplier%s)", q->growth, q->multipliers,
                  q->multipliers == 1 ? "" : "s");
    }
    fputc('\n', stderr);
}
