/* SPDX-License-Identifier: BSD-3-Clause */
/* Panels and curves of the picture of a run. In --plot-columns, PANEL/PANEL/... are panels, ITEM,ITEM,... the curves of
 * a panel. An item is a column, a pattern such as xi_*, a plane curve X:Y, or one of the words `motion` and
 * `conserved`. Further columns: NAME_change, the change since the start; work; balance, which is energy minus initial
 * energy minus work; e1_x, ..., e3_z, the axes of a body in space (e3_x_2: of the second body; frame_e3_x: of a
 * mechanism's body).
 */
#ifndef LIEGRP_CLI_PLOT_COLUMNS_H
#define LIEGRP_CLI_PLOT_COLUMNS_H

#include "cli/lib/system.h"

enum { PLOT_SOURCES = 96, PLOT_CURVES = 96, PLOT_PANELS = 12, PLOT_NAME = 168 };

typedef enum plot_kind { PLOT_COLUMN, PLOT_CHANGE, PLOT_AXIS, PLOT_WORK, PLOT_BALANCE } plot_kind;

/* A quantity: a number per row. */
typedef struct plot_source {
    plot_kind kind;
    int column;          /* of a row; of an axis: that of qx */
    int axis, component; /* of an axis, from 0 */
    char name[PLOT_NAME], unit[40];
} plot_source;

typedef struct plot_curve {
    int x, y; /* sources; x -1: against t */
} plot_curve;

typedef struct plot_panel {
    int first, count; /* curves */
    int planes;       /* 1: plane curves, 0: curves against t */
} plot_panel;

typedef struct plot_choice {
    plot_source source[PLOT_SOURCES];
    plot_curve curve[PLOT_CURVES];
    plot_panel panel[PLOT_PANELS];
    int sources, curves, panels;
    int chosen; /* 1: by the user; columns without values are reported */
} plot_choice;

/* Reads a choice; NULL: the system's own, or one that suits its group. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_plot_choose(plot_choice *c, const char *command, const cli_system *S, const char *text);
/* 1: work or balance is among the sources. */
int cli_plot_needs_work(const plot_choice *c);

#endif
