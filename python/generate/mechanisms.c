/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of mechanisms as arrays. No lock of Python's holds these loops up. */

/* What all instances start from. */
typedef struct lgp_starts {
    const lg_motion *probe;               /* of the model, to start from */
    const double *rows;                   /* count x columns of the model, or */
    const double *positions, *velocities; /* count x numbers each; NULL: as assembled, at rest */
    size_t columns, numbers;
    double t0;
    int project;
} lgp_starts;

/* The instance becomes a copy of the probe, which has controls and, if it is given, starts from a row: motions of
 * ensembles have no model, whose columns these are. */
static lg_status lgp_follow(const lgp_starts *s, lg_motion *mo, const double *row)
{
    lg_motion *own = NULL;
    lg_status status = lg_motion_clone(&own, s->probe);
    if (status == LG_OK && row != NULL) status = lg_motion_start(own, s->t0, row, s->project);
    const size_t size = status == LG_OK ? lg_motion_saved_bytes(own) : 0;
    void *bytes = malloc(size + 1);
    if (status == LG_OK) status = bytes != NULL ? lg_motion_save(own, bytes, size) : LG_ERROR_MEMORY;
    if (status == LG_OK) status = lg_motion_load(mo, bytes, size);
    free(bytes);
    lg_motion_destroy(own);
    return status;
}

static lg_status lgp_start_motion(int64_t instance, lg_motion *mo, void *context)
{
    const lgp_starts *s = context;
    const size_t at = (size_t)instance * s->numbers;
    const lg_status status = lgp_follow(s, mo, s->rows != NULL ? s->rows + (size_t)instance * s->columns : NULL);
    if (status != LG_OK || s->rows != NULL) return status;
    return lg_motion_start_joints(mo, s->t0, s->positions != NULL ? s->positions + at : NULL,
                                  s->velocities != NULL ? s->velocities + at : NULL, s->project);
}

/* States of instances at several times, as lgp_samples. */
typedef struct lgp_motions {
    int64_t slots;
    int64_t *seen;
    size_t numbers; /* of positions */
    int bodies;
    double *t, *positions, *velocities, *poses, *energy, *work;
} lgp_motions;

static int lgp_sample_motion(int64_t instance, const lg_motion *mo, void *context)
{
    lgp_motions *s = context;
    const int64_t slot = instance * s->slots + s->seen[instance];
    double *q = s->positions != NULL ? s->positions + (size_t)slot * s->numbers : NULL;
    double *v = s->velocities != NULL ? s->velocities + (size_t)slot * s->numbers : NULL;
    if (s->seen[instance] >= s->slots) return 0;
    s->seen[instance]++;
    if (s->t != NULL) s->t[slot] = lg_motion_time(mo);
    if (q != NULL || v != NULL) lg_status_ignore(lg_motion_positions(mo, q, v));
    if (s->energy != NULL) s->energy[slot] = lg_motion_energy(mo);
    if (s->work != NULL) s->work[slot] = lg_motion_work(mo);
    for (int b = 0; s->poses != NULL && b < s->bodies; b++)
        lg_status_ignore(lg_motion_body_pose(mo, s->poses + 7 * (slot * s->bodies + b), b));
    return 0;
}

/* The present state of all instances, read one after the other through `mo`; one that could not be started is left out.
 */
static void lgp_read_motions(const lg_motion_ensemble *E, lg_motion *mo, lgp_motions *s)
{
    for (int64_t i = 0; i < lg_motion_ensemble_count(E); i++)
        if (lg_motion_ensemble_read(E, mo, i) == LG_OK) (void)lgp_sample_motion(i, mo, s);
}

/* Numbers of all bodies. */
static lg_status lgp_motion_poses(const lg_motion *mo, double *poses, double *twists, int bodies)
{
    lg_status status = LG_OK;
    for (int b = 0; b < bodies && status == LG_OK; b++) {
        if (poses != NULL) status = lg_motion_body_pose(mo, poses + 7 * b, b);
        if (twists != NULL && status == LG_OK) status = lg_motion_body_twist(mo, twists + 6 * b, b);
    }
    return status;
}
