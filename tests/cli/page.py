#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The data of a page.

page.py FILE: what to look at, a line each, its words apart by tabs:
PAGE TRACK ROWS.csv     the track's rows are rows of the file, to the bit, its first and last among them
PAGE --tracks LABEL...  its tracks are these, as long as the first or with a note
PAGE --notes TEXT...    its tracks end early for these reasons; empty: they do not
PAGE --chart TITLE LABEL FILE NAME   a chart over time with this curve, a staircase: the column of the CSV file at each
                        step, and between; and with dashed lines, in pairs, beyond it
PAGE --charts TITLE...  its charts are these
PAGE --says TEXT...     its command or provenance has these texts
Always: what is in the page loads nothing. Prints what fails; the exit status tells whether something did.
"""
import base64
import csv
import json
import re
import struct
import sys


def data_of(page):
    found = re.findall(r'<script type="application/json" id="liegrp-data">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1, f"{len(found)} places of data"
    assert "<" not in found[0]
    data = json.loads(found[0])
    assert data["format"] == 1
    for track in data["tracks"]:
        if isinstance(track["scene"], int):
            track["scene"] = data["tracks"][track["scene"]]["scene"]
    return data


def loads_nothing(page):
    frame = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    for name in re.findall(r'(?:src|href|action|srcset|data)\s*=\s*"([^"]*)"', frame):
        assert name == "data:,", f"the page loads {name}"
    for word in ("@import", "url("):
        assert word not in frame, word
    for at in set(re.findall(r"https?://[^\s\"'<>)]*", page)):
        assert at.startswith(("http://www.w3.org/", "https://graphics.stanford.edu/")), at  # a namespace, a comment
    assert not re.search(r"\b(importScripts|XMLHttpRequest\.open|import\()", page)


def numbers(text, letter, size):
    raw = base64.b64decode(text, validate=True)
    return struct.unpack(f"<{len(raw) // size}{letter}", raw)


def same_rows(track, name):
    with open(name, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    names, rows = rows[0], {row[0]: row for row in rows[1:]}
    assert [c["name"] for c in track["columns"]] == names
    columns = [numbers(c["values"], "d", 8) for c in track["columns"]]
    assert all(len(c) == track["rows"] for c in columns) and 0 < track["rows"] <= 5000
    steps = [f"{x:.0f}" for x in columns[0]]
    order = list(rows)
    assert steps[0] == order[0] and steps[-1] == order[-1]
    assert len(steps) == len(order) or track["every"] > 1
    for i, step in enumerate(steps):
        for column, text in zip(columns, rows[step]):
            assert struct.pack("<d", column[i]) == struct.pack("<d", float(text)) or column[i] != column[i], (step, text)
    poses = numbers(track["poses"], "f", 4)
    bodies = len(track["scene"]["bodies"])
    assert len(poses) == 7 * bodies * track["rows"]
    for i in range(0, len(poses), 7):
        assert abs(sum(q * q for q in poses[i + 3:i + 7]) - 1) < 1e-5


def same_controls(data, title, label, name, column):
    chart = next(c for c in data["charts"] if c["title"] == title)
    curves = {c["label"]: numbers(c["y"], "d", 8) for c in chart["curves"] if c["dash"] == 0}
    with open(name, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    assert chart["abscissa"] == "t"
    assert list(curves[label]) == [float(row[column]) for row in rows for _ in range(2)], label
    limits = [numbers(c["y"], "d", 8) for c in chart["curves"] if c["label"] == f"limit of {label}"]
    assert len(limits) == 2 and all(low == high for low, high in limits)
    assert limits[0][0] < min(curves[label]) and max(curves[label]) < limits[1][0], limits


def look(data, words):
    if words[0] == "--tracks":
        assert [t["label"] for t in data["tracks"]] == words[1:], [t["label"] for t in data["tracks"]]
        for t in data["tracks"]:
            assert t["note"] or t["rows"] == data["tracks"][0]["rows"]
    elif words[0] == "--notes":
        for t, note in zip(data["tracks"], words[1:], strict=True):
            assert note in t["note"] and bool(note) == bool(t["note"]), t["note"]
    elif words[0] == "--chart":
        same_controls(data, *words[1:])
    elif words[0] == "--charts":
        assert [c["title"] for c in data["charts"]] == words[1:], data["charts"]
        for c in data["charts"]:
            for curve in c["curves"]:
                assert len(numbers(curve["x"], "d", 8)) == len(numbers(curve["y"], "d", 8)) > 1, curve["label"]
    elif words[0] == "--says":
        for text in words[1:]:
            assert text in data["command"] + data["provenance"] + data["title"], text
    else:
        same_rows(data["tracks"][int(words[0])], words[1])


def main():
    failed = 0
    pages = {}
    with open(sys.argv[1], encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f]
    for name, *words in lines:
        try:
            if name not in pages:
                with open(name, encoding="utf-8") as f:
                    page = f.read()
                loads_nothing(page)
                pages[name] = data_of(page)
            look(pages[name], words)
        except (AssertionError, OSError, ValueError, KeyError) as error:
            print(name, *words, "-", type(error).__name__, error)
            failed = 1
    return failed or not lines


sys.exit(main())
