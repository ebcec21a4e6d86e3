/* SPDX-License-Identifier: BSD-3-Clause */
/** @file model_private.h
 *  Inside a model; for src/run/ and for functions that return a model that failed. */
#ifndef LIEGRP_SRC_RUN_MODEL_PRIVATE_H
#define LIEGRP_SRC_RUN_MODEL_PRIVATE_H

#include <liegrp/run/model.h>
#include <liegrp/run/motion.h>

#include "groups/blocks.h"
#include "base/message.h"
#include "base/sized.h"

/** A model is one of a definition or of a mechanism; what is said of the other kind is 0. */
struct lg_model {
    lg_error error;                        /* the last one */
    const lg_column *column;               /* of rows, names_count of them */
    int names_count;                       /* columns of a row */
    char **names;                          /* their names; the configuration begins at LG_ROW_CONFIGURATION */
    double *initial;                       /* what the user set of a start, NaN where nothing: of a definition columns,
                                            * then n velocities; of a mechanism a row */
    lg_mechanism *mechanism;               /* whose motions are its own */
    struct lg_motion_columns *bodies;      /* its columns */
    lg_model *dense;                       /* the mechanism by its system, as a definition; NULL: not asked for yet */
    char *name;                            /* of a mechanism */
    lg_mechanism *described;               /* not compiled, with the parameters that were set; NULL: none was */
    lg_model *with;                        /* the model with them, if `ready`; then those with earlier ones */
    lg_model *before;                      /* the next one in that list */
    lg_mechanism *owned;                   /* of such a model: its mechanism, ours to free */
    lg_column *own_column;                 /* of a definition */
    char *texts;                           /* meanings of those */
    const lg_model_definition *definition; /* `own`; NULL: creation failed, only the message is there */
    lg_model_definition own;               /* the user's definition in the library's size */
    const lg_group *group;                 /* the static group, or `product` */
    lg_group *product;                     /* ours */
    int n;                                 /* dim */
    int columns;                           /* configuration columns */
    int angles;                            /* 1: some of them are unwrapped */
    double *param;                         /* values of the parameters */
    double *element, *velocity;            /* scratch of lg_model_initial() */
    double *inertia, *diagonal, *rows;     /* what configure() fills; the diagonal of the first */
    lg_system system;                      /* for the present parameters if `ready` */
    int ready;
    lg_scene *scene; /* for the present parameters if not NULL */
};

/** The sizes that a definition may have. */
#define LG_MODEL_DEFINITION_KIND LG_SIZED_AS(lg_model_definition, step, "set .size = sizeof(lg_model_definition)")

/** The fault in the lengths of a definition's lists, "has ..."; NULL: they are plausible. A length that was not set
 *  would be taken for that of a list. */
static inline const char *lg_model_counts(const lg_model_definition *d)
{
    enum { MOST = 10000 };
    const int counts[] = {d->parameter_count,  d->invariant_count,           d->factor_count,
                          d->constraint_count, d->callbacks.holonomic_count, d->callbacks.control_count};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] > MOST)
            return "has more than 10000 parameters, invariants, factors, constraints or controls; are all its counts set?";
    return NULL;
}

/** 1: it was made, and holds more than a message. */
static inline int lg_model_is_made(const lg_model *M)
{
    return M != NULL && (M->definition != NULL || M->mechanism != NULL);
}
/** Clears the message; a model that was never made keeps its own, and its status is returned. */
lg_status lg_model_begin(lg_model *M);
/** mechanism.c: *dense = the definition that a mechanism's model makes of it; the model's own. Errors of
 *  lg_mechanism_system(). */
lg_status lg_model_dense(lg_model *M, const lg_model **dense);

/** mechanism.c: *now = the model with the parameters and initial values that are set: M itself, or one that belongs to
 *  it. Errors of lg_mechanism_compile(), whose message is M's. */
lg_status lg_model_now(lg_model **now, lg_model *M);
/** *copy = a model with a mechanism of its own, with the parameters that are set. */
lg_status lg_model_compile(lg_model **copy, const lg_model *M, lg_error *e);

/** The initial data as lg_model_initial() says, with these columns and velocities in place of what was set (NaN: not
 *  given); *said = 1: a velocity was given. */
lg_status lg_model_initial_from(const lg_model *M, const double *given, double *g0, double *xi0, int *said,
                                lg_error *e);
/** *copy = a model with the same definition, parameters and initial data; destroy it also after a failure. */
lg_status lg_model_copy(lg_model **copy, const lg_model *M, lg_error *e);

/** 1: models of the same definition. */
int lg_model_same(const lg_model *a, const lg_model *b);

/** The first column of the configuration: after step and t. */
#define LG_ROW_CONFIGURATION 2

/** Room for a column's name. */
#define LG_COLUMN_NAME 80
/** Names of the columns of a run into M->names; M->definition, group, columns and n are set, names_count buffers of
 *  LG_COLUMN_NAME bytes follow the names. */
void lg_model_name_columns(lg_model *M);
/** Room for a meaning that is made. */
#define LG_COLUMN_MEANING 128
/** column_texts.c: fills M->own_column, once the columns have names. */
void lg_model_describe_columns(lg_model *M);
/** 1: it has units; positions are then in m, energies in J. A definition has them if a parameter has. */
int lg_model_has_units(const lg_model *M);
/** Block b of the group, and its first column in a row. */
lg_group_block lg_model_block(const lg_model *M, int b, int *column);

/** M->system for the present parameters, which are known to make one: without the checks of lg_model_system(), and
 *  without an allocation. LG_ERROR_ARGUMENT: they make none after all. */
lg_status lg_model_assemble(lg_model *M);

/** Bytes that it takes, without a product group of its own. */
size_t lg_model_bytes(const lg_model *M);

/** A model that holds nothing but this message: *M = it, and the status is returned (LG_ERROR_MEMORY: *M is NULL). */
lg_status lg_model_failed(lg_model **M, lg_status status, const char *format, ...) LG_PRINTF(3, 4);

#endif
