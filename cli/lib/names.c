/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/names.h"

#include <string.h>

#include <liegrp/liegrp.h>

static const cli_item end = {NULL, NULL};

int cli_item_count(cli_list_at list)
{
    int count = 0;
    while (list(count).name != NULL) count++;
    return count;
}

cli_item cli_group_at(int i)
{
    static const cli_item groups[] = {
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
        {NULL, NULL},
    };
    return groups[i];
}

static const char *retraction_text(const char *name)
{
    if (strcmp(name, "exp") == 0) return "the exponential (default)";
    if (strcmp(name, "cayley") == 0) return "the Cayley map (1 - xi/2)^-1 (1 + xi/2)";
    if (strcmp(name, "second-kind") == 0) return "exp(xi_1 e_1) ... exp(xi_n e_n), left to right; not symmetric";
    if (strncmp(name, "exp:order=", 10) == 0) return "the exponential, its tangents truncated at this order (0 to 20)";
    return "";
}

cli_item cli_retraction_at(int i)
{
    const char *name = lg_retraction_names()[i];
    return name != NULL ? (cli_item){name, retraction_text(name)} : end;
}

cli_item cli_method_at(int i)
{
    const char *name = lg_method_names()[i];
    return name != NULL ? (cli_item){name, lg_method_summary(name)} : end;
}

cli_item cli_method_number_at(int i)
{
    static const cli_item numbers[] = {
        {"sem:gauss=", "quadrature nodes, 1 to 8"},
        {"gni:alpha=", "GNI at q_A, A from 0 (left end) to 1"},
        {"gni:symmetric-alpha=", "GNI at q_A and q_{1-A}, A from 0 to 1"},
        {"dla:alpha=", "DLA at q_A, A from 0 (left end) to 1"},
        {"dla:symmetric-alpha=", "DLA at q_A and q_{1-A}, A from 0 to 1"},
        {"variational:alpha=", "the potential at q_A, A from 0 (left end) to 1"},
        {"variational:symmetric-alpha=", "the potential at q_A and q_{1-A}, A from 0 to 1"},
        {"gauss:stages=", "stages, 1 to 8, or 16"},
        {NULL, NULL},
    };
    return numbers[i];
}

cli_item cli_composition_at(int i)
{
    const char *name = lg_composition_names()[i];
    return name != NULL ? (cli_item){name, lg_composition_summary(name)} : end;
}

cli_item cli_system_at(int i)
{
    const char *name = lg_catalog_names()[i];
    return name != NULL ? (cli_item){name, lg_catalog_definition(name)->summary} : end;
}

cli_item cli_mechanism_at(int i)
{
    return i < lg_gallery_count() ? (cli_item){lg_gallery_name(i), lg_gallery_text(i)} : end;
}

cli_item cli_any_system_at(int i)
{
    const int systems = cli_item_count(cli_system_at);
    return i < systems ? cli_system_at(i) : cli_mechanism_at(i - systems);
}

cli_item cli_start_at(int i)
{
    static const cli_item starts[] = {
        {"reaction", "J xi_0 plus half a step of the first reaction (default)"},
        {"legendre", "J xi_0, the momentum of the initial velocity"},
        {"paper", "as Ferraro, Iglesias and Martin de Diego (2008) start: (dtau^-1_{h xi_0})^* J xi_0"},
        {NULL, NULL},
    };
    return starts[i];
}
