#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes claims/framework/counts.h, the number of measurements that each claim makes:

    liegrp verify --json | tests/claims/counts.py >counts.new && mv counts.new claims/framework/counts.h

Look at the difference before you commit it: a number that falls is a combination that is no longer checked."""
import json
import sys

print("/* SPDX-License-Identifier: BSD-3-Clause */\n"
      "/* The number of measurements of each claim, by tests/claims/counts.py, which says how. No include guard: this is the\n"
      " * body of a table in claims/framework/ledger.c. */")
for claim in json.load(sys.stdin)["claims"]:
    count = sum(1 for m in claim["measures"] if not m.get("trouble", "").endswith("as it says") and
                "are expected: something" not in m.get("trouble", ""))
    print(f'{{"{claim["id"]}", {count}}},')
