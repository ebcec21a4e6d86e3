/* SPDX-License-Identifier: BSD-3-Clause */
#include "motions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept {
    lg_model *M;
    struct kept *next;
} kept;

static kept *models;

static void free_models(void)
{
    while (models != NULL) {
        kept *k = models;
        models = k->next;
        lg_model_destroy(k->M);
        free(k);
    }
}

static void keep(lg_model *M)
{
    kept *k = malloc(sizeof *k);
    if (k == NULL) abort();
    if (models == NULL && atexit(free_models) != 0) abort();
    *k = (kept){M, models};
    models = k;
}

int gallery_without_contacts(void)
{
    return lg_gallery_index("bouncing-ball");
}

int column_is_past(const char *name)
{
    static const char *const ends[] = {"_n", "_t", "_mode"};
    const char *end = strrchr(name, '_');
    for (int i = 0; end != NULL && i < 3; i++)
        if (strcmp(end, ends[i]) == 0) return 1;
    return strcmp(name, "impacts") == 0;
}

lg_model *motion_model(const lg_mechanism *m)
{
    lg_model *M = NULL;
    if (lg_model_of_mechanism(&M, (lg_mechanism *)(uintptr_t)m, NULL) != LG_OK) abort();
    keep(M);
    return M;
}

lg_status motion_create(lg_motion **mo, const lg_mechanism *m, const char *method, double h)
{
    lg_motion_options o = lg_motion_options_default();
    lg_model *M = NULL;
    lg_status status = lg_model_of_mechanism(&M, (lg_mechanism *)(uintptr_t)m, NULL);
    o.method = method, o.step = h;
    if (M != NULL) keep(M);
    (void)status; /* lg_motion_create() says what the model has to say */
    return lg_motion_create(mo, M, &o);
}

model_run model_run_default(void)
{
    const model_run r = {lg_motion_options_default(), lg_run_options_default(), 0};
    return r;
}

lg_status model_run_motion(lg_motion **mo, lg_model *M, lg_run_result *result, const model_run *r)
{
    lg_status status = lg_motion_create(mo, M, &r->motion);
    if (status == LG_OK) status = lg_motion_start(*mo, 0, NULL, r->project);
    if (status == LG_OK) return lg_run(*mo, result, &r->run);
    memset(result->message, 0, sizeof result->message);
    strncpy(result->message, *mo != NULL ? lg_motion_message(*mo) : lg_status_text(status), sizeof result->message - 1);
    return status;
}

lg_status model_run_whole(lg_model *M, lg_run_result *result, const model_run *r)
{
    lg_motion *mo = NULL;
    const lg_status status = model_run_motion(&mo, M, result, r);
    lg_motion_destroy(mo);
    return status;
}
