/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact on the command line: options, the ground, the impacts of a run as a file, what is said of them. */
#ifndef LIEGRP_CLI_CONTACT_H
#define LIEGRP_CLI_CONTACT_H

#include <liegrp/liegrp.h>

#include "base/checkpoint.h"
#include "cli/lib/options.h"

typedef struct cli_contact_options {
    lg_file_contacts of_file; /* --contacts */
    int grounded;             /* --ground */
    double friction, restitution;
    int given; /* 1: an option of the motion is given */
    lg_contact_options motion;
} cli_contact_options;

/* Takes the value of one of these options; any other option does nothing. CLI_WELL, or CLI_WRONG_USE after a message.
 */
int cli_contact_option(cli_contact_options *o, const char *command, const cli_option *option, const char *value);
#define CLI_CONTACTS_OPTION                                                                                            \
    {                                                                                                                  \
        "contacts", "[all|ground|joints]",                                                                             \
            "of a file: shapes touch each other (the default: all), planes alone or nothing; limits of joints are "    \
            "stops, their friction is dry friction"                                                                    \
    }
#define CLI_GROUND_OPTION                                                                                              \
    {                                                                                                                  \
        "ground", "MU[,E]", "for a mechanism: surfaces touch the plane z = 0, with this friction and restitution"      \
    }
#define CLI_IMPACT_OPTION                                                                                              \
    {                                                                                                                  \
        "impact", "poisson|newton|sequential", "for a mechanism: the law of impacts, default poisson"                  \
    }
#define CLI_CAPTURE_OPTION                                                                                             \
    {                                                                                                                  \
        "capture", "SPEED", "for a mechanism: what lands slower stays, m/s, of stops also rad/s; default 0.01"         \
    }
#define CLI_NO_LOCALISE_OPTION                                                                                         \
    {                                                                                                                  \
        "no-localise", NULL, "for a mechanism: whatever lands in a step loses its normal velocity"                     \
    }
#define CLI_SEPARATE_OPTION                                                                                            \
    {                                                                                                                  \
        "separate", NULL, "for a mechanism: a start whose surfaces overlap is moved apart"                             \
    }

/* Lists them, for the label of checkpoints. */
void cli_contact_list(lg_lines *l, const cli_contact_options *o);
/* Adds the plane of --ground. */
lg_status cli_contact_ground(lg_mechanism *m, const cli_contact_options *o);
/* 1: a surface of a body can touch it, or another plane of the world. */
int cli_contact_touches(const lg_mechanism *m);

/* The impacts of a run. */
typedef struct cli_events {
    const char *file; /* NULL: they are not asked for */
    const lg_mechanism *m;
    int count, room, full; /* full: 1: out of memory */
    struct cli_event *event;
} cli_events;

/* An lg_impact_fn, with a cli_events. */
int cli_events_take(double t, const lg_impact *impacts, int count, void *context);
/* Writes those up to t, the end of the run. The exit status. */
int cli_events_write(const cli_events *e, double t);
void cli_events_free(cli_events *e);

/* "12 impacts (poisson): ..." of a motion's end; an empty text: there is nothing to say. */
void cli_contact_tell(char *text, size_t room, const lg_motion *mo, const cli_contact_options *o);

#endif
