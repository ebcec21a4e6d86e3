/* SPDX-License-Identifier: BSD-3-Clause */
#include <liegrp/base/version.h>

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *lg_version(void)
{
    return TEXT(LG_VERSION_MAJOR) "." TEXT(LG_VERSION_MINOR) "." TEXT(LG_VERSION_PATCH);
}
