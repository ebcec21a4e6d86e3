#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""manual.py HTML: reads the manual as a browser would. No page shows markup that Doxygen did not understand, and no link
is dead: its page is there, and the place on that page too. Addresses on other machines are not followed. Formulas are
elements that KaTeX can typeset, and their page loads it; no TeX is seen elsewhere. Needs node."""
import functools
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

# Faults of Doxygen that a page must not show: its own words, elements and links as text, and the quotation marks that
# it makes of code that it did not recognise.
MARKUP = {'ilinebr': r'ilinebr', 'an element': r'</?(?:table|td|tr|th|tt|code|div|span|ul|li)\b[^>]*>',
          'a link of Markdown': r'\]\([^)\s]*\.(?:md|html|png)\b[^)]*\)', 'a quotation mark': r'[‘’]',
          'TeX': r'\\[A-Za-z]{2,}|\$'}
BESIDE_FORMULAS = {'an index': r'[_^]\{'}  # what is no fault on a page without formulas
SCRIPTS = 'katex/katex.min.js', 'katex/katex.min.css', 'formulas.js', 'formulas.css'  # that typeset formulas
CHECK = """const [file, formulas] = JSON.parse(require('fs').readFileSync(0));
const katex = require(file), strict = 'error';
console.log(JSON.stringify(formulas.map(({ tex, displayMode }) => {
    try { katex.renderToString(tex, { displayMode, strict }); } catch (error) { return error.message; }
})))"""
LINKS = {'href', 'src', 'poster', 'srcset'}


class Page(html.parser.HTMLParser):
    """The links of a page with their lines, the names of places on it, and the text that is seen."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.shown, self.hidden, self.code = [], {'', 'top'}, [], 0, 0
        self.formulas, self.formula = [], None
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attributes):
        self.hidden += tag in ('script', 'style')
        kind = (dict(attributes).get('class') or '').split()
        self.code += tag in ('pre', 'code') or kind == ['fragment']
        if 'math' in kind:
            self.formula = {'line': self.getpos()[0], 'tex': '', 'displayMode': 'display' in kind}
            self.formulas.append(self.formula)
        for name, value in attributes:
            if name == 'id' or name == 'name' and tag == 'a':
                self.places.add(value)
            elif name in LINKS and value:
                self.links.append((self.getpos()[0], value))

    def handle_endtag(self, tag):
        self.hidden -= tag in ('script', 'style')
        self.code -= tag in ('pre', 'code') and self.code > 0
        self.formula = None  # which has no elements inside

    def handle_data(self, data):
        if self.formula:
            self.formula['tex'] += data
        elif not self.hidden:
            self.shown.append((self.getpos()[0], data, self.code > 0))


@functools.cache
def page(path):
    return Page(path)


def dead(path, link):
    """The fault of a link of the page `path`; '' if it has none."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
        return '' if parts.scheme != 'file' else 'leads to a file of one machine'
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return 'there is no such file'
    if target.suffix == '.html' and urllib.parse.unquote(parts.fragment) not in page(target).places:
        return 'there is no such place on that page'
    return ''


def check(path):
    """Errors of a page as (line, text)."""
    markup = MARKUP | (BESIDE_FORMULAS if page(path).formulas else {})
    for line, text, code in page(path).shown:
        for what, pattern in markup.items():
            found = re.search(pattern, text)
            if found and not (code and what != 'ilinebr'):
                yield line, f'{what} is seen: {" ".join(text[max(0, found.start() - 40):found.end() + 40].split())}'
    if page(path).formulas:
        for script in SCRIPTS:
            if not any(link.split('?')[0].endswith(script) for _, link in page(path).links):
                yield 0, f'has formulas and does not load {script}'
    for line, link in page(path).links:
        if reason := dead(path, link):
            yield line, f'{link}: {reason}'


def check_menu(path):
    """The links in a script of the manual: its menu, the tree at the left, the search."""
    for link in sorted(set(re.findall(r'["\']([\w./-]+\.html(?:#\w+)?)["\']', path.read_text(encoding='utf-8')))):
        if reason := dead(path, link):
            yield 0, f'{link}: {reason}'


def check_formulas(folder, pages):
    """The formulas that KaTeX, a copy of which is in the folder, cannot typeset."""
    formulas = [(path, formula) for path in pages for formula in page(path).formulas]
    katex = next(folder.rglob('katex.min.js'), None)
    if not formulas or not katex:
        return
    answer = subprocess.run(['node', '-e', CHECK], input=json.dumps([str(katex), [formula for _, formula in formulas]]),
                            capture_output=True, check=True, text=True)
    for (path, formula), error in zip(formulas, json.loads(answer.stdout)):
        if error:
            yield f'{path.relative_to(folder)}:{formula["line"]}: ${formula["tex"]}$: {error}'


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(folder.rglob('*.html'))
    scripts = [path for path in sorted(folder.rglob('*.js')) if not path.name.startswith(('navtreeindex', 'searchindex'))]  # no links
    errors = [f'{path.relative_to(folder)}:{line}: {text}' for paths, look in ((pages, check), (scripts, check_menu))
              for path in paths for line, text in look(path)]
    errors += check_formulas(folder, pages)
    print(*errors, sep='\n')
    print(f'{len(pages)} pages, {sum(len(page(path).links) for path in pages)} links, '
          f'{sum(len(page(path).formulas) for path in pages)} formulas, {len(errors)} errors')
    return bool(errors) or not pages


if __name__ == '__main__':
    sys.exit(main())
