/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found: values with their errors, and the data beside the model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/identify.h"
#include "cli/lib/file.h"
#include "cli/lib/print.h"
#include "cli/lib/text.h"

/* The unit of an unknown; "": unknown, or a pure number. */
static const char *unit_of(const identify_job *j, int k)
{
    const lg_unknown *u = &j->unknown[k];
    const lg_column *column = lg_model_column(j->run.S.M, lg_model_column_find(j->run.S.M, u->name));
    const char *unit = !u->initial      ? j->run.S.kind->parameter_unit(&j->run.S, u->name)
                       : column != NULL ? column->unit
                                        : NULL;
    return unit != NULL && strcmp(unit, "-") != 0 ? unit : "";
}

static void print_values(const identify_job *j, const double *covariance)
{
    int wide = 0;
    for (int k = 0; k < j->P; k++) wide = wide > (int)strlen(j->name[k]) ? wide : (int)strlen(j->name[k]);
    for (int k = 0; k < j->P; k++) {
        const double error = sqrt(covariance[k * j->P + k]);
        char guess[32], value[32];
        snprintf(value, sizeof value, "%.10g", lg_identification_values(j->id)[k]);
        snprintf(guess, sizeof guess, "%.6g", j->guess[k]);
        cli_print(stdout, "  %-*s = %-14s +- %-9.2g %-8s (guess %s)\n", wide, j->name[k], value, error, unit_of(j, k),
                  guess);
    }
}

void identify_print(const identify_job *j)
{
    lg_identification_figures f;
    double *covariance = malloc((size_t)j->P * (size_t)j->P * sizeof *covariance);
    lg_status_ignore(lg_identification_read(j->id, &f, sizeof f));
    cli_print(stdout, "%s, %s, h = %g: %d unknown%s, %lld samples of", j->run.S.name, j->run.o.motion.method,
              j->run.o.motion.step, j->P, j->P == 1 ? "" : "s", (long long)j->data.count);
    for (int i = 0; i < j->C; i++) cli_print(stdout, "%s %s", i > 0 ? "," : "", j->column[i]);
    cli_print(stdout, "; %d iteration%s\n", f.iterations, f.iterations == 1 ? "" : "s");
    if (covariance != NULL && lg_identification_covariance(j->id, covariance) == LG_OK) print_values(j, covariance);
    const int freedom = f.measurements - f.rank;
    if (j->deviation != NULL)
        cli_print(stdout, "chi^2 = %.6g of %d degrees of freedom: residuals are %.3g times sigma\n", f.chi2, freedom,
                  f.scatter);
    else
        cli_print(stdout, "residuals: standard deviation %.3g, %d degrees of freedom\n", f.scatter, freedom);
    if (j->unused[0] != '\0') cli_print(stdout, "columns that are not compared: %s\n", j->unused);
    free(covariance);
}

/* --output ----------------------------------------------------------------------------------------------------------
 */

static void write_rows(FILE *f, const void *context)
{
    const identify_job *j = context;
    const double *model = lg_identification_predicted(j->id);
    char number[TEXT_NUMBER];
    fputc('t', f);
    for (int i = 0; i < j->C; i++) {
        char name[200];
        fputc(',', f);
        text_csv(f, j->column[i]);
        fputc(',', f);
        snprintf(name, sizeof name, "%.180s_model", j->column[i]);
        text_csv(f, name);
    }
    for (int64_t s = 0; s < j->data.count; s++) {
        fprintf(f, "\n%s", text_number(number, j->data.times[s]));
        for (int i = 0; i < j->C; i++) {
            fprintf(f, ",%s", text_number(number, j->values[s * j->C + i]));
            fprintf(f, ",%s", text_number(number, model[s * j->C + i]));
        }
    }
    fputc('\n', f);
}

int identify_write(const identify_job *j)
{
    return j->output != NULL ? cli_file_write(j->run.command, j->output, write_rows, j) : CLI_WELL;
}
