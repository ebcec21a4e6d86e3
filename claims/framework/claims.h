/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: theorems of the papers, and our own, as checks that measure.
 *
 * A claim is an entry of the ledger. Checking it fills a report with measurements: a figure of one system under one
 * method and retraction beside the range that it must lie in and where that range comes from. A claim holds if all its
 * measurements pass. Controls are measurements that must fail the claim's own bound (a system to which the theorem does
 * not apply, a coefficient that is wrong on purpose), turned round so that the control passes when it fails the bound:
 * a check that cannot turn red shows nothing.
 *
 * Everything here goes through the library's public API. */
#ifndef CLAIMS_CLAIMS_H
#define CLAIMS_CLAIMS_H

#include <liegrp/liegrp.h>

/* One figure beside its range; names are cut at their room. */
typedef struct claim_measure {
    char system[96], method[40], retraction[24]; /* "" where a measurement has none */
    char what[120];                              /* "largest |H - H_0| / |H_0|, 10000 steps of 0.1" */
    double value, low, high;                     /* passes if low <= value <= high */
    const char *why;                             /* where the range comes from */
    int control;                                 /* 1: what is measured violates the claim, and must be seen to */
    int passed;
    char trouble[LG_MESSAGE_SIZE]; /* what kept it from being measured, "" if nothing did */
} claim_measure;

/* What checking a claim gave. */
typedef struct claim_report {
    int full;                        /* 1: the long runs too */
    const lg_model_definition *only; /* a system of the user's instead of the ledger's, NULL: those */
    claim_measure *measures;         /* `count` of them */
    int count, room;
    int broken;                                  /* 1: memory ran out */
    double seconds;                              /* it took */
    char system[96], method[40], retraction[24]; /* of the measurements that follow */
} claim_report;

typedef struct claim {
    const char *id;     /* "gni-energy-biinvariant"; NULL ends a list */
    const char *text;   /* the claim in a sentence or two, UTF-8 without markup */
    const char *source; /* paper and equation */
    double cost;        /* seconds that it takes about, so that the dear ones are begun first */
    void (*check)(claim_report *r);
} claim;

/* Number of claims, and the i-th. */
int claim_count(void);
const claim *claim_at_index(int i);
/* The claim of that id, NULL if there is none. */
const claim *claim_find(const char *id);
/* Checks the chosen claims on `threads` threads; reports[i] belongs to chosen[i] and is freed by claim_report_free().
 * `told` (NULL: nobody) hears of every claim that is done, one at a time. Returns how many did not hold. */
int claim_verify(const claim *const *chosen, claim_report *reports, int count, int threads, int full,
                 const lg_model_definition *only, void (*told)(int index, void *context), void *context);
void claim_report_free(claim_report *r);

/* 1 if it holds: something was measured and everything passed. 0 if something failed. -1 if nothing applied, which
 * only a system of the user's may cause. */
int claim_verdict(const claim_report *r);
/* How much of its range a measurement uses: 0 in the middle or far inside, 1 at the edge, above it outside; INFINITY
 * where it could not be measured. */
double claim_share(const claim_measure *m);
/* The measurement that speaks for the report: the first that failed, or of those that are no controls the one nearest
 * to its bound. NULL if there is none. */
const claim_measure *claim_worst(const claim_report *r);

#endif
