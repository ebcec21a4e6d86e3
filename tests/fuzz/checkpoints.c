/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints from bytes: a valid one, edited as the input says, its sum repaired so that the numbers are reached. It
 * is refused, and nothing has changed; or it is accepted, and the next steps do no harm. Unedited, it continues to the
 * bit. */
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "fuzz.h"
#include "tests/support/saved.h"

enum { EDITS = 12, STEPS = 2, KINDS = 7, METHODS = 10, BEFORE = 4 };

/* An integrator or a motion, with common functions. */
typedef struct kept {
    lg_integrator *it;
    lg_motion *mo;
} kept;

static lg_status step(kept k)
{
    return k.it != NULL ? lg_integrator_step(k.it) : lg_motion_step(k.mo, 1);
}

static const char *message(kept k)
{
    return k.it != NULL ? lg_integrator_message(k.it) : lg_motion_message(k.mo);
}

static size_t saved_bytes(kept k)
{
    return k.it != NULL ? lg_integrator_saved_bytes(k.it) : lg_motion_saved_bytes(k.mo);
}

static lg_status load(kept k, const void *bytes, size_t size)
{
    return k.it != NULL ? lg_integrator_load(k.it, bytes, size) : lg_motion_load(k.mo, bytes, size);
}

static void destroy(kept k)
{
    lg_integrator_destroy(k.it);
    lg_motion_destroy(k.mo);
}

/* The checkpoint, to be freed, or NULL. */
static unsigned char *save(kept k, size_t *size)
{
    *size = saved_bytes(k);
    if (*size == 0) return NULL;
    unsigned char *bytes = malloc(*size);
    if (bytes == NULL) abort();
    const lg_status status = k.it != NULL ? lg_integrator_save(k.it, bytes, *size) : lg_motion_save(k.mo, bytes, *size);
    fuzz_require(status == LG_OK, "a state cannot be saved", message(k));
    return bytes;
}

/* ---- what is kept ---- */

static lg_status make_integrator(kept *k, int system, int method, double h)
{
    static const char *const systems[] = {"suslov", "double-spherical-pendulum", "rolling-ball", "two-wheeled-robot",
                                          "cvt"};
    static const char *const methods[] = {
        "sem", "gauss:stages=2", "gauss:stages=2", "gni", "nsv", "dla", "rk4", "sem@yoshida4", "sml", "sem:gonzalez"};
    static lg_model *models[5]; /* as long as the program */
    const lg_system *S;
    double g[64], xi[64];
    if (models[system] == NULL && lg_catalog_create(&models[system], systems[system]) != LG_OK) abort();
    if (lg_model_system(models[system], &S) != LG_OK || lg_model_initial(models[system], g, xi, NULL) != LG_OK) abort();
    lg_status status = lg_integrator_create(&k->it, S, methods[method], NULL, h);
    if (status == LG_OK && method == 2) status = lg_integrator_set_tolerance(k->it, 1e-6);
    return status == LG_OK ? lg_integrator_start(k->it, 0, g, xi, LG_START_REACTION, 1) : status;
}

static lg_status make_motion(kept *k, int which, int method, double h)
{
    static const char *const methods[] = {"sem", "gauss:stages=2", "gauss:stages=2", "rattle", "sem@yoshida4"};
    static const char *const names[] = {"four-bar", "chain"};
    static lg_mechanism *mechanisms[2]; /* as long as the program, and their models */
    static lg_model *models[2];
    const int index = lg_gallery_index(names[which]);
    lg_motion_options o = lg_motion_options_default();
    if (models[which] == NULL && (lg_gallery_create(&mechanisms[which], index) != LG_OK ||
                                  lg_model_of_mechanism(&models[which], mechanisms[which], NULL) != LG_OK))
        abort();
    o.method = methods[method % 5], o.step = h;
    if (method % 5 == 2) o.tolerance = 1e-6;
    lg_status status = lg_motion_create(&k->mo, models[which], &o);
    return status == LG_OK ? lg_gallery_start(k->mo, index) : status;
}

static lg_status make(kept *k, int what, int method)
{
    const double h = 0.01;
    memset(k, 0, sizeof *k);
    return what < 5 ? make_integrator(k, what, method, h) : make_motion(k, what - 5, method, h);
}

/* ---- edits ---- */

/* Changes the bytes; the last eight bytes are the sum, numbers of eight bytes each come before it. */
static void edit(fuzz_bytes *b, unsigned char *bytes, size_t *size)
{
    const int kind = fuzz_byte(b) % 8;
    const size_t at = (size_t)(fuzz_byte(b) << 8 | fuzz_byte(b));
    if (kind == 0) {
        *size = at % (*size + 1);
    } else if (kind < 3) {
        if (*size > 0) bytes[at % *size] = (unsigned char)fuzz_byte(b);
    } else if (*size >= 16) {
        const double value = fuzz_number(b);
        const size_t numbers = (*size - 8) / 8;
        memcpy(bytes + *size - 16 - 8 * (at % numbers), &value, sizeof value);
    }
}

/* ---- what must hold ---- */

/* Both make the same steps from now on. */
static void same(kept a, kept b)
{
    for (int i = 0; i < STEPS; i++) {
        const lg_status one = step(a), two = step(b);
        fuzz_require(one == two, "a checkpoint steps otherwise", message(b));
        size_t size, other;
        unsigned char *mine = save(a, &size), *its = save(b, &other);
        fuzz_require(size == other, "a checkpoint of another size", "after a step");
        fuzz_require_same(mine, its, size, "a checkpoint continues with other bits");
        free(mine);
        free(its);
    }
}

/* Settings that were read may ask for as many evaluations as there are numbers. */
static void set_bounds(kept k)
{
    if (k.it == NULL) return;
    lg_status_ignore(lg_integrator_set_newton(k.it, 1e-8, 20));
    if (lg_integrator_tolerance(k.it) == 0) lg_status_ignore(lg_integrator_set_solver(k.it, 1e-14, 60));
}

/* Steps that may fail, and then leave everything. */
static void harmless(kept k, int steps)
{
    double g[64], xi[64], t;
    set_bounds(k);
    for (int i = 0; i < steps; i++) {
        size_t later;
        const size_t size = saved_bytes(k);
        if (size == 0) return;
        const lg_status status = step(k);
        fuzz_require_message(status, message(k), "a step from a checkpoint");
        if (k.it != NULL) lg_status_ignore(lg_integrator_interpolate(k.it, &t, g, xi, 0.5));
        unsigned char *after = save(k, &later);
        fuzz_require(later == size, "a checkpoint of another size", "after a step");
        free(after);
    }
    if (k.it != NULL) lg_status_ignore(lg_integrator_reset(k.it));
    if (k.it != NULL) lg_status_ignore(lg_integrator_step(k.it));
}

/* Gives the edited bytes to an integrator, or a motion, that is under way. */
static void take(kept k, const unsigned char *bytes, size_t size, int steps)
{
    size_t own, later;
    unsigned char *before = save(k, &own);
    const lg_status status = load(k, bytes, size);
    fuzz_require_message(status, message(k), "load");
    if (status == LG_OK) {
        harmless(k, steps);
    } else {
        unsigned char *after = save(k, &later);
        fuzz_require(own == later, "a checkpoint that was refused has changed", "the size");
        fuzz_require_same(before, after, own, "a checkpoint that was refused has changed the state");
        free(after);
    }
    free(before);
}

/* ---- an input ---- */

/* A state and its checkpoint, equal for all inputs, and kept until the program ends; `bytes` is NULL where the method
 * does not fit. */
typedef struct origin {
    int made;
    kept k;
    unsigned char *bytes;
    size_t size;
} origin;

static const origin *origin_of(int what, int method, int steps)
{
    static origin origins[KINDS][METHODS][BEFORE];
    origin *o = &origins[what][method][steps];
    if (o->made) return o;
    o->made = 1;
    lg_status status = make(&o->k, what, method);
    for (int i = 0; i < steps && status == LG_OK; i++) status = step(o->k);
    if (status == LG_OK) o->bytes = save(o->k, &o->size);
    return o;
}

/* What edited bytes are given to: it has just begun. 0: it cannot be made. */
static int begin(kept *k, int what, int method)
{
    const origin *o = origin_of(what, method, 0);
    memset(k, 0, sizeof *k);
    if (o->k.it == NULL) return make(k, what, method) == LG_OK;
    const lg_status status = o->bytes != NULL ? lg_integrator_clone(&k->it, o->k.it) : LG_ERROR_UNSUPPORTED;
    return status == LG_OK;
}

static void give_edited(fuzz_bytes *b, const origin *o, kept other)
{
    size_t count = o->size;
    unsigned char *bytes = malloc(count);
    if (bytes == NULL) abort();
    memcpy(bytes, o->bytes, count);
    for (int i = 0; i < EDITS && fuzz_more(b); i++) edit(b, bytes, &count);
    if (count >= sizeof(uint64_t)) saved_mend(&(saved){bytes, count});
    take(other, bytes, count, fuzz_thorough(b->data, b->size) ? STEPS : 1);
    free(bytes);
}

static void give_whole(const origin *o, kept other, int what, int method, int steps)
{
    kept k;
    lg_status status = make(&k, what, method);
    for (int i = 0; i < steps && status == LG_OK; i++) status = step(k);
    fuzz_require(status == LG_OK, "what went well fails", message(k));
    status = load(other, o->bytes, o->size);
    fuzz_require(status == LG_OK, "a checkpoint is refused", message(other));
    same(k, other);
    destroy(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes b = {data, size, 0};
    const int what = fuzz_between(&b, 0, KINDS - 1), method = fuzz_between(&b, 0, METHODS - 1);
    const int steps = fuzz_between(&b, 0, BEFORE - 1);
    const origin *o = origin_of(what, method, steps);
    kept other;
    if (o->bytes == NULL) return 0;
    if (begin(&other, what, method)) {
        if (fuzz_more(&b))
            give_edited(&b, o, other);
        else
            give_whole(o, other, what, method, steps);
    }
    destroy(other);
    return 0;
}
