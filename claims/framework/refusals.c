/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations that the library may refuse as unsupported, for mathematical reasons: any other refusal is a failure,
 * or claims would shrink unnoticed. */
#include <stdio.h>

#include "claims/framework/harness.h"

/* Facts of a system that exclude a method. */
enum { VELOCITY = 1, POSITION = 2, METRIC = 4, FORCE = 8 };

static const struct {
    const char *method; /* the beginning of its name with options */
    int excluded;
} rules[] = {
    {"rattle", VELOCITY},                        /* for holonomic constraints only */
    {"variational", VELOCITY},                   /* without reactions at velocity constraints */
    {"nsv", POSITION},                           /* its rows constrain velocities */
    {"smv", POSITION},                           /* its rows constrain velocities */
    {"sml", POSITION | METRIC | FORCE},          /* one row in the middle, its free step has a constant metric */
    {"sem:gonzalez", POSITION | METRIC | FORCE}, /* a discrete gradient of V only */
};

static int facts_of(const lg_system *S)
{
    return (S->constraint_count > 0 ? VELOCITY : 0) | (S->callbacks.holonomic_count > 0 ? POSITION : 0) |
           (S->callbacks.metric != NULL ? METRIC : 0) | (S->callbacks.force != NULL ? FORCE : 0);
}

/* The trouble of a retraction on a group, found with one vector. */
typedef struct defects {
    int missing;   /* there is no tau */
    int moves;     /* Ad_tau(x) x != x */
    int bends;     /* log tau(x) is not parallel to x */
    int one_sided; /* tau(x) tau(-x) != e */
} defects;

static defects defects_of(const lg_group *G, const char *retraction)
{
    const double seen = 1e-6;
    const int n = lg_group_dim(G);
    const lg_retraction *tau = lg_retraction_named(retraction);
    double x[CLAIM_DIM], W[CLAIM_ELEMENT], V[CLAIM_ELEMENT], y[CLAIM_DIM], xx = 0, xy = 0;
    defects d = {0};
    for (int i = 0; i < n; i++) x[i] = 0.3 + 0.1 * ((i * 7) % 5), xx += x[i] * x[i];
    if (tau == NULL || lg_retraction_tau(tau, G, W, x) != LG_OK) {
        d.missing = 1;
        return d;
    }
    if (lg_group_Ad_apply(G, y, W, x) == LG_OK) d.moves = claim_gap(x, y, n) > seen;
    if (lg_group_log(G, y, W) == LG_OK) {
        for (int i = 0; i < n; i++) xy += x[i] * y[i];
        for (int i = 0; i < n; i++) d.bends |= fabs(y[i] - xy / xx * x[i]) > seen;
    }
    for (int i = 0; i < n; i++) y[i] = -x[i];
    if (lg_retraction_tau(tau, G, V, y) == LG_OK && lg_group_inverse(G, W, W) == LG_OK)
        d.one_sided = claim_gap(V, W, lg_group_element_size(G)) > seen;
    return d;
}

/* Why the library may refuse it; NULL: it must not. */
static const char *excuse(const claim_system *s, const char *method, const char *retraction)
{
    const int facts = facts_of(s->S), is_sem = strncmp(method, "sem", 3) == 0;
    const defects d = defects_of(s->G, retraction);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strncmp(method, rules[i].method, strlen(rules[i].method)) == 0 && (facts & rules[i].excluded) != 0)
            return "the method excludes such systems";
    if (d.missing) return "the group has no such retraction";
    if (is_sem && d.moves) return "tau(x) does not commute with x";
    if (is_sem && d.bends) return "log tau(x) is not parallel to x";
    if (is_sem && s->G->kind == LG_KIND_USER && strcmp(retraction, "cayley") == 0)
        return "log tau(x) is not known to be parallel to x on a user-supplied group";
    if (strchr(method, '@') != NULL && d.one_sided) return "compositions need symmetric methods";
    return NULL;
}

int claim_refused(claim_report *r, const claim_system *s, const char *method, const char *retraction, lg_status status,
                  const char *message)
{
    if (status != LG_ERROR_UNSUPPORTED) return 0;
    if (claim_own_systems(r) && excuse(s, method, retraction) == NULL)
        claim_trouble(r, "refused, and claims/framework/refusals.c does not list it: %s", message);
    return 1;
}
