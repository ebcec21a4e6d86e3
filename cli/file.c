/* SPDX-License-Identifier: BSD-3-Clause */
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

int cli_complain(const char *command, const char *what, const char *why)
{
    fprintf(stderr, "liegrp %s: %s: %s\n", command, what, why);
    return CLI_WRONG_USE;
}

char *cli_part_name(const char *file)
{
    const size_t room = strlen(file) + sizeof "./.part";
    char *part = malloc(room);
    if (part != NULL) snprintf(part, room, "%s%s.part", file[0] == '/' ? "" : "./", file);
    return part;
}

int cli_file_possible(const char *command, const char *file)
{
    char *part = cli_part_name(file);
    FILE *f = part != NULL ? fopen(part, "w") : NULL;
    const int status = f != NULL ? CLI_WELL : cli_complain(command, file, strerror(errno));
    if (f != NULL) {
        fclose(f);
        (void)remove(part);
    }
    free(part);
    return status;
}

int cli_file_write(const char *command, const char *file, cli_writer write, const void *context)
{
    char *part = cli_part_name(file);
    FILE *f = part != NULL ? fopen(part, "w") : NULL;
    int status = CLI_WELL, failed;
    if (f == NULL) {
        status = cli_complain(command, file, strerror(errno));
        free(part);
        return status;
    }
    write(f, context);
    failed = ferror(f);
    if (fclose(f) != 0 || failed || rename(part, file) != 0) status = cli_complain(command, file, strerror(errno));
    if (status != CLI_WELL) (void)remove(part);
    free(part);
    return status;
}
