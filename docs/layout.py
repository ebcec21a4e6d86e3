#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""layout.py DOCS OUTPUT: the manual's table of contents as a layout for Doxygen: the pages in the order in which
mainpage.md links to them, under its headings; pages without a link, in the order of their names; then the reference."""
import pathlib
import re
import sys
from xml.sax.saxutils import quoteattr

folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
heads = {path.name: re.match(r'# (.*?) \{#([\w-]+)\}', path.read_text()) for path in sorted(folder.glob('*.md'))}
main = heads.pop('mainpage.md')
without = [name for name, head in heads.items() if not head]
if not main or without:
    sys.exit(f'layout.py: the first line is not "# Title {{#name}}" in {", ".join(without) or "mainpage.md"}')

tabs, seen = ['<tab type="mainpage" visible="yes" title="liegrp"/>'], set()


def tab(name):
    seen.add(name)
    return f'<tab type="user" url="@ref {heads[name][2]}" title={quoteattr(heads[name][1])}/>'


for section in (folder / 'mainpage.md').read_text().split('<h2>')[1:]:
    title, _, text = section.partition('</h2>')
    names = [name for name in dict.fromkeys(re.findall(r'\]\(([\w-]+\.md)\)', text)) if name in heads and name not in seen]
    if names:
        tabs += [f'<tab type="usergroup" title={quoteattr(title)}>', *map(tab, names), '</tab>']
rest = [name for name in heads if name not in seen]
if rest:
    tabs += ['<tab type="usergroup" title="More">', *map(tab, rest), '</tab>']
tabs.append('<tab type="usergroup" title="Reference"><tab type="filelist" visible="yes" title="Headers"/>'
            '<tab type="classlist" visible="yes" title="Structs"/>'
            '<tab type="globals" visible="yes" title="Functions and types"/></tab>')
output.write_text('<doxygenlayout version="1.0"><navindex>\n' + '\n'.join(tabs) + '\n</navindex></doxygenlayout>\n')
