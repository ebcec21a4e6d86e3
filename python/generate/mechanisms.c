/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of mechanisms as arrays. No lock of Python's holds these loops up. */

/* What all instances start from; NULL: as assembled, at rest. */
typedef struct lgp_starts {
    const double *positions, *velocities; /* count x numbers each */
    size_t numbers;
    double t0;
    int project;
    int gallery; /* number of the mechanism in the gallery, for its controls and, without the above, its state; -1: none
                  */
} lgp_starts;

static lg_status lgp_start_motion(int64_t instance, lg_motion *mo, void *context)
{
    const lgp_starts *s = context;
    const size_t at = (size_t)instance * s->numbers;
    const lg_status status = s->gallery >= 0 ? lg_gallery_start(mo, s->gallery) : LG_OK;
    if (status != LG_OK || (s->gallery >= 0 && s->positions == NULL && s->velocities == NULL)) return status;
    return lg_motion_start(mo, s->t0, s->positions != NULL ? s->positions + at : NULL,
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
