#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""filter.py FILE: a page or a header as Doxygen reads it, line by line.

Doxygen ends code in backquotes at an apostrophe, as if it were a quotation, and shows the rest of the table or paragraph
as text; with two backquotes on each side it does not. Formulas, $inline$ and $$on lines of their own$$, are elements of
HTML, which formulas.js typesets; Doxygen's own need LaTeX or a network. Code in a heading is shown with its elements. The
text of a link may not go over the end of a line. The backslash of an escaped circumflex is shown. And what a macro makes
of a list has no description: that of the statuses is in it."""
import html
import pathlib
import re
import sys

CODE = re.compile(r"(?<![`\\])`([^`\n]*\n?[^`\n]*)`(?!`)")
FORMULA = re.compile(r'(`[^`]*`|<!--.*?-->)|\$\$(.+?)\$\$|\$([^$\n]+)\$', re.S)
KATEX = ('@htmlonly<link rel="stylesheet" href="katex/katex.min.css"><link rel="stylesheet" href="formulas.css">'
         '<script defer src="katex/katex.min.js"></script><script defer src="formulas.js"></script>@endhtmlonly\n')
HEADING = re.compile(r'^#+ .*$', re.M)
LINK = re.compile(r'\[([^]\n]*)\n([^]\n]*)\]\(([^)\s]*)\)')


def formula(found):
    """The element of a formula; code and comments stay."""
    if found[1]:
        return found[1]
    if found[2]:
        return f'@htmlonly[block]<div class="math display">{html.escape(found[2], quote=False)}</div>@endhtmlonly'
    # Doxygen puts a space before @htmlonly: inside the element it does not show.
    return f'<span class="math">@htmlonly {html.escape(found[3], quote=False)}@endhtmlonly</span>'


def page(text):
    """Blocks of code stay."""
    formulas = 0
    for i, part in enumerate(re.split(r'(^```.*?^```$)', text, flags=re.M | re.S)):
        if i % 2 == 0:
            written, part = part, FORMULA.sub(formula, part)
            formulas += part != written
            part = CODE.sub(lambda code: f'``{code[1]}``' if "'" in code[1] else code[0], part)
            part = HEADING.sub(lambda heading: heading[0].replace('`', ''), part)
            part = LINK.sub(r'[\1 \2](\3)\n', part).replace(r'\^', '^')
        yield part
    if formulas:
        yield '\n' + KATEX


def header(text):
    statuses = ' '.join(f'{name}, /**< {what} */' for name, what in re.findall(r'^    X\((LG_\w+), "(.*)"\)', text, re.M))
    yield text.replace('LG_STATUS_LIST(LG_STATUS_ENUM)', statuses)


file = pathlib.Path(sys.argv[1])
sys.stdout.writelines((page if file.suffix == '.md' else header)(file.read_text(encoding='utf-8')))
