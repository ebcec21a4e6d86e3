/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Elements one after the other ------------------------------------------------------------------------------------ */

typedef lg_status (*lgp_group_1)(const lg_group *, double *, const double *);
typedef lg_status (*lgp_group_2)(const lg_group *, double *, const double *, const double *);
typedef lg_status (*lgp_group_pair)(const lg_group *, double *, double *, const double *, const double *);
typedef lg_status (*lgp_retraction_1)(const lg_retraction *, const lg_group *, double *, const double *);
typedef lg_status (*lgp_retraction_2)(const lg_retraction *, const lg_group *, double *, const double *,
                                      const double *);
typedef void (*lgp_plain_1)(double *, const double *);
typedef void (*lgp_plain_2)(double *, const double *, const double *);
typedef lg_status (*lgp_checked_1)(double *, const double *);
typedef lg_status (*lgp_euler)(double *, const double *, const char *);

/* One operation: exactly one of the functions is set. */
typedef struct lgp_operation {
    const lg_group *G;
    const lg_retraction *r;
    const char *convention;
    lgp_group_1 group_1;
    lgp_group_2 group_2;
    lgp_group_pair group_pair; /* two n x n matrices, one after the other */
    lgp_retraction_1 retraction_1;
    lgp_retraction_2 retraction_2;
    lgp_plain_1 plain_1;
    lgp_plain_2 plain_2;
    lgp_checked_1 checked_1;
    lgp_euler euler;
} lgp_operation;

static lg_status lgp_apply(const lgp_operation *op, double *out, const double *a, const double *b)
{
    if (op->group_1 != NULL) return op->group_1(op->G, out, a);
    if (op->group_2 != NULL) return op->group_2(op->G, out, a, b);
    if (op->retraction_1 != NULL) return op->retraction_1(op->r, op->G, out, a);
    if (op->retraction_2 != NULL) return op->retraction_2(op->r, op->G, out, a, b);
    if (op->checked_1 != NULL) return op->checked_1(out, a);
    if (op->euler != NULL) return op->euler(out, a, op->convention);
    if (op->group_pair != NULL) {
        const size_t n = (size_t)lg_group_dim(op->G);
        return op->group_pair(op->G, out, out + n * n, a, b);
    }
    if (op->plain_1 != NULL) op->plain_1(out, a);
    if (op->plain_2 != NULL) op->plain_2(out, a, b);
    return LG_OK;
}

/* out_k = f(a_k, b_k) for `count` elements; a stride of 0 repeats an input. The results of an element that fails are
 * NaN; the first failure is returned. */
static lg_status lgp_each(const lgp_operation *op, size_t count, double *out, size_t out_size, const double *a,
                          size_t a_stride, const double *b, size_t b_stride)
{
    lg_status first = LG_OK;
    for (size_t k = 0; k < count; k++, out += out_size, a += a_stride, b += b_stride) {
        const lg_status status = lgp_apply(op, out, a, b);
        if (status == LG_OK) continue;
        for (size_t i = 0; i < out_size; i++) out[i] = (double)NAN;
        if (first == LG_OK) first = status;
    }
    return first;
}

/* lg_group_interpolate() with s behind b. */
static lg_status lgp_interpolate(const lg_group *G, double *out, const double *a, const double *b_and_s)
{
    return lg_group_interpolate(G, out, a, b_and_s, b_and_s[lg_group_element_size(G)]);
}

static lg_status lgp_so3_from_axis_angle(double *q, const double *axis_and_angle)
{
    return lg_so3_from_axis_angle(q, axis_and_angle, axis_and_angle[3]);
}

static lg_status lgp_so3_to_axis_angle(double *axis_and_angle, const double *q)
{
    return lg_so3_to_axis_angle(axis_and_angle, axis_and_angle + 3, q);
}

static void lgp_so2_to_angle(double *angle, const double *g)
{
    *angle = lg_so2_to_angle(g);
}

static void lgp_so2_from_angle(double *g, const double *angle)
{
    lg_so2_from_angle(g, *angle);
}

/* How far an element is from the group; NaN stands for itself. */
static lg_status lgp_residual(const lg_group *G, double *out, const double *g)
{
    *out = lg_group_residual(G, g);
    return LG_OK;
}

/* `count` random elements of `size` numbers. */
static lg_status lgp_random(const lg_group *G, size_t count, double *g, size_t size, lg_rng *rng)
{
    lg_status status = LG_OK;
    for (size_t k = 0; k < count && status == LG_OK; k++) status = lg_group_random(G, g + k * size, rng);
    return status;
}

/* Runs ------------------------------------------------------------------------------------------------------------ */

/* Where the rows of a run go. */
typedef struct lgp_rows {
    double *at;
    int64_t room;
    int64_t count;
    double *work; /* of each row: the work up to there */
    double done;
    int (*observe)(const lg_motion *mo, void *context); /* may be NULL */
    void *context;
} lgp_rows;

/* A row of a run into an array whose first column is an integer. */
static int lgp_row(const double *row, int columns, void *context)
{
    lgp_rows *rows = context;
    const int64_t step = (int64_t)row[0];
    double *at = rows->at + rows->count * columns;
    if (rows->count == rows->room) return 1;
    memcpy(at, row, (size_t)columns * sizeof *at);
    memcpy(at, &step, sizeof step);
    rows->work[rows->count++] = rows->done;
    return 0;
}

/* Every state of a run, before its row. */
static int lgp_state(const lg_motion *mo, void *context)
{
    lgp_rows *rows = context;
    rows->done = lg_motion_work(mo);
    return rows->observe != NULL ? rows->observe(mo, rows->context) : 0;
}

/* Systems --------------------------------------------------------------------------------------------------------- */

/* The Python object of a system, whose handle lies before the numbers of the context. */
static void *lgp_owner(const lg_call *c)
{
    return ((void *const *)c->context)[-1];
}

/* Shared objects -------------------------------------------------------------------------------------------------- */

#include <dlfcn.h>
#include <link.h>

/* 0: the symbol at this address is a variable, a call of which would end the process. Only glibc tells. */
static int lgp_is_function(void *address)
{
#ifdef __GLIBC__
    Dl_info about;
    void *found = NULL;
    if (dladdr1(address, &about, &found, RTLD_DL_SYMENT) == 0) return 0; /* one a thread: it is in no object */
    const ElfW(Sym) *entry = found;
    if (entry == NULL || about.dli_saddr != address) return 1;
    const int type = entry->st_info & 0xf;
    return type != STT_OBJECT && type != STT_COMMON && type != STT_TLS;
#else
    return address != NULL;
#endif
}

/* Makes the functions of the library visible to shared objects that are loaded later. */
static int lgp_make_global(void)
{
    Dl_info about;
    const char *(*const function)(void) = lg_version;
    void *at;
    memcpy(&at, &function, sizeof at); /* ISO C has no cast from a function to an object */
    if (dladdr(at, &about) == 0 || about.dli_fname == NULL) return -1;
    return dlopen(about.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD) != NULL ? 0 : -1;
}

/* Splines --------------------------------------------------------------------------------------------------------- */

/* Elements, velocities and accelerations at `count` times; NaN where a time is outside. */
static lg_status lgp_spline(lg_spline *s, size_t count, const double *t, double *g, double *xi, double *a,
                            size_t element_size, size_t dim)
{
    lg_status first = LG_OK;
    for (size_t k = 0; k < count; k++, g += element_size, xi += dim, a += dim) {
        const lg_status status = lg_spline_evaluate(s, g, xi, a, t[k]);
        if (status == LG_OK) continue;
        for (size_t i = 0; i < element_size; i++) g[i] = (double)NAN;
        for (size_t i = 0; i < dim; i++) xi[i] = a[i] = (double)NAN;
        if (first == LG_OK) first = status;
    }
    return first;
}
