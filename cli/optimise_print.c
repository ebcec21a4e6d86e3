/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of an optimum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/print.h"
#include "cli/lib/terminal.h"
#include "cli/optimise.h"

/* Failures --------------------------------------------------------------------------------------------------------- */

/* "3 (component 3 of the momentum)", or the 3 of "3 must hold", becomes the name of a column; returns what follows.
 * NULL: there is no row of the problem here. */
static const char *row_of(const optimise_job *j, const char *text, char *name, size_t room)
{
    static const char *const kinds[] = {" (component ", " (position ", " (velocity "};
    char *end;
    const long row = strtol(text, &end, 10) - 1;
    const char *close = strchr(text, ')');
    const int holds = strncmp(end, " must hold", strlen(" must hold")) == 0;
    int known = 0;
    for (int i = 0; i < 3; i++) known |= strncmp(end, kinds[i], strlen(kinds[i])) == 0;
    if (end == text || !(holds || (known && close != NULL)) || row < 0 || row >= 2 * j->n) return NULL;
    optimise_row_name(j, (int)row, name, room);
    return holds ? end : close + 1;
}

/* What replaces the text that begins here, and the rest behind it: rows of the problem are columns, options have other
 * names, and names of functions go. NULL: the text stays. */
static const char *word_of(const optimise_job *j, const char *text, char *name, size_t room)
{
    const char *const other = j->guess == NULL ? "name a target that is nearer; --guess rest leads to none either"
                              : strcmp(j->guess, "rest") == 0 ? "give --guess line"
                                                              : "give --guess rest";
    const struct {
        const char *theirs, *ours;
    } words[] = {{"give another guess", j->closes ? "give another --swing, --period or --init" : other},
                 {"target_g, the displacement of a motion that closes,", "what --moves says"},
                 {"give configurations", "name a target that is nearer"},
                 {"give a guess whose controls do, or leave it free", "leave it free"},
                 {"allow more iterations", "allow more --iterations"},
                 {"take a smaller step, or allow halvings of a step", "allow more --steps"}};
    name[0] = '\0';
    if (*text >= '0' && *text <= '9') return row_of(j, text, name, room);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(text, words[i].theirs, strlen(words[i].theirs)) != 0) continue;
        snprintf(name, room, "%s", words[i].ours);
        return text + strlen(words[i].theirs);
    }
    const char *behind = cli_behind_function(text);
    return behind != text ? behind : NULL;
}

void optimise_print_failure(const optimise_job *j, lg_status status, const char *message)
{
    char text[2 * LG_MESSAGE_SIZE] = "", name[200];
    size_t used = 0;
    if (message[0] == '\0') message = lg_status_text(status);
    while (*message != '\0' && used + sizeof name < sizeof text) {
        const char *next = word_of(j, message, name, sizeof name);
        if (next != NULL)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", name);
        else
            text[used++] = *message, text[used] = '\0';
        message = next != NULL ? next : message + 1;
    }
    char by[40];
    snprintf(by, sizeof by, "liegrp %s", j->run.command);
    cli_mark(stderr, CLI_ERROR, by);
    cli_print(stderr, "%s\n", text);
}

/* Figures ---------------------------------------------------------------------------------------------------------- */

/* A control is at its limit if it is nearer than this share of its range, or of the limit: the iteration keeps it
 * inside. */
static const double AT_LIMIT = 1e-3;

static void print_control(const optimise_job *j, int i)
{
    const double *u = lg_optimum_controls(j->o);
    const int steps = lg_optimum_steps(j->o) * ((int)j->degree + 1);
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
    if (held > 0) cli_print(stderr, ", at its limits in %d of %d %s", held, steps, j->degree > 0 ? "nodes" : "steps");
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
    if (j->again) cli_print(stderr, "guess: rest; the line to the target led to no optimum\n");
    if (f->end_rank < f->end_count)
        cli_print(stderr, "end: %d of %d conditions are independent, the others follow from them\n", f->end_rank,
                  f->end_count);
    if (j->time_high != 0 && (f->time - j->time_low < AT_LIMIT * (j->time_high - j->time_low) ||
                              j->time_high - f->time < AT_LIMIT * (j->time_high - j->time_low)))
        cli_print(stderr, "time: at its bound; with other bounds the optimum is another one\n");
    for (int i = 0; i < j->c; i++) print_control(j, i);
    optimise_print_path(j);
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
