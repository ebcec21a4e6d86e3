#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes one page of playground.html: embed.py OUTPUT playground.html NAME=FILE..., where each FILE replaces /*{NAME}*/."""
import re
import sys

output, frame, *files = sys.argv[1:]
with open(frame, encoding="utf-8") as f:
    page = f.read()
parts = {}
for word in files:
    name, path = word.split("=", 1)
    with open(path, encoding="utf-8") as f:
        parts[name] = f.read().strip()


def part(match):
    text = parts.pop(match[1])
    if re.search(r"</(script|style)", text, re.IGNORECASE):
        sys.exit(f"embed.py: {match[1]} would end its element")
    return text


page = re.sub(r"/\*\{([^}]*)\}\*/", part, page)
if parts:
    sys.exit("embed.py: the page has no place for " + ", ".join(parts))
with open(output, "w", encoding="utf-8", newline="\n") as f:
    f.write(page)
