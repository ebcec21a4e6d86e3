/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr1 */
#include "cli/lib/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/lib/mechanism.h"
#include "run/model_private.h"

#define ENTRY       "liegrp_system"
#define DECLARATION "const lg_model_definition *" ENTRY "(void)"

typedef const lg_model_definition *(*entry)(void);

const char *cli_system_file(const char *name)
{
    const size_t length = strlen(name);
    if (strchr(name, '/') != NULL || (length > 3 && strcmp(name + length - 3, ".so") == 0)) return name;
    return cli_is_mechanism(name) && lg_gallery_index(name) < 0 ? name : NULL;
}

const char *cli_system_input(const cli_system *S, const char *name, int i)
{
    const char *own = cli_system_file(name);
    if (own == NULL || i == 0) return own;
    return S->R != NULL ? cli_mechanism_file(S->R, i - 1) : NULL;
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

/* 0: the name is that of a variable; calling it would end the process. Only glibc reports the kind of a symbol. */
static int is_function(void *symbol)
{
#ifdef __GLIBC__
    Dl_info about;
    void *found = NULL;
    if (dladdr1(symbol, &about, &found, RTLD_DL_SYMENT) == 0) return 0; /* one a thread: it is in no object */
    const ElfW(Sym) *named = found;
    if (named == NULL || about.dli_saddr != symbol)
        return 1; /* the target of an indirect function need not have a name */
    const int type = named->st_info & 0xf;
    return type != STT_OBJECT && type != STT_COMMON && type != STT_TLS;
#else
    return symbol != NULL;
#endif
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
    if (!is_function(symbol)) {
        return cli_wrong(command,
                         "%s defines " ENTRY " as a variable; it must be the function " DECLARATION
                         ", which returns the address of the definition of your system",
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
    if (lg_model_counts(d) != NULL) return CLI_WELL; /* lg_model_create() reports it */
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
    lg_model_definition whole = {0}; /* in the library's size */
    lg_error e = {LG_OK, ""};
    int status = find_file(command, name, path, sizeof path);
    if (status == CLI_WELL) status = load(command, path, &function);
    if (status != CLI_WELL) return status;
    d = function();
    if (d == NULL) {
        return cli_wrong(command, "%s: " ENTRY "() returned NULL; it must return the definition of your system", path);
    }
    if (lg_sized_take(&kind, &whole, d, &e) != LG_OK) return cli_wrong(command, "%s: %s", path, e.message);
    status = wrong_lists(command, path, &whole);
    if (status != CLI_WELL || lg_model_create(M, d) == LG_OK) return status;
    return cli_wrong(command, "%s: %s", path, lg_model_message(*M));
}

static int open_model(const char *command, const char *name, lg_model **M)
{
    if (cli_system_file(name) != NULL) return open_file(command, name, M);
    return lg_catalog_create(M, name) == LG_OK ? CLI_WELL : cli_wrong(command, "%s", lg_model_message(*M));
}

/* Reports an unknown name of a system. */
static int unknown_system(const char *command, const char *name, int mechanisms)
{
    enum { MOST = 400 };
    const char *names[MOST + 1];
    int count = 0;
    for (const char *const *at = lg_catalog_names(); *at != NULL && count < MOST; at++) names[count++] = *at;
    for (int i = 0; mechanisms && i < lg_gallery_count() && count < MOST; i++) names[count++] = lg_gallery_name(i);
    names[count] = NULL;
    return cli_unknown(command, "system", name, names);
}

int cli_mechanism_options_begin(cli_mechanism_options *o, const char *command, int argc)
{
    memset(o, 0, sizeof *o);
    o->wheel = calloc((size_t)argc + 1, sizeof *o->wheel);
    o->motor = calloc((size_t)argc + 1, sizeof *o->motor);
    o->motion = calloc((size_t)argc + 1, sizeof *o->motion);
    o->ignore = calloc((size_t)argc + 1, sizeof *o->ignore);
    o->package = calloc((size_t)argc + 1, sizeof *o->package);
    return o->wheel != NULL && o->motor != NULL && o->motion != NULL && o->ignore != NULL && o->package != NULL
               ? CLI_WELL
               : cli_wrong(command, "out of memory");
}

void cli_mechanism_options_end(cli_mechanism_options *o)
{
    free(o->wheel), free(o->motor), free(o->motion), free(o->ignore), free(o->package);
}

int cli_mechanism_option(cli_mechanism_options *o, const char *command, const cli_option *option, const char *value)
{
    if (strcmp(option->name, "floating") == 0) o->floating = 1;
    if (strcmp(option->name, "wheel") == 0) o->wheel[o->wheels++] = value;
    if (strcmp(option->name, "least-inertia") == 0) {
        if (cli_number(value, &o->least_inertia) && o->least_inertia > 0) return CLI_WELL;
        return cli_wrong(command, "--least-inertia must be a positive number, got '%s'", value);
    }
    if (strcmp(option->name, "ignore") == 0) o->ignore[o->ignored++] = value;
    if (strcmp(option->name, "sensors") == 0) o->sensors = 1;
    if (strcmp(option->name, "key") == 0) o->key = value;
    if (strcmp(option->name, "within") == 0) o->within = value;
    if (strcmp(option->name, "package") == 0) o->package[o->packages++] = value;
    if (strcmp(option->name, "motor") == 0) o->motor[o->motors++] = value;
    if (strcmp(option->name, "motion") == 0) o->motion[o->motions++] = value;
    if (strcmp(option->name, "gravity") != 0) return cli_contact_option(&o->contact, command, option, value);
    if (!cli_three(value, o->gravity))
        return cli_wrong(command, "--gravity must be X,Y,Z, three finite numbers, got '%s'", value);
    o->pulled = 1;
    return CLI_WELL;
}

int cli_read_halvings(const char *command, const char *value, int64_t *halvings)
{
    if (!cli_count(value, halvings) || *halvings > 30)
        return cli_wrong(command, "--halvings must be a whole number from 0 to 30, got '%s'", value);
    return CLI_WELL;
}

int cli_open_system(const char *command, const char *name, const cli_mechanism_options *o, cli_system *S)
{
    *S = (cli_system){.kind = &cli_model_kind, .name = name};
    if (cli_is_mechanism(name)) {
        if (o != NULL) return cli_open_mechanism(command, name, o, S);
        return cli_wrong(command, "%s is a mechanism; %s takes systems, see liegrp list systems", name, command);
    }
    if (cli_system_file(name) == NULL && lg_catalog_definition(name) == NULL)
        return unknown_system(command, name, o != NULL);
    const int status = open_model(command, name, &S->M);
    if (status == CLI_WELL) S->name = lg_model_describe(S->M)->name;
    return status;
}

int cli_open_again(const char *command, const cli_system *S, const char *name, cli_system *again)
{
    if (S->R == NULL) return cli_open_system(command, name, NULL, again);
    *again = *S;
    again->R = cli_mechanism_again(S->R);
    return again->R != NULL ? CLI_WELL : cli_wrong(command, "out of memory");
}

double cli_given(const cli_system *S, int column)
{
    const lg_column *c = lg_model_column(S->M, column);
    if (c == NULL || (c->kind != LG_COLUMN_CONFIGURATION && c->kind != LG_COLUMN_VELOCITY)) return (double)NAN;
    return S->R != NULL ? cli_mechanism_given(S->R, column) : S->M->initial[column - LG_ROW_CONFIGURATION];
}

void cli_close_system(cli_system *S)
{
    if (S->kind != NULL) S->kind->destroy(S);
}

cli_system cli_system_of(lg_model *M)
{
    return (cli_system){.kind = &cli_model_kind, .name = lg_model_describe(M)->name, .M = M};
}

/* What all kinds have ---------------------------------------------------------------------------------------------- */

static int is_among(int option, const int *list)
{
    while (*list >= 0 && *list != option) list++;
    return *list >= 0;
}

int cli_refuse_options(const char *command, const cli_option *options, int argc, char **argv, const cli_system *S,
                       const int *models, const int *mechanisms)
{
    const int *refused = S->R != NULL ? models : mechanisms;
    cli_parser p = cli_begin(command, options, argc, argv);
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        if (found < 0 || !is_among(found, refused)) continue;
        return cli_wrong(command, "--%s is an option of %s, but %s is a %s", options[found].name,
                         S->R != NULL ? "systems, see liegrp list systems" : "mechanisms, see liegrp list mechanisms",
                         S->name, S->kind->noun);
    }
    return CLI_WELL;
}

void cli_column_of(cli_column *c, const cli_system *S, int i)
{
    const lg_column *own = lg_model_column(S->M, i);
    c->also[0] = '\0';
    snprintf(c->name, sizeof c->name, "%s", own->name);
    snprintf(c->unit, sizeof c->unit, "%s", own->unit);
    snprintf(c->meaning, sizeof c->meaning, "%s", own->meaning);
}

void cli_control_of(cli_column *c, const cli_system *S, int i)
{
    c->also[0] = '\0';
    S->kind->control(c, S, i);
}

const char *cli_unit(const cli_system *S, const char *unit)
{
    return S->kind->units(S) ? unit : "-";
}
