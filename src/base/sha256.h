/* SPDX-License-Identifier: BSD-3-Clause */
/** @file sha256.h
 *  SHA-256 (FIPS 180-4): distinguishes files, even those that were crafted to look equal. */
#ifndef LIEGRP_SRC_BASE_SHA256_H
#define LIEGRP_SRC_BASE_SHA256_H

#include <stddef.h>

#include <liegrp/base/status.h>

/** 64 hexadecimal digits, and a 0. */
enum { LG_SHA256_TEXT = 65 };

void lg_sha256(char *text, const void *bytes, size_t size);
/** The SHA-256 of a file. LG_ERROR_IO, also if the file does not exist; LG_ERROR_MEMORY. */
lg_status lg_sha256_file(char *text, const char *path, lg_error *error);

#endif
