/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checkpoint.h"
#include "base/file.h"
#include "cli/lib/options.h"

int cli_checkpoint_every(cli_checkpoint *c, const char *command, const char *value)
{
    if (cli_number(value, &c->every) && c->every > 0) return CLI_WELL;
    return cli_wrong(command, "--checkpoint-every must be a number of seconds above 0, got '%s'", value);
}

int cli_checkpoint_settle(const cli_checkpoint *c, const char *command, const char *output)
{
    if (c->file == NULL && (c->resume || c->every > 0))
        return cli_wrong(command, "--%s needs --checkpoint FILE", c->resume ? "resume" : "checkpoint-every");
    if (c->file == NULL) return CLI_WELL;
    if (strcmp(c->file, "-") == 0 || lg_file_names_device(c->file))
        return cli_wrong(command, "--checkpoint %s: a checkpoint needs a file", c->file);
    if (output != NULL && (strcmp(output, "-") == 0 || lg_file_names_device(output)))
        return cli_wrong(command, "--checkpoint: rows that went to %s cannot be taken up again; give --output a file",
                         strcmp(output, "-") == 0 ? "standard output" : output);
    return CLI_WELL;
}

/* The sum of the contents of a system's files. */
static uint64_t sum_of_files(const cli_system *S, const char *name)
{
    uint64_t sum = LG_SUM;
    const char *file;
    for (int i = 0; (file = cli_system_input(S, name, i)) != NULL; i++) {
        void *bytes = NULL;
        size_t size = 0;
        if (lg_file_read(file, LG_FILE_MOST, &bytes, &size, NULL) == LG_OK && bytes != NULL)
            sum = lg_sum(sum, bytes, size);
        free(bytes);
    }
    return sum;
}

static uint64_t sum_of_controls(const cli_controls *c)
{
    uint64_t sum = LG_SUM;
    for (int i = 0; c->of != NULL && i < c->count; i++) {
        const size_t bytes = (size_t)c->of[i].table.count * sizeof(double);
        sum = lg_sum(sum, &c->of[i].given, sizeof c->of[i].given);
        if (bytes == 0) continue;
        sum = lg_sum(sum, c->of[i].table.times, bytes);
        sum = lg_sum(sum, c->of[i].table.values, bytes);
    }
    return sum;
}

void cli_checkpoint_label(cli_checkpoint *c, const cli_system *S, const char *name, const cli_controls *controls,
                          const char *text)
{
    snprintf(c->label, sizeof c->label, "file %016" PRIx64 ", controls %016" PRIx64 ", picture %016" PRIx64,
             sum_of_files(S, name), sum_of_controls(controls), text != NULL ? lg_sum(LG_SUM, text, strlen(text)) : 0);
}

void cli_checkpoint_keep(cli_checkpoint *c, void *at, size_t bytes)
{
    if (c->count < CLI_MEMORY) c->memory[c->count++] = (lg_run_memory){at, bytes};
}
