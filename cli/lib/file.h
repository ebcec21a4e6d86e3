/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a command writes: atomically (base/file.h). */
#ifndef LIEGRP_CLI_FILE_H
#define LIEGRP_CLI_FILE_H

#include <stdio.h>

#include <liegrp/run/view.h>

/* Can the file be written there? Call it before a long run. 0, or the exit status after a message. */
int cli_file_possible(const char *command, const char *file);
/* Writes a file through write(). 0, or the exit status after a message; an existing file is then unchanged. */
int cli_file_write(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                   const void *context);

/* lg_view_write(); no signal leaves a partial file. */
lg_status cli_file_write_view(const char *file, lg_view *view, const char *page);

/* The words of a command, and the files that it reads (NULL: none). */
typedef struct cli_words {
    int argc;
    char **argv;
    const char *const *inputs;
    int count; /* of these */
} cli_words;

/* As cli_file_write(), and writes the provenance of the table, library and words, to its sidecar FILE.json. Without
 * words (NULL) there is no sidecar, and an old one is deleted. A FILE.json that is no sidecar is kept. */
int cli_file_write_table(const char *command, const char *file, const cli_words *words,
                         void (*write)(FILE *f, const void *context), const void *context);

/* A file that a command names, and the option that names it, "--plot". */
typedef struct cli_named_file {
    const char *option, *file; /* file NULL: not given; "-": standard output */
} cli_named_file;

/* Refuses two names of one file, and a file that standard output or standard error is redirected to, under any
 * spelling. 0, or the exit status after a message. */
int cli_files_differ(const char *command, const cli_named_file *files, int count);

#endif
