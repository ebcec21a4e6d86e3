/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: theorems of the papers, and our own, as checks that measure.
 *
 * A claim is an entry of the ledger. Checking it fills a report with measurements: a figure of one system under one
 * method and retraction, with the range in which it must lie and the origin of that range. A claim holds if all its
 * measurements pass. Controls are measurements that must fail the claim's own bound (a system to which the theorem does
 * not apply, a coefficient that is wrong on purpose), inverted so that the control passes when it fails the bound: a
 * check that cannot fail proves nothing. A control of the ledger's own systems must fail. Whether a user's system shows
 * the effect depends on the system (a free particle drifts under no method): controls without effect are
 * skipped, and the output lists them.
 *
 * Everything here goes through the library's public API. */
#ifndef CLAIMS_CLAIMS_H
#define CLAIMS_CLAIMS_H

#include <liegrp/liegrp.h>

/* One figure with its range; names are truncated. */
typedef struct claim_measure {
    char system[96], method[40], retraction[24]; /* "" if the measurement has none */
    char what[120];                              /* "largest |H - H_0| / |H_0|, 10000 steps of 0.1" */
    double value, low, high;                     /* passes if low <= value <= high */
    const char *why;                             /* the origin of the range */
    int control; /* 1: the measured quantity violates the claim, and the measurement must show it */
    int passed;
    int skipped;                   /* 1: a user's system does not show it: a control's effect, an order above round-off;
                                    * no part of the verdict */
    char trouble[LG_MESSAGE_SIZE]; /* the reason why it could not be measured, "" if it was */
} claim_measure;

/* The result of checking a claim. */
typedef struct claim_report {
    int full;                        /* 1: includes the long runs */
    const lg_model_definition *only; /* a user's system instead of the ledger's, NULL: the ledger's */
    claim_measure *measures;         /* `count` of them */
    int count, room;
    int broken;                                  /* 1: memory ran out */
    double seconds;                              /* time of the check */
    double slack;                                /* factor on bounds of round-off for a user's system; 0: unchanged */
    char system[96], method[40], retraction[24]; /* the case of the measurements that follow */
} claim_report;

typedef struct claim {
    const char *id;     /* "gni-energy-biinvariant"; NULL ends a list */
    const char *text;   /* the claim in a sentence or two, UTF-8 without markup */
    const char *source; /* paper and equation */
    double cost;        /* approximate time in seconds; the most expensive claims are started first */
    void (*check)(claim_report *r);
} claim;

/* Number of claims, and the i-th. */
int claim_count(void);
const claim *claim_at_index(int i);
/* The room of the i-th claim, which is its folder in claims/: "multibody". */
const char *claim_room(int i);
/* The claim of that id, or NULL. */
const claim *claim_find(const char *id);
/* The system in units in which its motion has lengths, times and energies near 1, or `definition` itself if that
 * is so already: what to pass as `only`. Before the claims start; the last one is valid. NULL: it does not start or is
 * too large for the ledger, with the reason in `why` (LG_MESSAGE_SIZE bytes). */
const lg_model_definition *claim_in_own_units(const lg_model_definition *definition, char *why);
/* Checks the chosen claims on `threads` threads; reports[i] belongs to chosen[i] and is freed by claim_report_free().
 * Calls `done` (may be NULL) after every claim, one at a time. Returns how many claims did not hold. */
int claim_verify(const claim *const *chosen, claim_report *reports, int count, int threads, int full,
                 const lg_model_definition *only, void (*done)(int index, void *context), void *context);
void claim_report_free(claim_report *r);
/* The number of measurements that a check of the ledger's systems makes, skipped ones included; 0: no such claim. */
int claim_expected(const char *id);

/* 1 if it holds: something was measured and everything passed. 0 if something failed. -1 if nothing applied, which
 * happens with a user's system only. */
int claim_verdict(const claim_report *r);
/* Number of measurements that were not skipped. */
int claim_measured(const claim_report *r);
/* The fraction of its range that a measurement uses: 0 in the middle or far inside, 1 at the edge, more than 1 outside;
 * INFINITY if it could not be measured. */
double claim_share(const claim_measure *m);
/* The measurement that represents the report: the first that failed, or else the one nearest to its bound, controls
 * excepted. NULL if there are no others. */
const claim_measure *claim_worst(const claim_report *r);

#endif
