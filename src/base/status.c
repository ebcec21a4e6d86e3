/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts and names of the statuses, from the list in the header. */
#include <liegrp/base/status.h>

const char *lg_status_text(lg_status status)
{
    switch (status) {
#define LG_STATUS_CASE(name, text)                                                                                     \
    case name:                                                                                                         \
        return text;
        LG_STATUS_LIST(LG_STATUS_CASE)
#undef LG_STATUS_CASE
    case LG_STATUS_COUNT:
        break;
    }
    return "unknown status";
}

const char *lg_status_name(lg_status status)
{
    switch (status) {
#define LG_STATUS_CASE(name, text)                                                                                     \
    case name:                                                                                                         \
        return #name;
        LG_STATUS_LIST(LG_STATUS_CASE)
#undef LG_STATUS_CASE
    case LG_STATUS_COUNT:
        break;
    }
    return "LG_UNKNOWN_STATUS";
}
