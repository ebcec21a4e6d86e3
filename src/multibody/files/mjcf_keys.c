/* SPDX-License-Identifier: BSD-3-Clause */
/* <keyframe> of MJCF: named starts, kept as the numbers of the file. A key that is wrong does not refuse the file,
 * which it need not start; it says why when it is asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/files/mjcf.h"
#include "multibody/keys.h"

void mj_keep_joint(mj_reader *o, mb_element *at, const char *name, lg_joint_kind kind, int link)
{
    mj_joined *j = mb_take(o->r, sizeof *j);
    if (j == NULL) return;
    *j = (mj_joined){NULL, name, kind, {0, 0, 0, 1}, at};
    if (kind == LG_JOINT_FREE) memcpy(j->attitude, o->r->link[link].in_parent.g + 3, sizeof j->attitude);
    *o->joined_end = j, o->joined_end = &j->next;
}

void mj_keep_control(mj_reader *o, mb_element *actuator, int control)
{
    int *kept = mb_take(o->r, sizeof *kept);
    if (kept != NULL) *kept = control, actuator->mark = kept;
}

/* A key on its way into the block. */
typedef struct draft {
    struct draft *next;
    const char *name, *refusal;
    double time, *list[4];
    int count[4];
} draft;

static const char *const lists[] = {"qpos", "qvel", "ctrl", "act"};

/* What a key must have of each: positions, velocities, controls, activations. */
typedef struct sizes {
    int joints, need[4];
} sizes;

/* The control of an actuator; -1: it was not read. */
static int control_of(const mj_reader *o, const mb_element *actuator)
{
    if (actuator->mark == NULL) return -1;
    const int number = *(const int *)actuator->mark;
    return number <= MJ_THRUSTER ? lg_mechanism_motor_count(o->r->m) + MJ_THRUSTER - number : number;
}

/* 1: a control has an activation. */
static int acts(const mj_reader *o, int control)
{
    const lg_mechanism *m = o->r->m;
    const int motors = lg_mechanism_motor_count(m);
    if (control < 0) return 0;
    const lg_activation a =
        control < motors ? MB_MOTOR_OF(m, control)->activation : MB_THRUSTER_OF(m, control - motors)->activation;
    return a != LG_ACTIVATION_NONE;
}

static sizes count(const mj_reader *o)
{
    sizes n = {0, {0, 0, 0, 0}};
    for (const mj_joined *j = o->joined; j != NULL; j = j->next, n.joints++)
        for (int k = 0; k < 2; k++) n.need[k] += mb_keyed_count(&(mb_keyed){.kind = j->kind}, k);
    for (const mb_element *s = o->r->document.root->child; s != NULL; s = s->next)
        if (mb_is(s, "actuator"))
            for (const mb_element *e = s->child; e != NULL; e = e->next)
                n.need[2]++, n.need[3] += acts(o, control_of(o, e));
    return n;
}

static const char *fault_of(mj_reader *o, mb_element *e, const draft *d, const sizes *n)
{
    static const char *const others[] = {"mpos", "mquat"};
    for (int i = 0; i < 2; i++) {
        const char *text = mb_text(e, others[i]);
        if (text != NULL && text[0] != '\0')
            return mb_print(o->r, "%s:%d: key '%.60s' has %s, which is not read; leave it out", e->file, e->line,
                            d->name, others[i]);
    }
    for (int i = 0; i < 4; i++)
        if (d->count[i] > 0 && d->count[i] != n->need[i])
            return mb_print(o->r, "%s:%d: %s of key '%.60s' has %d numbers, and the model has %d", e->file, e->line,
                            lists[i], d->name, d->count[i], n->need[i]);
    return NULL;
}

static void read_key(mj_reader *o, mb_element *e, draft *d, int number, const sizes *n)
{
    mb_reader *r = o->r;
    const char *name = mb_text(e, "name");
    d->name = name != NULL && name[0] ? name : mb_print(r, "%d", number);
    d->time = mb_number(r, e, "time", 0);
    for (int i = 0; i < 4; i++) d->count[i] = mb_list(r, e, lists[i], &d->list[i], MB_XML_NODES);
    d->refusal = fault_of(o, e, d, n);
}

static draft *read_all(mj_reader *o, const sizes *n, int *keys)
{
    draft *first = NULL, **end = &first;
    mb_element *root = o->r->document.root;
    for (mb_element *s = mb_each_element(root, "keyframe", NULL); s != NULL; s = mb_each_element(root, "keyframe", s))
        for (mb_element *e = mb_each_element(s, "key", NULL); e != NULL; e = mb_each_element(s, "key", e)) {
            draft *d = mb_take(o->r, sizeof *d);
            if (d == NULL) return NULL;
            memset(d, 0, sizeof *d);
            read_key(o, e, d, (*keys)++, n);
            *end = d, end = &d->next;
        }
    return first;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void refuse_doubles(mb_reader *r, const draft *first, int keys)
{
    const char **name = mb_take(r, (size_t)keys * sizeof *name);
    int i = 0;
    if (name == NULL) return;
    for (const draft *d = first; d != NULL; d = d->next) name[i++] = d->name;
    qsort(name, (size_t)keys, sizeof *name, by_name);
    for (i = 1; i < keys; i++)
        if (strcmp(name[i], name[i - 1]) == 0) mb_refuse(r, NULL, "two keys are called '%.60s'; rename one", name[i]);
}

/* The next place in the block for so many bytes. */
static size_t place(size_t *bytes, size_t more)
{
    const size_t at = *bytes;
    *bytes += (more + 7) / 8 * 8;
    return at;
}

static size_t place_text(mb_keys *k, const char *text)
{
    const size_t at = place(&k->bytes, strlen(text) + 1);
    memcpy((char *)k + at, text, strlen(text) + 1);
    return at;
}

static void fill_joints(const mj_reader *o, mb_keys *k)
{
    mb_keyed *to = (mb_keyed *)(void *)((char *)k + k->keyed);
    int *control = (int *)(void *)((char *)k + k->control), *act = control + k->controls;
    for (const mj_joined *j = o->joined; j != NULL; j = j->next, to++) {
        int position;
        *to = (mb_keyed){.kind = j->kind, .joint = lg_mechanism_joint_position(o->r->m, &position, j->name)};
        to->position = position > 0 ? position : 0;
        memcpy(to->attitude, j->attitude, sizeof to->attitude);
    }
    for (const mb_element *s = o->r->document.root->child; s != NULL; s = s->next)
        if (mb_is(s, "actuator"))
            for (const mb_element *e = s->child; e != NULL; e = e->next) {
                const int own = *control++ = control_of(o, e);
                if (!acts(o, own)) continue;
                *act = 0;
                for (int i = 0; i < own; i++) *act += acts(o, i);
                act++;
            }
}

static void fill_key(mb_keys *k, mb_key *key, const draft *d)
{
    key->name = place_text(k, d->name);
    key->refusal = d->refusal != NULL ? place_text(k, d->refusal) : 0;
    key->time = d->time;
    key->number = k->bytes;
    key->positions = d->count[0], key->velocities = d->count[1], key->controls = d->count[2];
    key->activations = d->count[3];
    for (int i = 0; i < 4; i++) {
        const size_t bytes = (size_t)d->count[i] * sizeof(double);
        if (bytes > 0) memcpy((char *)k + place(&k->bytes, bytes), d->list[i], bytes);
    }
}

void mj_keys(mj_reader *o)
{
    mb_reader *r = o->r;
    const sizes n = count(o);
    int keys = 0;
    const draft *first = r->status == LG_OK ? read_all(o, &n, &keys) : NULL;
    if (first == NULL || r->status != LG_OK) return;
    refuse_doubles(r, first, keys);
    size_t bytes = 0, head;
    (void)place(&bytes, sizeof(mb_keys) + (size_t)keys * sizeof(mb_key));
    const size_t joints = place(&bytes, (size_t)n.joints * sizeof(mb_keyed)),
                 controls = place(&bytes, (size_t)(n.need[2] + n.need[3]) * sizeof(int));
    head = bytes;
    for (const draft *d = first; d != NULL; d = d->next) {
        (void)place(&bytes, strlen(d->name) + 1);
        if (d->refusal != NULL) (void)place(&bytes, strlen(d->refusal) + 1);
        for (int i = 0; i < 4; i++) (void)place(&bytes, (size_t)d->count[i] * sizeof(double));
    }
    mb_keys *k = r->status == LG_OK ? r->m->keys = calloc(1, bytes) : NULL;
    if (k == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
        return;
    }
    *k = (mb_keys){.bytes = head, .joints = n.joints, .controls = n.need[2], .keyed = joints, .control = controls};
    fill_joints(o, k);
    for (const draft *d = first; d != NULL; d = d->next) fill_key(k, &k->key[k->count++], d);
}
