/* SPDX-License-Identifier: BSD-3-Clause */
/* <transmission> of URDF: the ratio of the motor of a joint. */
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "multibody/files/reader.h"

/* The ratio that an element gives in text; `ratio` stays without one. */
static void read_ratio(mb_reader *r, mb_element *e, double *ratio)
{
    static const char *const names[] = {"mechanicalReduction", "mechanical_reduction"};
    for (int k = 0; k < 2; k++) {
        mb_element *c = mb_only(r, e, names[k]);
        const char *end = NULL;
        if (c == NULL) continue;
        const char *text = c->text != NULL ? c->text + strspn(c->text, " \t\r\n") : "";
        const double n = lg_decimal_read(text, &end);
        if (end == text || end[strspn(end, " \t\r\n")] != '\0' || !(n != 0) || n - n != 0)
            mb_refuse(r, c, "<%s> is '%.40s'; it must be a number other than 0", names[k], text);
        *ratio = n;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(mb_file_joint *const *)a)->name, (*(mb_file_joint *const *)b)->name);
}

static void read_transmission(mb_reader *r, mb_element *e, mb_file_joint **sorted)
{
    mb_element *joint = mb_each_element(e, "joint", NULL), *actuator = mb_each_element(e, "actuator", NULL);
    double ratio = 1;
    if (joint == NULL || mb_each_element(e, "joint", joint) != NULL ||
        (actuator != NULL && mb_each_element(e, "actuator", actuator) != NULL)) {
        mb_note(r, e,
                "<transmission> that does not drive one joint by one actuator is not read: each joint has a motor");
        mb_passed_over(e);
        return;
    }
    read_ratio(r, e, &ratio);
    read_ratio(r, joint, &ratio);
    if (actuator != NULL) read_ratio(r, actuator, &ratio);
    const char *name = mb_needed_text(r, joint, "name");
    mb_passed_over(e); /* interfaces of controllers */
    if (r->status != LG_OK) return;
    mb_file_joint key = {.name = name}, *wanted = &key;
    mb_file_joint **found = bsearch(&wanted, sorted, (size_t)r->joints, sizeof *sorted, by_name);
    if (found == NULL || (*found)->motor == NULL) {
        mb_note(r, joint, "<transmission>: joint '%.60s' has no motor", name);
        return;
    }
    if ((*found)->ratio != 0 && (*found)->ratio != ratio)
        mb_refuse(r, joint, "joint '%.60s' has transmissions with the ratios %g and %g; keep one of them", name,
                  (*found)->ratio, ratio);
    (*found)->ratio = ratio;
}

void mb_read_transmissions(mb_reader *r)
{
    if (r->status != LG_OK) return;
    mb_file_joint **sorted = mb_take(r, ((size_t)r->joints + 1) * sizeof(mb_file_joint *));
    for (int i = 0; sorted != NULL && i < r->joints; i++) sorted[i] = &r->joint[i];
    if (sorted != NULL) qsort(sorted, (size_t)r->joints, sizeof *sorted, by_name);
    for (mb_element *e = r->document.root->child; e != NULL && r->status == LG_OK; e = e->next) {
        if (!mb_is(e, "transmission") && !mb_is(e, "ros2_control")) continue;
        mb_element *c = mb_is(e, "transmission") ? e : mb_each_element(e, "transmission", NULL);
        for (; c != NULL && r->status == LG_OK; c = c == e ? NULL : mb_each_element(e, "transmission", c)) {
            c->read = 1;
            read_transmission(r, c, sorted);
        }
    }
}
