#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pictures.py SOURCE BUILD [NAME...] | --check SOURCE: makes docs/pictures/NAME.png for every annotation
    <!-- picture | NAME | COMMAND | FILE -->
of README.md and docs/*.md. COMMAND, which the page must show as well, runs in a scratch folder and writes FILE: a
picture, or FILE#HASH, a page whose screenshot is taken with that hash (camera, time, nothing but the scene). --check
runs nothing: it checks that each picture exists, is shown next to its command, and that no picture is unused."""
import pathlib
import re
import subprocess
import sys
import tempfile

SIZE = (640, 400)
COLOURS = 96
SCENE = '''header, #panes, #tools, #transport, #notes, #plots, #more, #numbers, #about { display: none !important; }
main { max-width: none !important; padding: 0 !important; margin: 0 !important; }
#stage { height: 100vh !important; min-height: 0 !important; border: 0 !important; border-radius: 0 !important; }'''
TOTAL = 2.5e6  # bytes of all pictures


def wanted(source):
    """(page, name, command, file) of all annotations."""
    for page in [source / 'README.md', *sorted((source / 'docs').glob('*.md'))]:
        for found in re.finditer(r'<!-- picture \| (.*?) -->', page.read_text(), re.S):
            name, command, file = (' '.join(part.split()) for part in found[1].split(' | '))
            yield page, name, command, file


def check(source):
    errors, known = [], set()
    for page, name, command, _ in wanted(source):
        shown = re.sub(r'<!--.*?-->', '', page.read_text(), flags=re.S)
        known.add(f'{name}.png')
        if not (source / 'docs/pictures' / f'{name}.png').is_file():
            errors.append(f'{page.name}: docs/pictures/{name}.png is missing: scripts/pictures.sh {name}')
        if f'pictures/{name}.png)' not in shown:
            errors.append(f'{page.name} does not show {name}.png')
        if command not in ' '.join(shown.split()):
            errors.append(f'{page.name} does not show the command that makes {name}.png: {command}')
    files = list((source / 'docs/pictures').glob('*.*'))
    errors += [f'no page says how {path.name} is made' for path in files if path.suffix != '.md' and path.name not in known]
    for page in [source / 'README.md', *(source / 'docs').glob('*.md')]:
        for image in re.findall(r'!\[[^\]]*\]\(([^)]*)\)', page.read_text()):
            if not (page.parent / image).is_file():
                errors.append(f'{page.name} shows {image}, which does not exist')
    if sum(path.stat().st_size for path in files) > TOTAL:
        errors.append(f'all pictures together are larger than {TOTAL / 1e6} MB')
    print(*errors, f'{len(known)} pictures, {len(errors)} errors', sep='\n')
    return bool(errors) or not known


def screenshot(page, hash, target):
    """The scene of a page in a browser without a window, twice as large as needed; the browser waits until all is
    drawn. Only the scene is left of the page."""
    text = page.read_text().replace('</head>', f'<style>{SCENE}</style></head>', 1)
    page.write_text(text)
    subprocess.run(['chromium', '--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
                    '--hide-scrollbars', '--force-device-scale-factor=2', f'--window-size={SIZE[0]},{SIZE[1]}',
                    '--virtual-time-budget=4000', f'--screenshot={target}', f'file://{page}#{hash}'],
                   check=True, capture_output=True, timeout=120)


def make(source, build, only):
    from PIL import Image
    sys.path.insert(0, str(source / 'tests/docs'))
    from commands import scratch
    (source / 'docs/pictures').mkdir(exist_ok=True)
    for page, name, command, file in wanted(source):
        if only and not any(name.startswith(word) for word in only):
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            subprocess.run(['bash', '-c', command], cwd=folder, env=scratch(source, build, folder), check=True,
                           capture_output=True)
            made, _, hash = file.partition('#')
            picture = folder / made
            if made.endswith('.html'):
                picture = folder / 'screenshot.png'
                screenshot(folder / made, hash, picture)
            image = Image.open(picture).convert('RGB')
            width = SIZE[0] if made.endswith('.html') else min(image.width, 800)
            image = image.resize((width, round(image.height * width / image.width)), Image.LANCZOS)
            target = source / 'docs/pictures' / f'{name}.png'
            image.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
        print(f'{target.relative_to(source)}: {image.width} x {image.height}, {target.stat().st_size / 1e3:.0f} kB', flush=True)


if __name__ == '__main__':
    if sys.argv[1] == '--check':
        sys.exit(check(pathlib.Path(sys.argv[2]).resolve()))
    make(*(pathlib.Path(word).resolve() for word in sys.argv[1:3]), sys.argv[3:])
