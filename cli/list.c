/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp list: one name per line, a tab, one line of explanation. */
#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/figures/figures.h"
#include "cli/lib/options.h"

static const cli_option options[] = {{NULL, NULL, NULL}};

typedef struct entry {
    const char *name, *summary;
} entry;

static void print_entries(const entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) printf("%s\t%s\n", entries[i].name, entries[i].summary);
}

static void list_groups(void)
{
    static const entry groups[] = {
        {"R^n", "vectors; columns named by the system"},
        {"T^n", "angles in (-pi, pi], unwrapped in files; columns named by the system"},
        {"SO(3)", "rotations as unit quaternions; columns qx, qy, qz, qw"},
        {"SO(2)", "rotations of the plane as unit complex numbers; column angle (unwrapped)"},
        {"SE(2)", "motions of the plane; columns x, y, theta (unwrapped)"},
        {"SE(3)", "motions of space; columns x, y, z, qx, qy, qz, qw"},
        {"SE_2(3)", "extended poses: position, velocity, attitude; columns x, y, z, vx, vy, vz, qx, qy, qz, qw"},
        {"SO(n)", "rotations of R^n as matrices"},
        {"SO(p,q)", "matrices that preserve diag(1, ..., 1, -1, ..., -1)"},
        {"Sp(2n)", "symplectic matrices"},
        {"quadratic", "matrices with Y^T P Y = P for any invertible P"},
        {"product", "direct products of any number of these"},
    };
    print_entries(groups, sizeof groups / sizeof *groups);
}

static const char *retraction_summary(const char *name)
{
    if (strcmp(name, "exp") == 0) return "the exponential (default)";
    if (strcmp(name, "cayley") == 0) return "the Cayley map (1 - xi/2)^-1 (1 + xi/2)";
    if (strcmp(name, "second-kind") == 0) return "exp(xi_1 e_1) ... exp(xi_n e_n), left to right; not symmetric";
    if (strncmp(name, "exp:order=", 10) == 0) return "the exponential, its tangents truncated at this order (0 to 20)";
    return "";
}

static void list_retractions(void)
{
    for (const char *const *name = lg_retraction_names(); *name != NULL; name++) {
        printf("%s\t%s\n", *name, retraction_summary(*name));
    }
}

static void list_methods(void)
{
    for (const char *const *name = lg_method_names(); *name != NULL; name++) {
        const char *summary = lg_method_summary(*name);
        printf("%s\t%s\n", *name, summary != NULL ? summary : "");
    }
}

static void list_compositions(void)
{
    for (const char *const *name = lg_composition_names(); *name != NULL; name++)
        printf("@%s\t%s\n", *name, lg_composition_summary(*name));
}

static void list_systems(void)
{
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) {
        printf("%s\t%s\n", *name, lg_catalog_definition(*name)->summary);
    }
}

static void list_mechanisms(void)
{
    for (int i = 0; i < lg_gallery_count(); i++) printf("%s\t%s\n", lg_gallery_name(i), lg_gallery_text(i));
}

static void list_claims(void)
{
    const claim *c;
    for (int i = 0; (c = claim_at_index(i)) != NULL; i++) printf("%s\t%s\n", c->id, c->text);
}

static void list_figures(void)
{
    const figure *f;
    for (int i = 0; (f = figure_at(i)) != NULL; i++) printf("%s\t%s\n", f->name, f->summary);
}

static const char *const kinds[] = {"groups", "retractions", "methods", "compositions", "systems", "mechanisms",
                                    "claims", "figures",     NULL};
static void (*const lists[])(void) = {list_groups,  list_retractions, list_methods, list_compositions,
                                      list_systems, list_mechanisms,  list_claims,  list_figures};

static int help(void)
{
    puts("usage: liegrp list [groups|retractions|methods|compositions|systems|mechanisms|claims|figures]\n\n"
         "Prints one name per line, a tab, and one line of explanation. Without an argument: all lists.\n"
         "A method is NAME[:OPTION,...][@COMPOSITION]: sem, sem:gauss=6, dla:alpha=0.4, sem@suzuki4.\n");
    cli_print_options(options);
    return cli_flush("list", CLI_WELL);
}

int cli_list(int argc, char **argv)
{
    cli_parser p = cli_begin("list", options, argc, argv);
    int chosen = -1;
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) return help();
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (chosen >= 0) return cli_wrong("list", "unexpected argument '%s': one list at a time", p.value);
        for (int i = 0; kinds[i] != NULL; i++) {
            if (strcmp(kinds[i], p.value) == 0) chosen = i;
        }
        if (chosen < 0) return cli_unknown("list", "list", p.value, kinds);
    }
    for (int i = 0; kinds[i] != NULL; i++) {
        if (chosen < 0) printf("%s%s:\n", i > 0 ? "\n" : "", kinds[i]);
        if (chosen < 0 || chosen == i) lists[i]();
    }
    return cli_flush("list", CLI_WELL);
}
