#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""manual.py LIEGRP [FOLDER]: every page of the manual says what --help says, has its sections, and groff has nothing to
remark; the pages that were built into the folder are these."""
import pathlib
import re
import shutil
import subprocess
import sys

liegrp = sys.argv[1]
SECTIONS = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXIT STATUS', 'EXAMPLES', 'SEE ALSO']
failures = []


def said(*words):
    return subprocess.run([liegrp, *words], check=True, capture_output=True, text=True).stdout


def plain(roff):
    """The text of a page without its markup, section by section."""
    parts, at = {}, None
    for line in roff.splitlines():
        if line.startswith('.SH '):
            at = line[4:]
            parts[at] = ''
            continue
        if line.startswith('.BR '):
            line = line[4:].replace(' (', '(')
        elif re.match(r'\.[A-Z]|\.[a-z]', line):
            continue
        for mark, sign in ((r'\fB', ''), (r'\fI', ''), (r'\fR', ''), (r'\:', ''), (r'\&', ''), (r'\-', '-'),
                           (r'\(aq', "'"), (r'\(ha', '^'), (r'\(ti', '~'), (r'\e', '\\')):
            line = line.replace(mark, sign)
        if at:
            parts[at] += line + '\n'
    return parts


def words(text):
    return ' '.join(text.replace('`', '').split())


def check(command, title, good):
    if not good:
        failures.append(f'liegrp {command}: {title}')


commands = re.findall(r'^  ([a-z]+)  ', said('--help'), re.M)
assert {'run', 'sweep', 'verify'} <= set(commands)
for command in [''] + commands:
    named = [command] if command else []
    text, roff = said('help', *named), said('help', '--man', *named)
    page = plain(roff)
    check(command, 'sections', [s for s in page if s != 'NOTES'] == SECTIONS)
    everything = words(' '.join(page.values()))
    usage, body = text.split('\n\n', 1)
    check(command, 'usage', words(usage.replace('usage:', '')) == words(page['SYNOPSIS']))
    found = 0
    for block in body.split('\n\n'):
        if re.match(r'  \S', block):  # options, or a list
            for line in re.sub(r'\n {4,}', ' ', block).splitlines():  # a long meaning continues below itself
                name, meaning = re.match(r'  (\S.*?)  +(.*)', line).groups()
                check(command, name, words(f'{name} {meaning}') in everything)
                found += name.startswith('--')
        elif block.startswith('Exit status:'):
            for status in words(block)[len('Exit status: '):].rstrip('.').split('; '):
                check(command, f'exit status {status}', status in words(page['EXIT STATUS']))
        elif block.startswith('Example'):
            check(command, 'examples', words(block.split(':', 1)[1]) == words(page['EXAMPLES']))
        else:
            check(command, 'a paragraph: ' + block[:40], words(block) in everything)
    check(command, 'as many options', page['OPTIONS'].count('\n--') + page['OPTIONS'].startswith('--') == found > 0)
    for other in commands:
        check(command, f'points to {other}', other == command or f'liegrp-{other}(1)' in page['SEE ALSO'])
    if len(sys.argv) > 2:
        built = pathlib.Path(sys.argv[2]) / ('-'.join(['liegrp', *named]) + '.1')
        check(command, f'{built} is not its page (cli/meson.build)', built.exists() and built.read_text() == roff)
    if shutil.which('groff'):
        remarks = subprocess.run(['groff', '-man', '-ww', '-z', '-rLL=78n'], input=roff, capture_output=True, text=True)
        check(command, 'groff: ' + remarks.stderr, remarks.returncode == 0 and not remarks.stderr)
for failure in failures:
    print('FAIL:', failure)
print(f'{len(commands) + 1} pages, {len(failures)} failures')
sys.exit(bool(failures))
