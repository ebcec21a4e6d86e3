/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <liegrp/liegrp.h>

#include "cli/lib/options.h"
#include "run/model_private.h"

#define ENTRY       "liegrp_system"
#define DECLARATION "const lg_model_definition *" ENTRY "(void)"

typedef const lg_model_definition *(*entry)(void);

const char *cli_system_file(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 3 && strcmp(name + length - 3, ".so") == 0) ? name : NULL;
}

/* The file ------------------------------------------------------------------------------------------------------- */

/* The file as dlopen() needs it: a path, not the name of a system library. */
static int find_file(const char *command, const char *name, char *path, size_t room)
{
    struct stat about;
    const int length = snprintf(path, room, "%s%s", strchr(name, '/') != NULL ? "" : "./", name);
    if (length < 0 || (size_t)length >= room) return cli_wrong(command, "the name of the file is too long: %s", name);
    if (stat(path, &about) != 0) {
        if (errno != ENOENT) return cli_wrong(command, "%s: %s", path, strerror(errno));
        return cli_wrong(command,
                         "there is no file %s; a name that contains '/' or ends in .so is a shared object "
                         "of your own, for the others see liegrp list systems",
                         path);
    }
    if (!S_ISREG(about.st_mode)) return cli_wrong(command, "%s is not a file; name a shared object", path);
    return CLI_WELL;
}

/* The message of dlerror(), without a path at its beginning. */
static const char *load_error(const char *path)
{
    const size_t length = strlen(path);
    const char *text = dlerror();
    if (text == NULL) return "unknown error";
    return strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0 ? text + length + 2 : text;
}

static int load(const char *command, const char *path, entry *function)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbol;
    if (library == NULL) {
        return cli_wrong(
            command,
            "%s cannot be loaded: %s; it must be a shared object, compiled as in cc -shared -fPIC my_system.c "
            "-o my-system.so",
            path, load_error(path));
    }
    symbol = dlsym(library, ENTRY);
    if (symbol == NULL) {
        return cli_wrong(command,
                         "%s does not define " ENTRY "; define and export " DECLARATION
                         " (not static; in C++ extern \"C\"), which returns the definition of your system",
                         path);
    }
    memcpy(function, &symbol, sizeof symbol); /* ISO C has no cast from an object to a function */
    return CLI_WELL;
}

/* The definition: what lg_model_create() does not check, since a program tests its own ----------------------------- */

static int wrong_parameter(const char *command, const char *path, const lg_model_definition *d, int i)
{
    const lg_parameter *q = &d->parameters[i];
    const int beyond =
        q->open ? !(q->value > q->low && q->value < q->high) : !(q->value >= q->low && q->value <= q->high);
    if (q->name == NULL || q->name[0] == '\0' || strchr(q->name, '=') != NULL) {
        return cli_wrong(command, "%s: parameter %d of %d needs a name without '='; is parameter_count right?", path,
                         i + 1, d->parameter_count);
    }
    for (int k = 0; k < i; k++) {
        if (strcmp(d->parameters[k].name, q->name) != 0) continue;
        return cli_wrong(command, "%s: parameters %d and %d are both named '%s'", path, k + 1, i + 1, q->name);
    }
    if (!isfinite(q->value) || beyond) {
        return cli_wrong(command,
                         "%s: the default of parameter '%s' is %g, outside its range from %g to %g%s; for a "
                         "parameter without bounds set low and high to -INFINITY and INFINITY",
                         path, q->name, q->value, q->low, q->high, q->open ? ", bounds not allowed" : "");
    }
    return CLI_WELL;
}

static int wrong_lists(const char *command, const char *path, const lg_model_definition *d)
{
    for (int i = 0; d->parameters != NULL && i < d->parameter_count; i++) {
        const int status = wrong_parameter(command, path, d, i);
        if (status != CLI_WELL) return status;
    }
    for (int i = 0; d->invariants != NULL && i < d->invariant_count; i++) {
        const lg_invariant *v = &d->invariants[i];
        if (v->name != NULL && v->name[0] != '\0' && v->value != NULL) continue;
        return cli_wrong(command, "%s: invariant %d of %d needs a name and a value(); is invariant_count right?", path,
                         i + 1, d->invariant_count);
    }
    for (int i = 0; d->factors != NULL && i < d->factor_count; i++) {
        if (d->factors[i] != NULL && d->factors[i]() != NULL) continue;
        return cli_wrong(command, "%s: factor %d of %d is not a group; is factor_count right?", path, i + 1,
                         d->factor_count);
    }
    return CLI_WELL;
}

static int open_file(const char *command, const char *name, lg_model **M)
{
    char path[4096];
    entry function = NULL;
    static const lg_sized kind = LG_MODEL_DEFINITION_KIND;
    const lg_model_definition *d;
    lg_error e = {LG_OK, ""};
    int status = find_file(command, name, path, sizeof path);
    if (status == CLI_WELL) status = load(command, path, &function);
    if (status != CLI_WELL) return status;
    d = function();
    if (d == NULL) {
        return cli_wrong(command, "%s: " ENTRY "() returned NULL; it must return the definition of your system", path);
    }
    if (lg_sized_check(&kind, d->size, NULL, &e) != LG_OK) return cli_wrong(command, "%s: %s", path, e.message);
    status = wrong_lists(command, path, d);
    if (status != CLI_WELL || lg_model_create(M, d) == LG_OK) return status;
    return cli_wrong(command, "%s: %s", path, lg_model_message(*M));
}

int cli_open_system(const char *command, const char *name, lg_model **M)
{
    if (cli_system_file(name) != NULL) return open_file(command, name, M);
    if (lg_catalog_definition(name) == NULL) return cli_unknown(command, "system", name, lg_catalog_names());
    return lg_catalog_create(M, name) == LG_OK ? CLI_WELL : cli_wrong(command, "%s", lg_model_message(*M));
}
