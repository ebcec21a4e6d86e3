/* SPDX-License-Identifier: BSD-3-Clause */
/** @file faults.h
 *  The n-th allocation or callback fails, for every n, over tables of objects. A new object is one row of a table.
 *
 *  A row is a list of verbs, each of which makes an object or works with it. Without a fault they leave a digest of
 *  all bits that they read. With one, the verb that fails reports it by its status and its message, then it is called
 *  again, and the row continues to an equal digest; no memory leaks. Verbs can be called again: those that make an
 *  object first free the one that failed, and several steps are "up to step k". */
#ifndef TESTS_FAULTS_FAULTS_H
#define TESTS_FAULTS_FAULTS_H

#include "support/suite.h"

typedef enum fault_kind { FAULT_MEMORY, FAULT_CALLBACK, FAULT_KINDS } fault_kind;

/** The input and output of a verb. */
typedef struct fault_case {
    const char *a, *b;   /**< the variant: a name of each of the row's lists, "" without one */
    int i, j;            /**< their numbers */
    const char *said;    /**< the message of the object at hand after a failure; NULL: there is no object */
    uint64_t digest;     /**< of all that was folded in */
    double values[2048]; /**< the first of it, */
    int count;           /**< so many */
} fault_case;

typedef lg_status (*fault_verb)(fault_case *c);

typedef struct fault_row {
    const char *name;
    const char *const *(*first)(void);  /**< names, closed by a NULL; NULL: one variant */
    const char *const *(*second)(void); /**< the same: every pair is a variant */
    int stride;                         /**< the short suite takes each stride-th variant */
    fault_verb verbs[12];               /**< closed by a NULL */
    void (*close)(void);                /**< frees everything */
    const char *quiet[FAULT_KINDS];     /**< why a fault may go unreported; NULL: it must be reported */
    int quiet_most;                     /**< how many allocations of a variant may be quiet */
    const char *other_bits;             /**< why after a callback that failed numbers differ by rounding; NULL: never */
    const char *elsewhere;              /**< why callbacks do not fail here; NULL: they do */
} fault_row;

/** A reason of quiet faults. */
#define FAULT_STREAM "the C library's stream continues without a buffer"

/** One more double or n of them in the digest. */
void fault_fold(fault_case *c, const double *x, int n);
void fault_fold_text(fault_case *c, const char *text);

/** From now on the n-th occurrence (from 0) of that kind fails, and only it; n < 0: none does, they are counted. */
void fault_arm(fault_kind kind, long n);
/** How many there were since then; none fails from now on. */
long fault_count(void);
/** 1 if one has failed. */
int fault_struck(void);
/** Allocations that are not freed; 0 where the sanitizer looks for them. */
long fault_live(void);
/** 1 if allocations can be refused here. */
int fault_has_memory(void);
/** 1 if this callback has to fail. */
int fault_callback(void);
/** What such a callback returns. */
enum { FAULT_CODE = 77 };

/** *to = *from with callbacks that fail when fault_arm() says. One set at a time: *from must stay. */
void fault_trap(lg_callbacks *to, const lg_callbacks *from);
/** fault_trap() of a definition of the catalog. */
void fault_trap_model(lg_model_definition *to, const lg_model_definition *from);

/** The tables, each closed by a row without a name. */
extern const fault_row fault_groups[], fault_systems[], fault_integrators[], fault_runs[], fault_groupoids[],
    fault_mechanisms[], fault_views[];

#endif
