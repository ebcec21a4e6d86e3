/* SPDX-License-Identifier: BSD-3-Clause */
/* axis=X,Y,Z with angle=A; euler=zyx:A,B,C; rotation=X,Y,Z. */
#include "cli/lib/attitude.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/options.h"

static const char *const words[] = {"axis", "angle", "euler", "rotation", "qx", "qy", "qz", "qw", NULL};
enum { AXIS, ANGLE, EULER, ROTATION, QX };

/* Words ----------------------------------------------------------------------------------------------------------- */

/* The number of the attitude word in `name`, or -1. *place takes the text before it, which is empty or ends in '_', and
 * the text after it, which is empty or begins with '_'. */
static int word_of(const char *name, cli_place *place)
{
    const size_t length = strcspn(name, "=");
    for (int i = 0; words[i] != NULL; i++) {
        const size_t used = strlen(words[i]);
        for (size_t at = 0; at + used <= length; at++) {
            const size_t rest = length - at - used;
            if (strncmp(name + at, words[i], used) != 0 || at >= CLI_PREFIX || rest >= CLI_SUFFIX) continue;
            if ((at > 0 && name[at - 1] != '_') || (rest > 0 && name[at + used] != '_')) continue;
            snprintf(place->prefix, CLI_PREFIX, "%.*s", (int)at, name);
            snprintf(place->suffix, CLI_SUFFIX, "%.*s", (int)rest, name + at + used);
            return i;
        }
    }
    return -1;
}

static int has_column(const cli_system *S, const char *stem, const cli_place *place)
{
    char name[CLI_PREFIX + CLI_SUFFIX + 8];
    snprintf(name, sizeof name, "%s%s%s", place->prefix, stem, place->suffix);
    return S->kind->configures(S, name);
}

int cli_attitude_is(const cli_system *S, const char *text)
{
    cli_place place;
    const int word = word_of(text, &place);
    if (word < 0 || !has_column(S, "qw", &place)) return 0;
    if (word >= QX) return 2;
    return !has_column(S, words[word], &place);
}

/* The attitude in this place; a new one if needed. NULL: too many. */
static cli_attitude *find(cli_attitudes *a, const cli_place *place)
{
    for (int i = 0; i < a->count; i++) {
        const cli_place *other = &a->of[i].place;
        if (strcmp(other->prefix, place->prefix) == 0 && strcmp(other->suffix, place->suffix) == 0) return &a->of[i];
    }
    if (a->count == CLI_ATTITUDES) return NULL;
    memset(&a->of[a->count], 0, sizeof a->of[0]);
    a->of[a->count].place = *place;
    return &a->of[a->count++];
}

/* Numbers --------------------------------------------------------------------------------------------------------- */

/* `count` numbers with commas between them. */
static int read_list(const char *text, double *values, int count)
{
    for (int i = 0; i < count; i++) {
        const size_t length = strcspn(text, ",");
        char part[64];
        int degrees;
        if (length >= sizeof part || (text[length] == ',') != (i < count - 1)) return 0;
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!cli_angle(part, &values[i], &degrees)) return 0;
        text += length + 1;
    }
    return 1;
}

/* q <- q exp(angle e), e a unit vector; 0: failure. */
static int turn(double *q, const double *e, double angle)
{
    const double w[3] = {angle * e[0], angle * e[1], angle * e[2]};
    double step[4];
    return lg_group_exp(lg_so3(), step, w) == LG_OK && lg_group_compose(lg_so3(), q, q, step) == LG_OK;
}

/* SEQUENCE:A,B,C, one angle a letter: rotations one after the other about the axes as they have been turned so far. */
static int read_euler(const char *text, double *q)
{
    const size_t letters = strspn(text, "xyz");
    double angle[3];
    if (letters < 1 || letters > 3 || text[letters] != ':') return 0;
    for (size_t i = 1; i < letters; i++) {
        if (text[i] == text[i - 1]) return 0;
    }
    if (!read_list(text + letters + 1, angle, (int)letters)) return 0;
    for (size_t i = 0; i < letters; i++) {
        double e[3] = {0, 0, 0};
        e[text[i] - 'x'] = 1;
        if (!turn(q, e, angle[i])) return 0;
    }
    return 1;
}

static int read_axis(const char *text, double *axis)
{
    double length;
    if (!read_list(text, axis, 3)) return 0;
    length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (!(length > 0 && length < INFINITY)) return 0;
    for (int i = 0; i < 3; i++) axis[i] /= length;
    return 1;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static const char *option_of(const cli_attitudes *a)
{
    return a->option != NULL ? a->option : "init";
}

static int bad_value(const cli_attitudes *a, const char *command, const char *text, const char *right)
{
    return cli_wrong(command, "--%s %s: give %s", option_of(a), text, right);
}

/* The attitude that a word gives, unless another word gives it already. NULL after a message. */
static cli_attitude *claim(cli_attitudes *a, const char *command, const cli_place *place, const char *word)
{
    cli_attitude *own = find(a, place);
    const char *prefix = place->prefix, *suffix = place->suffix;
    if (own == NULL) {
        (void)cli_wrong(command, "--%s gives more than %d attitudes", option_of(a), CLI_ATTITUDES);
        return NULL;
    }
    if (own->word != NULL && (strcmp(own->word, word) != 0 || strcmp(word, "quaternion") != 0)) {
        (void)cli_wrong(command, "--%s gives the attitude%s%s twice, by %s%s%s and by %s%s%s; give it once",
                        option_of(a), suffix[0] != '\0' ? " with suffix " : "", suffix, prefix, own->word, suffix,
                        prefix, word, suffix);
        return NULL;
    }
    own->word = word;
    return own;
}

/* The angle needs no claim: it belongs to the axis, which may come later. */
static cli_attitude *take_angle(cli_attitudes *a, const char *command, const cli_place *place)
{
    cli_attitude *own = find(a, place);
    if (own != NULL && !own->has_angle) {
        own->has_angle = 1;
        return own;
    }
    (void)cli_wrong(command, "--%s %sangle%s is given twice", option_of(a), place->prefix, place->suffix);
    return NULL;
}

int cli_attitude_read(cli_attitudes *a, const char *command, const char *text)
{
    cli_place place;
    const int word = word_of(text, &place);
    const char *equal = strchr(text, '=');
    cli_attitude *own;
    double w[3];
    int degrees;
    if (equal == NULL) return cli_wrong(command, "--%s must be NAME=VALUE, got '%s'", option_of(a), text);
    own = word == ANGLE ? take_angle(a, command, &place)
                        : claim(a, command, &place, word >= QX ? "quaternion" : words[word]);
    if (own == NULL) return CLI_WRONG_USE;
    own->q[3] = 1;
    switch (word) {
    case AXIS:
        return read_axis(equal + 1, own->axis) ? CLI_WELL
                                               : bad_value(a, command, text, "axis=X,Y,Z, a vector that is not 0");
    case ANGLE:
        return cli_angle(equal + 1, &own->angle, &degrees)
                   ? CLI_WELL
                   : bad_value(a, command, text, "angle=A, in rad, or in degrees as in angle=30deg");
    case EULER:
        return read_euler(equal + 1, own->q)
                   ? CLI_WELL
                   : bad_value(a, command, text,
                               "euler=zyx:A,B,C: up to three axes, no axis twice in a row, and an angle for each (rad, "
                               "or 30deg)");
    case ROTATION:
        if (read_list(equal + 1, w, 3) && turn(own->q, w, 1)) return CLI_WELL;
        return bad_value(a, command, text, "rotation=X,Y,Z, the axis times the angle in rad");
    default:
        return CLI_WELL;
    }
}

const cli_attitude *cli_attitude_turned(cli_attitudes *a, const char *command, const char *name)
{
    cli_place place;
    (void)word_of(name, &place);
    return take_angle(a, command, &place);
}

/* Setting --------------------------------------------------------------------------------------------------------- */

static lg_status set(const cli_attitude *a, const double *q, const cli_system *S)
{
    lg_status status = LG_OK;
    for (int i = 0; i < 4 && status == LG_OK; i++) {
        char name[CLI_PREFIX + CLI_SUFFIX + 8];
        snprintf(name, sizeof name, "%s%s%s", a->place.prefix, words[QX + i], a->place.suffix);
        status = S->kind->set(S, name, q[i], 1);
    }
    return status;
}

lg_status cli_attitude_turn(const cli_attitude *a, double angle, const cli_system *S)
{
    double q[4] = {0, 0, 0, 1};
    return turn(q, a->axis, angle) ? set(a, q, S) : LG_ERROR_DOMAIN;
}

lg_status cli_attitudes_give(const cli_attitudes *a, const cli_system *S)
{
    lg_status status = LG_OK;
    for (int i = 0; i < a->count && status == LG_OK; i++) {
        const cli_attitude *own = &a->of[i];
        if (own->has_angle)
            status = cli_attitude_turn(own, own->angle, S);
        else if (own->word != NULL && strcmp(own->word, "quaternion") != 0)
            status = set(own, own->q, S);
    }
    return status;
}

int cli_attitudes_set(const cli_attitudes *a, const char *command, const cli_system *S)
{
    for (int i = 0; i < a->count; i++) {
        const cli_attitude *own = &a->of[i];
        const int by_axis = own->word != NULL && strcmp(own->word, "axis") == 0;
        if (by_axis != own->has_angle) {
            return cli_wrong(command, "--%s %s%s%s needs --%s %s%s%s=%s, too", option_of(a), own->place.prefix,
                             by_axis ? "axis" : "angle", own->place.suffix, option_of(a), own->place.prefix,
                             by_axis ? "angle" : "axis", own->place.suffix, by_axis ? "A" : "X,Y,Z");
        }
    }
    return cli_attitudes_give(a, S) == LG_OK ? CLI_WELL : cli_wrong(command, "%s", S->kind->message(S));
}
