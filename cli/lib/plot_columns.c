/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/plot_columns.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/lib/columns.h"
#include "cli/lib/options.h"
#include "run/model_private.h"

typedef struct reader {
    plot_choice *c;
    const char *command;
    const cli_system *S;
    const char *where; /* source of the choice: the option, or the member of the definition */
} reader;

static const char CHANGE[] = "_change";

/* Quantities ------------------------------------------------------------------------------------------------------ */

static int ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* "e3_x_2", "frame_e3_x": an axis of a body in space. 0: it is something else. */
static int find_axis(plot_source *s, const cli_system *S, const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        char quaternion[PLOT_NAME + 8];
        if (at > name && at[-1] != '_') continue;
        if (at[0] != 'e' || at[1] < '1' || at[1] > '3' || at[2] != '_') continue;
        if (at[3] < 'x' || at[3] > 'z' || (at[4] != '\0' && at[4] != '_')) continue;
        snprintf(quaternion, sizeof quaternion, "%.*sqx%s", (int)(at - name), name, at + 4);
        s->kind = PLOT_AXIS;
        s->axis = at[1] - '1';
        s->component = at[3] - 'x';
        s->column = lg_model_column_find(S->M, quaternion);
        snprintf(s->unit, sizeof s->unit, "-");
        if (s->column >= 0) return 1;
    }
    return 0;
}

static void set_column(plot_source *s, const cli_system *S, int column, plot_kind kind)
{
    cli_column text;
    cli_column_of(&text, S, column);
    s->kind = kind;
    s->column = column;
    snprintf(s->unit, sizeof s->unit, "%s", text.unit);
}

/* 0: unknown quantity. */
static int find_source(plot_source *s, const cli_system *S, const char *name)
{
    char stem[PLOT_NAME];
    int column = lg_model_column_find(S->M, name);
    memset(s, 0, sizeof *s);
    snprintf(s->name, sizeof s->name, "%s", name);
    if (column >= 0 && strcmp(name, "work") != 0) {
        set_column(s, S, column, PLOT_COLUMN);
        return 1;
    }
    if (find_axis(s, S, name)) return 1;
    if (strcmp(name, "work") == 0 || strcmp(name, "balance") == 0) {
        s->kind = name[0] == 'w' ? PLOT_WORK : PLOT_BALANCE;
        s->column = lg_model_column_find(S->M, "energy");
        snprintf(s->unit, sizeof s->unit, "%s", cli_unit(S, "J"));
        return 1;
    }
    if (!ends_in(name, CHANGE)) return 0;
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - strlen(CHANGE)), name);
    column = lg_model_column_find(S->M, stem);
    if (column >= 0) set_column(s, S, column, PLOT_CHANGE);
    return column >= 0;
}

static int wrong_name(const reader *r, const char *name)
{
    enum { MOST = 200 };
    const char *names[MOST + 4];
    const char *meant;
    int count = 0;
    for (; count < lg_model_column_count(r->S->M) && count < MOST; count++)
        names[count] = lg_model_column(r->S->M, count)->name;
    names[count++] = "work";
    names[count++] = "balance";
    names[count] = NULL;
    meant = cli_suggestion(name, names);
    return cli_wrong(r->command,
                     "%s: unknown column '%s' of %s; %s%s%sliegrp info %s lists the columns, and there are "
                     "NAME_change, work, balance%s",
                     r->where, name, r->S->name, meant != NULL ? "did you mean '" : "", meant != NULL ? meant : "",
                     meant != NULL ? "'? " : "", r->S->name,
                     lg_model_column_find(r->S->M, "qx") >= 0 ? " and e1_x ... e3_z" : "");
}

/* The number of a quantity, which is noted if it is new; -1 after a message. */
static int take_source(const reader *r, const char *name)
{
    plot_choice *c = r->c;
    for (int i = 0; i < c->sources; i++) {
        if (strcmp(c->source[i].name, name) == 0) return i;
    }
    if (c->sources == PLOT_SOURCES) {
        (void)cli_wrong(r->command, "%s: more than %d columns", r->where, PLOT_SOURCES);
        return -1;
    }
    if (!find_source(&c->source[c->sources], r->S, name)) {
        (void)wrong_name(r, name);
        return -1;
    }
    return c->sources++;
}

/* Curves and panels ----------------------------------------------------------------------------------------------- */

/* Curves of one panel have the same kind and units. */
static int fits(const plot_choice *c, const plot_panel *panel, plot_curve new)
{
    const plot_curve *old = &c->curve[panel->first];
    if (panel->count == 0) return 1;
    if ((old->x < 0) != (new.x < 0) || strcmp(c->source[old->y].unit, c->source[new.y].unit) != 0) return 0;
    return old->x < 0 || strcmp(c->source[old->x].unit, c->source[new.x].unit) == 0;
}

/* Adds a curve to the panel of its units among those from `from` on, or to a new one. */
static int add_curve(const reader *r, int from, plot_curve new)
{
    plot_choice *c = r->c;
    int at = from;
    while (at < c->panels && !fits(c, &c->panel[at], new)) at++;
    if (at == PLOT_PANELS || c->curves == PLOT_CURVES) {
        return cli_wrong(r->command, "%s: more than %d panels or %d curves", r->where, PLOT_PANELS, PLOT_CURVES);
    }
    if (at == c->panels) {
        c->panel[c->panels].first = c->curves;
        c->panel[c->panels].count = 0;
        c->panel[c->panels++].planes = new.x >= 0;
    }
    const int place = c->panel[at].first + c->panel[at].count++;
    memmove(&c->curve[place + 1], &c->curve[place], (size_t)(c->curves - place) * sizeof new);
    c->curve[place] = new;
    c->curves++;
    for (int i = at + 1; i < c->panels; i++) c->panel[i].first++;
    return CLI_WELL;
}

static int add_name(const reader *r, int from, const char *name)
{
    const plot_curve curve = {-1, take_source(r, name)};
    return curve.y >= 0 ? add_curve(r, from, curve) : CLI_WRONG_USE;
}

static int add_plane(const reader *r, int from, const char *x, const char *y)
{
    plot_curve curve;
    curve.x = take_source(r, x);
    curve.y = curve.x >= 0 ? take_source(r, y) : -1;
    return curve.y >= 0 ? add_curve(r, from, curve) : CLI_WRONG_USE;
}

/* All columns that match; with the ending _change their changes. */
static int add_pattern(const reader *r, int from, const char *pattern)
{
    const int change = ends_in(pattern, CHANGE);
    char stem[PLOT_NAME], name[2 * PLOT_NAME];
    int found = 0, status = CLI_WELL;
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(pattern) - (change ? strlen(CHANGE) : 0)), pattern);
    for (int i = 0; status == CLI_WELL && i < lg_model_column_count(r->S->M); i++) {
        if (fnmatch(stem, lg_model_column(r->S->M, i)->name, 0) != 0) continue;
        snprintf(name, sizeof name, "%s%s", lg_model_column(r->S->M, i)->name, change ? CHANGE : "");
        status = add_name(r, from, name);
        found = 1;
    }
    if (found || status != CLI_WELL) return status;
    return cli_wrong(r->command, "%s: no column of %s matches '%s'; see liegrp info %s", r->where, r->S->name, pattern,
                     r->S->name);
}

/* What suits every system ------------------------------------------------------------------------------------------ */

static int add_columns(const reader *r, int column, int count)
{
    const int from = r->c->panels;
    int status = CLI_WELL;
    for (int i = 0; i < count && status == CLI_WELL; i++)
        status = add_name(r, from, lg_model_column(r->S->M, column + i)->name);
    return status;
}

/* The third axis of the body whose quaternion begins at `column`. */
static int add_attitude(const reader *r, int column)
{
    const int from = r->c->panels;
    int status = CLI_WELL;
    for (int i = 0; i < 3 && status == CLI_WELL; i++) {
        char name[PLOT_NAME];
        snprintf(name, sizeof name, "e3_%c%s", 'x' + i, lg_model_column(r->S->M, column)->name + 2);
        status = add_name(r, from, name);
    }
    return status;
}

static int add_pair(const reader *r, int column)
{
    return add_plane(r, r->c->panels, lg_model_column(r->S->M, column)->name,
                     lg_model_column(r->S->M, column + 1)->name);
}

static int add_block(const reader *r, const lg_group_block *block, int column)
{
    enum { MOST = 9 };
    const int count = lg_block_columns(block);
    int status;
    switch (block->kind) {
    case LG_BLOCK_VECTOR:
        if (count < 2) return add_columns(r, column, 1);
        status = add_pair(r, column);
        return status == CLI_WELL ? add_columns(r, column + 2, count - 2 < MOST ? count - 2 : MOST) : status;
    case LG_BLOCK_POSITION:
        return add_pair(r, column);
    case LG_BLOCK_VELOCITY:
        return CLI_WELL;
    case LG_BLOCK_QUATERNION:
        return add_attitude(r, column);
    default:
        return add_columns(r, column, count < MOST ? count : MOST);
    }
}

static int add_motion(const reader *r)
{
    enum { MOST = 4 }; /* panels */
    int status = CLI_WELL, column;
    for (int b = 0; status == CLI_WELL && r->c->panels < MOST && b < lg_group_block_count(r->S->M->group); b++) {
        const lg_group_block block = cli_block(r->S->M, b, &column);
        status = add_block(r, &block, column);
    }
    return status;
}

/* Panels: energy and work; their balance with the invariants; the residual of the constraints. */
static int add_conserved(const reader *r)
{
    static const char *const energy[] = {"energy_change", "energy_post_change", "work"};
    const lg_model_definition *d = lg_model_describe(r->S->M);
    int from = r->c->panels, status = CLI_WELL;
    for (int i = 0; i < 3 && status == CLI_WELL; i++) status = add_name(r, from, energy[i]);
    from = r->c->panels;
    if (status == CLI_WELL) status = add_name(r, from, "balance");
    if (status == CLI_WELL && d->invariant_count > 0) status = add_pattern(r, from, "inv_*_change");
    from = r->c->panels;
    if (status == CLI_WELL && d->constraint_count + d->callbacks.holonomic_count > 0)
        status = add_name(r, from, "constraint");
    return status;
}

/* The language ---------------------------------------------------------------------------------------------------- */

static int read_text(const reader *r, const char *text);

/* A word for several panels: as the kind of system has it, else as models have it. */
static int read_word(const reader *r, const char *own, int (*add)(const reader *r))
{
    return own != NULL ? read_text(r, own) : add(r);
}

static int read_item(const reader *r, int from, char *item)
{
    char *colon = strchr(item, ':');
    if (strcmp(item, "motion") == 0) return read_word(r, r->S->kind->motion(r->S), add_motion);
    if (strcmp(item, "conserved") == 0) return read_word(r, r->S->kind->conserved(r->S), add_conserved);
    if (colon != NULL) {
        *colon = '\0';
        return add_plane(r, from, item, colon + 1);
    }
    return strpbrk(item, "*?[") != NULL ? add_pattern(r, from, item) : add_name(r, from, item);
}

static int read_text(const reader *r, const char *text)
{
    int status = CLI_WELL;
    for (int from = r->c->panels; status == CLI_WELL; text++) {
        char item[2 * PLOT_NAME];
        const size_t length = strcspn(text, ",/");
        if (length == 0 || length >= sizeof item) {
            return cli_wrong(r->command, "%s: %s; give NAME,NAME,.../NAME,...", r->where,
                             length == 0 ? "an empty name" : "a name is too long");
        }
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        status = read_item(r, from, item);
        text += length;
        if (*text == '\0') break;
        if (*text == '/') from = r->c->panels;
    }
    return status;
}

int cli_plot_choose(plot_choice *c, const char *command, const cli_system *S, const char *text)
{
    const reader r = {c, command, S, text != NULL ? "--plot-columns" : "the member `plot` of the definition"};
    const char *own = S->kind->plot(S);
    memset(c, 0, sizeof *c);
    c->chosen = text != NULL;
    if (text == NULL) text = own != NULL ? own : "motion/conserved";
    return read_text(&r, text);
}

int cli_plot_needs_work(const plot_choice *c)
{
    for (int i = 0; i < c->sources; i++) {
        if (c->source[i].kind == PLOT_WORK || c->source[i].kind == PLOT_BALANCE) return 1;
    }
    return 0;
}
