#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes one self-contained page: embed.py [--assembler SOURCE] OUTPUT PAGE.html FILE...

Each FILE replaces /*{NAME}*/ in PAGE.html. SOURCE becomes an assembler file that holds the page as the text
`cli_view_page`, so that no compiler has to read it; the page has a place for data.
"""
import argparse
import os
import re
import sys

MARK = "@LIEGRP_VIEW_DATA@"  # LG_VIEW_MARK


def read(name):
    with open(name, encoding="utf-8") as f:
        return f.read()


def write(name, text):
    with open(name, "w", encoding="utf-8", newline="\n") as f:
        f.write(text)


def embed(frame, files):
    parts = {os.path.basename(name): read(name).strip() for name in files}

    def part(match):
        text = parts.pop(match[1])
        if re.search(r"</(script|style)|<!--", text, re.IGNORECASE):
            sys.exit(f"embed.py: {match[1]} would end its element")
        return text

    page = re.sub(r"/\*\{([^}]*)\}\*/", part, read(frame))
    if parts:
        sys.exit("embed.py: the page has no place for " + ", ".join(parts))
    return page


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--assembler", metavar="SOURCE")
    p.add_argument("output")
    p.add_argument("frame")
    p.add_argument("files", nargs="+")
    a = p.parse_args()
    page = embed(a.frame, a.files)
    if a.assembler and page.count(MARK) != 1:
        sys.exit(f"embed.py: {MARK} does not occur in the page exactly once")
    write(a.output, page)
    if a.assembler:
        name = os.path.abspath(a.output).replace("\\", "\\\\").replace('"', '\\"')
        write(a.assembler, f"""/* Made by web/embed.py. */
        .section .rodata
        .global cli_view_page
        .hidden cli_view_page
        .type cli_view_page, %object
cli_view_page:
        .incbin "{name}"
        .byte 0
        .size cli_view_page, . - cli_view_page
        .section .note.GNU-stack, "", %progbits
""")


main()
