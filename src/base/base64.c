/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/base64.h"

#include <string.h>

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put(lg_base64 *c, unsigned byte)
{
    c->bits = c->bits << 8 | byte;
    if (++c->bytes < 3) return;
    for (int i = 0; i < 4; i++) *c->at++ = DIGITS[c->bits >> (18 - 6 * i) & 63];
    c->bits = 0;
    c->bytes = 0;
}

void lg_base64_finish(lg_base64 *c)
{
    const int waiting = c->bytes;
    for (int i = 0; waiting > 0 && i < 4; i++)
        *c->at++ = i <= waiting ? DIGITS[(c->bits << (24 - 8 * waiting)) >> (18 - 6 * i) & 63] : '=';
    *c->at = '\0';
}

void lg_base64_double(lg_base64 *c, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    lg_base64_word(c, (uint32_t)(bits & UINT32_MAX));
    lg_base64_word(c, (uint32_t)(bits >> 32));
}

void lg_base64_float(lg_base64 *c, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    lg_base64_word(c, bits);
}

void lg_base64_word(lg_base64 *c, uint32_t x)
{
    for (int i = 0; i < 4; i++) put(c, (x >> (8 * i)) & 255u);
}
