/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements and attributes of a file that are not read: a remark where the motion stays the same, else a refusal, unless
 * the caller ignores them by name. The lists of MJCF. */
#include <math.h>
#include <string.h>

#include "multibody/files/mjcf.h"

static const mb_harmless elements[] = {
    {"mujoco", "asset visual statistic size custom default contact"},
    {"body", "camera light geom"},
    {"worldbody", "camera light geom"},
    {"default", "*"},
    {"asset", "*"},
    {NULL, NULL},
};

static const mb_harmless attributes[] = {
    {"mujoco", "model"},
    {"compiler", "discardvisual usethread convexhull texturedir fusestatic saveinertial alignfree maxhullvert"},
    {"option",
     "apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance magnetic o_margin "
     "o_solref o_solimp o_friction integrator cone jacobian solver iterations ls_iterations noslip_iterations "
     "ccd_iterations mpr_iterations sdf_iterations sdf_initpoints collision sleep_tolerance"},
    {"flag",
     "contact limit warmstart filterparent refsafe sensor midphase nativeccd eulerdamp autoreset island multiccd "
     "energy fwdinv invdiscrete override sleep"},
    {"body", "user mocap sleep"},
    {"joint", "group user solref solimp solreflimit solimplimit solreffriction solimpfriction margin actuatorgravcomp "
              "active"},
    {"freejoint", "group align"},
    {"mesh", "*"},
    {"connect", "solref solimp active class"},
    {"weld", "solref solimp active class torquescale"},
    {"fixed", "group user solreflimit solimplimit solreffriction solimpfriction margin class width rgba material"},
    {"spatial", "group user solreflimit solimplimit solreffriction solimpfriction margin class width rgba material"},
    {"tendon", "solref solimp active class"},
    {"motor", "group user ctrllimited forcelimited actlimited lengthrange actearly ctrlrange class"},
    {"position", "group user ctrllimited forcelimited actlimited lengthrange actearly ctrlrange class"},
    {"velocity", "group user ctrllimited forcelimited actlimited lengthrange actearly ctrlrange class"},
    {"general", "group user ctrllimited forcelimited actlimited lengthrange actearly ctrlrange class"},
    {"intvelocity", "group user ctrllimited forcelimited actlimited lengthrange actearly ctrlrange class"},
    {"damper", "group user ctrllimited forcelimited actlimited lengthrange actearly ctrlrange class"},
    {"cylinder", "group user ctrllimited forcelimited actlimited lengthrange actearly ctrlrange class"},
    {NULL, NULL},
};

static int is_among(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return 1;
    return strcmp(words, "*") == 0;
}

static int is_harmless(const mb_harmless *list, const char *of, const char *word)
{
    for (; list->words != NULL; list++)
        if (strcmp(list->of, of) == 0 && is_among(list->words, word)) return 1;
    return 0;
}

/* 1: the caller ignores what has this name. */
int mb_ignores(const mb_reader *r, const char *name)
{
    const char *const *all = r->options.ignore, *const *at = all;
    while (at != NULL && *at != NULL && strcmp(*at, name) != 0) at++;
    if (at == NULL || *at == NULL) return 0;
    r->ignored[at - all] = 1;
    return 1;
}

/* 1: an element or an attribute of the file has this name. */
static int occurs(const mb_reader *r, const char *name)
{
    for (const mb_element *e = r->document.root; e != NULL;) {
        if (mb_is(e, name)) return 1;
        for (const mb_attribute *a = e->attribute; a != NULL; a = a->next)
            if (strcmp(a->name, name) == 0) return 1;
        const mb_element *next = e->child;
        for (; next == NULL && e != NULL; e = e->parent) next = e->next;
        e = next;
    }
    return 0;
}

void mb_note_idle_names(mb_reader *r)
{
    const char *const *all = r->options.ignore;
    for (int i = 0; all != NULL && all[i] != NULL && r->status == LG_OK; i++)
        if (!r->ignored[i])
            mb_note(r, r->document.root, "nothing is ignored as '%.60s': %s", all[i],
                    occurs(r, all[i]) ? "what has this name is read, or changes no motion"
                                      : "no element and no attribute of the file has this name");
}

/* A number that says nothing: 0, or the word that is the default. */
static int says_nothing(const char *value)
{
    if (strcmp(value, "none") == 0 || strcmp(value, "false") == 0 || strcmp(value, "enable") == 0) return 1;
    return value[0] != '\0' && value[strspn(value, "0.-+ \t\r\n")] == '\0';
}

#define WITH_CONTACTS "; as dry friction: --contacts (lg_mechanism_file::contacts)"

/* 1: friction of a joint, which is read with contacts. */
static int is_dry_friction(const mb_reader *r, const mb_element *e, const mb_attribute *a)
{
    return !r->options.contacts && ((mb_is(e, "joint") && strcmp(a->name, "frictionloss") == 0) ||
                                    (mb_is(e, "dynamics") && strcmp(a->name, "friction") == 0));
}

static void judge_attributes(mb_reader *r, mb_element *e, const mb_harmless *list)
{
    for (mb_attribute *a = e->attribute; a != NULL && r->status == LG_OK; a = a->next) {
        if (a->read || strncmp(a->name, "xmlns", 5) == 0) continue;
        if (is_harmless(list, e->name, a->name)) continue; /* a remark says it */
        a->read = 1;
        if (mb_ignores(r, a->name))
            mb_note(r, e, "%.40s of <%.40s> is ignored, as you ask", a->name, e->name);
        else if (!says_nothing(a->value))
            mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                         "%.40s of <%.40s> is not read and would change the motion; without it: --ignore %.40s "
                         "(lg_mechanism_file::ignore)%s",
                         a->name, e->name, a->name, is_dry_friction(r, e, a) ? WITH_CONTACTS : "");
    }
}

static void judge_element(mb_reader *r, mb_element *e, const mb_harmless *list)
{
    if (is_harmless(list, e->parent->name, e->name)) return;
    if (mb_ignores(r, e->name))
        mb_note(r, e, "<%.40s> is ignored, as you ask", e->name);
    else
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "<%.40s> is not read and would change the motion; without it: --ignore %.40s "
                     "(lg_mechanism_file::ignore)",
                     e->name, e->name);
    mb_passed_over(e);
}

void mb_judge_unread(mb_reader *r, const mb_harmless *of_elements, const mb_harmless *of_attributes)
{
    for (mb_element *e = r->document.root; e != NULL && r->status == LG_OK;) {
        const int look = mb_is(e, "visual");
        if (e->read && !look)
            judge_attributes(r, e, of_attributes);
        else if (!look)
            judge_element(r, e, of_elements);
        mb_element *next = e->read && !look ? e->child : NULL;
        for (; next == NULL && e != NULL; e = e->parent) next = e->next;
        e = next;
    }
}

void mb_note_limits(mb_reader *r)
{
    int limits = 0;
    for (int i = 0; i < r->joints; i++) {
        const mb_file_joint *j = &r->joint[i];
        limits += j->several == 0 && mb_is_limited(&j->all) && !j->all.stops;
        for (int k = 0; k < j->several; k++) limits += mb_is_limited(&j->each[k]) && !j->each[k].stops;
    }
    if (r->status == LG_OK && limits > 0)
        mb_note(r, r->document.root, "%d joint limit%s watched, not enforced", limits, limits > 1 ? "s are" : " is");
}

void mb_note_contacts(mb_reader *r, int colliding, const char *things)
{
    if (r->status != LG_OK || colliding == 0 || r->options.contacts == LG_FILE_CONTACTS_ALL) return;
    if (r->options.contacts == LG_FILE_CONTACTS_GROUND)
        mb_note(r, r->document.root, "%d colliding %s touch planes alone and pass through each other, as you ask",
                colliding, things);
    else if (r->options.contacts)
        mb_note(r, r->document.root, "%d colliding %s pass through each other and the ground, as you ask", colliding,
                things);
    else if (colliding > 1)
        mb_note(r, r->document.root, "%d colliding %s pass through each other", colliding, things);
}

void mj_judge_unread(mb_reader *r)
{
    mb_judge_unread(r, elements, attributes);
}
