/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of an optimum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/print.h"
#include "cli/lib/terminal.h"
#include "cli/optimise.h"

/* Failures ----------------------------------------------------------------------------------------------------------
 */

/* "3 (component 3 of the momentum)" at `text` becomes the name of the row; returns what follows, or NULL: there is no
 * row here. */
static const char *print_row(const optimise_job *j, const char *text)
{
    static const char *const kinds[] = {" (component ", " (position ", " (velocity "};
    char *end, name[200];
    const long row = strtol(text, &end, 10) - 1;
    const char *close = strchr(text, ')');
    int known = 0;
    for (int i = 0; i < 3; i++) known |= strncmp(end, kinds[i], strlen(kinds[i])) == 0;
    if (end == text || !known || close == NULL || row < 0 || row >= 2 * j->n) return NULL;
    optimise_row_name(j, (int)row, name, sizeof name);
    cli_print(stderr, "%s", name);
    return close + 1;
}

void optimise_print_failure(const optimise_job *j, lg_status status, const char *message)
{
    const int rests = j->guess != NULL && strcmp(j->guess, "rest") == 0;
    const struct {
        const char *theirs, *ours;
    } words[] = {{"give another guess", rests ? "give --guess line" : "give --guess rest"},
                 {"give configurations", "name a target that is nearer"},
                 {"give a guess whose controls do, or leave it free", "leave it free"},
                 {"allow more iterations", "allow more --iterations"}};
    if (message[0] == '\0') message = lg_status_text(status);
    if (strncmp(message, "lg_optimum", 10) == 0 && strstr(message, ": ") != NULL) message = strstr(message, ": ") + 2;
    cli_mark(stderr, CLI_ERROR, "liegrp optimise");
    while (*message != '\0') {
        const char *next = *message >= '0' && *message <= '9' ? print_row(j, message) : NULL;
        for (size_t i = 0; next == NULL && i < sizeof words / sizeof words[0]; i++) {
            const size_t length = strlen(words[i].theirs);
            if (strncmp(message, words[i].theirs, length) != 0) continue;
            cli_print(stderr, "%s", words[i].ours);
            next = message + length;
        }
        if (next == NULL) cli_print(stderr, "%c", *message);
        message = next != NULL ? next : message + 1;
    }
    fputc('\n', stderr);
}

/* Figures -----------------------------------------------------------------------------------------------------------
 */

/* A control is at its limit if it is nearer than this share of its range, or of the limit: the iteration keeps it
 * inside. */
static const double AT_LIMIT = 1e-3;

static void print_control(const optimise_job *j, int i)
{
    const double *u = lg_optimum_controls(j->o);
    const int steps = lg_optimum_steps(j->o);
    double low = u[i], high = u[i], range = j->high[i] - j->low[i];
    int held = 0;
    cli_column c;
    cli_control_of(&c, &j->run.S, i);
    if (!isfinite(range)) range = fmax(1, isfinite(j->low[i]) ? fabs(j->low[i]) : fabs(j->high[i]));
    for (int k = 0; k < steps; k++) {
        const double at = u[k * j->c + i];
        low = fmin(low, at), high = fmax(high, at);
        held += at - j->low[i] < AT_LIMIT * range || j->high[i] - at < AT_LIMIT * range;
    }
    cli_print(stderr, "control %s: from %.6g to %.6g%s%s", c.name, low, high, strcmp(c.unit, "-") == 0 ? "" : " ",
              strcmp(c.unit, "-") == 0 ? "" : c.unit);
    if (held > 0) cli_print(stderr, ", at its limits in %d of %d steps", held, steps);
    fputc('\n', stderr);
}

void optimise_print(const optimise_job *j)
{
    const lg_optimum_figures *f = &j->f;
    const int steps = lg_optimum_steps(j->o);
    cli_print(stderr,
              "optimum: cost %.10g after %d iteration%s, t = %.10g in %d step%s; steps hold to %.2g, the end to %.2g\n",
              f->cost, f->iterations, f->iterations == 1 ? "" : "s", f->time, steps, steps == 1 ? "" : "s", f->defect,
              f->end);
    if (f->end_rank < f->end_count)
        cli_print(stderr, "end: %d of %d conditions are independent, the others follow from them\n", f->end_rank,
                  f->end_count);
    if (j->time_high != 0 && (f->time - j->time_low < AT_LIMIT * (j->time_high - j->time_low) ||
                              j->time_high - f->time < AT_LIMIT * (j->time_high - j->time_low)))
        cli_print(stderr, "time: at its bound; with other bounds the optimum is another one\n");
    for (int i = 0; i < j->c; i++) print_control(j, i);
}

/* A run repeats the steps of the optimum; where the motion is unstable, its rounding grows. */
void optimise_print_end(const optimise_job *j)
{
    static const double CLOSE = 1e-6;
    if (isnan(j->missed)) return;
    cli_print(stderr, "target: missed by %.2g", j->missed);
    if (!j->moving) cli_print(stderr, ", velocities by %.2g", j->speed);
    fputc('\n', stderr);
    if (j->missed <= CLOSE && j->speed <= CLOSE) return;
    cli_mark(stderr, CLI_WARNING, "warning");
    fputs("the run with these controls ends beside the target: the motion is unstable, and amplifies rounding. "
          "Real controls need feedback; --precision 1e-12 may help here\n",
          stderr);
}
