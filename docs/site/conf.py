# SPDX-License-Identifier: BSD-3-Clause
"""The manual as a site, by Sphinx with MyST and Furo: the pages of docs/, which are written for Doxygen's Markdown, too.
Settings come from scripts/site.sh: LIEGRP_VERSION, LIEGRP_TAGS, the tag file of Doxygen's reference, and LIEGRP_KATEX, a
folder of KaTeX, without which formulas are shown as TeX."""
import os
import pathlib
import re
import shutil
import xml.etree.ElementTree as xml

from docutils.nodes import SkipNode

project, author, copyright = 'liegrp', 'the authors of liegrp', 'the authors of liegrp'
version = release = os.environ.get('LIEGRP_VERSION', '')
extensions = ['myst_parser', 'sphinx_copybutton', 'sphinx.ext.autodoc']
root_doc = 'mainpage'
source_suffix = {'.md': 'markdown'}
exclude_patterns = ['pictures/README.md']
nitpicky = True
nitpick_ignore_regex = [('py:.*', '.*')]  # types of NumPy
myst_enable_extensions = ['dollarmath']
html_math_renderer = 'katex'
myst_heading_anchors = 4
copybutton_prompt_text = r'\$ |>>> |\.\.\. '
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
highlight_language = 'none'
smartquotes = False
html_theme = 'furo'
html_title = f'liegrp {version}'
html_show_sphinx = False
html_copy_source = html_show_sourcelink = False
html_static_path, html_css_files = ['site.css', '../formulas.css', '../formulas.js'], ['site.css', 'formulas.css']
pygments_style, pygments_dark_style = 'default', 'monokai'
html_theme_options = {'navigation_with_keys': True}

try:
    import liegrp
    PYTHON = liegrp.__name__
except ImportError:
    PYTHON = ''  # a build without Python: its reference is left out
    exclude_patterns.append('site/python-reference.md')
autodoc_typehints = 'description'
autodoc_member_order = 'groupwise'

REFERENCE = '../html/'  # Doxygen's, beside the site


def functions():
    """The places of functions in Doxygen's reference, by name."""
    tags = os.environ.get('LIEGRP_TAGS')
    if not tags:
        return {}
    return {member.findtext('name'): f'{member.findtext("anchorfile")}#{member.findtext("anchor")}'
            for member in xml.parse(tags).iter('member') if member.get('kind') == 'function'}


PLACES = functions()
KATEX = os.environ.get('LIEGRP_KATEX')


def contents(text):
    """The pages that mainpage.md links to, under its headings, as tables of contents."""
    seen = set()
    for section in text.split('<h2>')[1:]:
        title, _, rest = section.partition('</h2>')
        names = [n for n in dict.fromkeys(re.findall(r'\]\(([\w-]+)\.md\)', rest)) if n not in seen]
        seen.update(names)
        if title == 'Use' and PYTHON:
            names.append('site/python-reference')
        if names:
            yield '\n'.join([f'```{{toctree}}\n:hidden:\n:caption: {title}\n', *names, '```'])


def indexed(found):
    """What a comment `<!-- index | word, word -->` puts into the index, which the search finds before it looks at texts."""
    return f'```{{index}} {" ".join(found[1].split())}\n```\n'


def small(role):
    """What follows _ or ^ as an index or an exponent."""
    return lambda found: f'{{{role}}}`{found[1].strip("{}")}`'


def prose(text):
    """What is no code, from Doxygen's Markdown to MyST's."""
    text = re.sub(r'^(#+ .*?) \{#([\w-]+)\}$', r'(\2)=\n\1', text, flags=re.M)
    text = re.sub(r'<h2>(.*?)</h2>', r'## \1', text)
    text = re.sub(r'\[([^\]]+)\]\(#([\w-]+)\)', r'{ref}`\1 <\2>`', text)
    text = re.sub(r'@ref (\w+)', r'{ref}`\1`', text)
    text = re.sub(r'(?<![\w`&])#(lg_\w+)', r'\1', text)
    text = re.sub(r'(?<=[\w*⁻¹⁺′)\]])\\?_(\{[^{}\n]+\}|[A-Za-z0-9ξητωθλμν])(?![\w_*])', small('sub'), text)
    text = re.sub(r'(?<=[\w)\]*])\\?\^(\{[^{}\n]+\}|[-−]?\w+)', small('sup'), text)
    return re.sub(r'(?<![\w`\[/])(lg_\w+)\(\)',
                  lambda f: f'<a href="{REFERENCE}{PLACES[f[1]]}">{f[0]}</a>' if f[1] in PLACES else f[0], text)


def read(app, name, source):
    text = re.sub(r'<!-- index \| (.*?) -->\n', indexed, source[0], flags=re.S)
    text = re.sub(r'(^```.*?^```$|`[^`]+`)|<!--.*?-->\n?', lambda f: f[1] or '', text, flags=re.M | re.S)
    blocks = re.split(r'(^```.*?^```$|`[^`]+`|\$\$.+?\$\$|\$[^$\n]+\$)', text, flags=re.M | re.S)
    tables = '\n\n'.join(contents(source[0])) if name == root_doc else ''
    source[0] = ''.join(block if i % 2 else prose(block) for i, block in enumerate(blocks)) + '\n\n' + tables + '\n'


def formula(kind, more):
    """The writer of a formula as TeX, which formulas.js typesets."""
    def write(writer, node):
        writer.body.append(writer.starttag(node, kind, '', CLASS='math' + more) + writer.encode(node.astext()) + f'</{kind}>')
        raise SkipNode
    return write, None


def typeset(app, name, template, context, doctree):
    """Pages with formulas load KaTeX."""
    if KATEX and app.env.get_domain('math').has_equations(name):
        app.add_css_file('katex/katex.min.css')
        for script in 'katex/katex.min.js', 'formulas.js':
            app.add_js_file(script, loading_method='defer')


def finish(app, failure):
    if KATEX and not failure:
        shutil.copytree(KATEX, pathlib.Path(app.outdir) / '_static' / 'katex', dirs_exist_ok=True)


def plain(app, what, name, thing, options, lines):
    """Docstrings are plain text: code in backquotes, and no other mark of reStructuredText."""
    example = False
    for i, line in enumerate(lines):
        example = line.strip() != '' and (example or line.lstrip().startswith('>>>'))
        if not example:
            parts = re.split(r'(`[^`]+`)', line)
            lines[i] = ''.join(f'`{part}`' if k % 2 else re.sub(r'([|*_])', r'\\\1', part) for k, part in enumerate(parts))


def setup(app):
    app.connect('autodoc-process-docstring', plain)
    app.connect('source-read', read)
    app.connect('html-page-context', typeset)
    app.connect('build-finished', finish)
    app.add_html_math_renderer('katex', formula('span', ''), formula('div', ' display'))
    return {'parallel_read_safe': True}
