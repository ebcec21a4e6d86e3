/* SPDX-License-Identifier: BSD-3-Clause */
/* The playground's side of WebAssembly: see shim.c and describe.c. */
#ifndef LIEGRP_WEB_SHIM_H
#define LIEGRP_WEB_SHIM_H

typedef struct pg_system pg_system;
typedef struct pg_run pg_run;

/* The place on the page where a message belongs; pg_set() accepts the first three. */
enum pg_place { PG_PARAMETERS, PG_INITIAL, PG_CONTROLS, PG_METHOD, PG_RETRACTION, PG_STEP, PG_SYSTEM, PG_NOWHERE };

/* Versions, systems with their summaries, methods, compositions, retractions: JSON, to be freed. */
char *pg_catalog(void);

/* A system or a mechanism by name. NULL: out of memory; otherwise pg_describe() says whether there is one. */
pg_system *pg_open(const char *name);
void pg_close(pg_system *s);
/* The last refusal, and what it is about. */
const char *pg_message(const pg_system *s);
int pg_where(const pg_system *s);
/* Sets a parameter, an initial value or a control before runs start. 0: refused. */
int pg_set(pg_system *s, int place, const char *name, double value);
/* Source, step, parameters, initial values, controls, columns, methods with the reasons of refusals: JSON, to be freed;
 * NULL: unknown system, see pg_message(). */
char *pg_describe(pg_system *s);

/* A run, at its first state. It uses the system, whose values must not be set any more. Step 0: the system's own.
 * NULL: refused. */
pg_run *pg_start(pg_system *s, const char *method, const char *retraction, double step, int project);
void pg_end(pg_run *r);
/* Makes steps and returns how many; fewer than asked: pg_run_message() says why. */
int pg_step(pg_run *r, int steps);
const char *pg_run_message(const pg_run *r);
/* The row of the present state, a number for each column. */
const double *pg_row(const pg_run *r);
/* Poses of the bodies of its scene, 7 numbers each; the scene as JSON, which the run owns; NULL: no scene. */
const double *pg_poses(pg_run *r);
int pg_bodies(const pg_run *r);
const char *pg_scene(pg_run *r);

#endif
