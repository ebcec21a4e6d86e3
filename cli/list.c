/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp list: one name per line, a tab, one line of explanation. */
#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/commands.h"
#include "cli/figures/figures.h"
#include "cli/lib/names.h"
#include "cli/lib/terminal.h"

static cli_item claim_item(int i)
{
    const claim *c = claim_at_index(i);
    return c != NULL ? (cli_item){c->id, c->text} : (cli_item){NULL, NULL};
}

static const struct {
    const char *name, *text, *sign; /* `sign` is printed before each name */
    cli_list_at list;
} kinds[] = {
    {"groups", "configuration spaces", "", cli_group_at},
    {"retractions", "maps from velocities to increments", "", cli_retraction_at},
    {"methods", "integrators", "", cli_method_at},
    {"compositions", "methods of higher order made of steps of one", "@", cli_composition_at},
    {"systems", "systems of the literature", "", cli_system_at},
    {"mechanisms", "mechanisms of bodies, joints and wheels", "", cli_mechanism_at},
    {"claims", "theorems that verify checks", "", claim_item},
    {"figures", "what figure draws", "", figure_item},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static cli_item kind_at(int i)
{
    return i < KINDS ? (cli_item){kinds[i].name, kinds[i].text} : (cli_item){NULL, NULL};
}

static const cli_option options[] = {{NULL, NULL, NULL}};

static const cli_item exits[] = {{"0", "success"}, {"2", "wrong use"}, {NULL, NULL}};

const cli_manual cli_list_manual = {
    .command = "list",
    .summary = "names of groups, retractions, methods, compositions, systems, mechanisms, claims, figures",
    .usage = "liegrp list [groups|retractions|methods|compositions|systems|mechanisms|claims|figures]",
    .text = "Prints one name per line, a tab, and one line of explanation; on a terminal, columns. Without an "
            "argument: all lists.\n\n"
            "A method is NAME[:OPTION,...][@COMPOSITION]: sem, sem:gauss=6, dla:alpha=0.4, sem@suzuki4.",
    .options = options,
    .exits = exits,
    .examples = "liegrp list systems",
    .words = kind_at,
};

static int unknown_kind(const char *word)
{
    const char *names[KINDS + 1] = {NULL};
    for (int i = 0; i < KINDS; i++) names[i] = kinds[i].name;
    return cli_unknown("list", "list", word, names);
}

static void print_title(int kind)
{
    printf("%s%s%s:%s\n", kind > 0 ? "\n" : "", cli_coloured(stdout, CLI_TITLE), kinds[kind].name,
           cli_coloured(stdout, CLI_PLAIN));
}

static void print_list(int kind)
{
    const int width = cli_width(stdout);
    if (width >= 40) {
        cli_write_items(stdout, kinds[kind].list, kinds[kind].sign, width);
        return;
    }
    for (int i = 0;; i++) {
        const cli_item item = kinds[kind].list(i);
        if (item.name == NULL) return;
        printf("%s%s\t%s\n", kinds[kind].sign, item.name, item.text);
    }
}

int cli_list(int argc, char **argv)
{
    cli_parser p = cli_begin("list", options, argc, argv);
    int chosen = -1;
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) return cli_print_help(&cli_list_manual);
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (chosen >= 0) return cli_wrong("list", "unexpected argument '%s': one list at a time", p.value);
        for (int i = 0; i < KINDS; i++) {
            if (strcmp(kinds[i].name, p.value) == 0) chosen = i;
        }
        if (chosen < 0) return unknown_kind(p.value);
    }
    for (int i = 0; i < KINDS; i++) {
        if (chosen < 0) print_title(i);
        if (chosen < 0 || chosen == i) print_list(i);
    }
    return cli_flush("list", CLI_WELL);
}
