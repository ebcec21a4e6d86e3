#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""manual.py HTML: reads the manual as a browser would. No page shows markup that Doxygen did not understand, and no link
is dead: its page is there, and the place on that page too. Addresses on other machines are not followed."""
import functools
import html.parser
import pathlib
import re
import sys
import urllib.parse

# Faults of Doxygen that a page must not show: its own words, elements and links as text, and the quotation marks that
# it makes of code that it did not recognise.
MARKUP = {'ilinebr': r'ilinebr', 'an element': r'</?(?:table|td|tr|th|code|div|span|ul|li)\b[^>]*>',
          'a link of Markdown': r'\]\([^)\s]*\.(?:md|html|png)\b[^)]*\)', 'a quotation mark': r'[‘’]'}
LINKS = {'href', 'src', 'poster', 'srcset'}


class Page(html.parser.HTMLParser):
    """The links of a page with their lines, the names of places on it, and the text that is seen."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.shown, self.hidden, self.code = [], {'', 'top'}, [], 0, 0
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attributes):
        self.hidden += tag in ('script', 'style')
        self.code += tag in ('pre', 'code') or dict(attributes).get('class') == 'fragment'
        for name, value in attributes:
            if name == 'id' or name == 'name' and tag == 'a':
                self.places.add(value)
            elif name in LINKS and value:
                self.links.append((self.getpos()[0], value))

    def handle_endtag(self, tag):
        self.hidden -= tag in ('script', 'style')
        self.code -= tag in ('pre', 'code') and self.code > 0

    def handle_data(self, data):
        if not self.hidden:
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
    for line, text, code in page(path).shown:
        for what, pattern in MARKUP.items():
            found = re.search(pattern, text)
            if found and not (code and what != 'ilinebr'):
                yield line, f'{what} is seen: {" ".join(text[max(0, found.start() - 40):found.end() + 40].split())}'
    for line, link in page(path).links:
        if reason := dead(path, link):
            yield line, f'{link}: {reason}'


def check_menu(path):
    """The links in a script of the manual: its menu, the tree at the left, the search."""
    for link in sorted(set(re.findall(r'["\']([\w./-]+\.html(?:#\w+)?)["\']', path.read_text(encoding='utf-8')))):
        if reason := dead(path, link):
            yield 0, f'{link}: {reason}'


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(folder.rglob('*.html'))
    scripts = [path for path in sorted(folder.rglob('*.js')) if not path.name.startswith(('navtreeindex', 'searchindex'))]  # no links
    errors = [f'{path.relative_to(folder)}:{line}: {text}' for paths, look in ((pages, check), (scripts, check_menu))
              for path in paths for line, text in look(path)]
    print(*errors, sep='\n')
    print(f'{len(pages)} pages, {sum(len(page(path).links) for path in pages)} links, {len(errors)} errors')
    return bool(errors) or not pages


if __name__ == '__main__':
    sys.exit(main())
