#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""licences.py [--check] FOLDER...: finds the scripts, styles and fonts of others in folders of pages (the manual, the
site, the playground, an installed tree) and puts the texts of their licences, as Debian's packages have them, into
FOLDER/licences. A file is liegrp's own if it says so (SPDX) and a tool's output if it holds data alone. With --check
nothing is written: it fails if a file's origin is not in the table, or the text of its licence is neither there nor in
the file, nor as LICENSE beside it."""
import pathlib
import re
import sys

ORIGINS = [  # where pages lie, files there, and the Debian package that has the text
    (r'katex/', 'libjs-katex'),
    (r'_static/(basic\.css|doctools|searchtools|sphinx_highlight|language_data|_sphinx_javascript_frameworks_compat)',
     'sphinx-common'),
    (r'_static/jquery', 'libjs-jquery'),
    (r'_static/underscore', 'libjs-underscore'),
    (r'_static/(copybutton|clipboard)', 'python3-sphinx-copybutton'),
    (r'_static/pygments\.css', 'python3-pygments'),
    (r'_static/(styles/furo|scripts/(furo|gumshoe)|skeleton\.css|debug\.css)', 'furo'),
    (r'(^|/)(jquery|dynsections|menu|menudata|navtree|navtreedata|resize|search/search)\.js$', 'doxygen'),
    (r'(^|/)(doxygen|tabs|navtree|search/search)\.css$', 'doxygen'),
]
KINDS = {'.js', '.mjs', '.css', '.woff', '.woff2', '.ttf', '.eot'}
DATA = re.compile(r'\s*(/\*.*?\*/\s*)?(var|const) \w+\s*=|Search\.setIndex', re.S)
TEXT = re.compile(r'Permission is hereby granted|Redistribution and use in source|OPEN FONT LICENSE', re.I)
PAGES = {b'three.js': re.compile(rb'REVISION\s*=\s*["\']\d+["\']')}  # inside of single pages, which hold the text, too


def is_own(path):
    """Whether a script, a style or a font is liegrp's, or data that a tool has written."""
    head = path.read_bytes()[:4000].decode('utf-8', 'replace')
    return 'SPDX-License-Identifier: BSD-3-Clause' in head or ('@licstart' not in head and bool(DATA.match(head)))


def has_text(path, root):
    """Whether the text of its licence is in the file, or in a file LICENSE beside it or above it."""
    if TEXT.search(path.read_bytes().decode('utf-8', 'replace')):
        return True
    folders = [path.parent, *path.parents]
    return any((f / 'LICENSE').is_file() for f in folders[:folders.index(root) if root in folders else 1])


def origins(root, wrong):
    """The packages whose texts the files below a folder need."""
    found = set()
    for path in sorted(p for p in root.rglob('*') if p.is_file()):
        name = path.relative_to(root).as_posix()
        if path.suffix in ('.html', ''):
            content = path.read_bytes()
            for what, mark in PAGES.items():
                if mark.search(content) and not TEXT.search(content.decode('utf-8', 'replace')):
                    wrong.append(f'{name}: holds {what.decode()} without its licence')
        elif path.suffix in KINDS and not is_own(path):
            package = next((p for pattern, p in ORIGINS if re.search(pattern, name)), None)
            if package and not has_text(path, root):
                found.add(package)
            elif not package and not has_text(path, root):
                wrong.append(f'{name}: whose it is, and under which licence, is not known')
    return found


def main():
    check, wrong = '--check' in sys.argv, []
    for folder in sys.argv[2 if check else 1:]:
        root = pathlib.Path(folder)
        for package in sorted(origins(root, wrong)):
            text, copy = pathlib.Path('/usr/share/doc', package, 'copyright'), root / 'licences' / f'{package}.txt'
            if check or not text.is_file():
                if not copy.is_file() or not TEXT.search(copy.read_text()):
                    wrong.append(f'{folder}: the licence of {package} is missing')
                continue
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(text.read_text())
    for line in wrong:
        print('licences.py: ' + line, file=sys.stderr)
    sys.exit(bool(check and wrong))


main()
