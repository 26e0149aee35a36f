"""Figures for print are XML that a parser takes, with nothing outside the picture. Usage: svg_test.py ACTIO_TESTS"""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "g", "rect", "path", "text", "tspan"}  # what every converter understands


def check(root):
    width, height = (float(root.get(key)) for key in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    for element in root.iter():
        name = element.tag.removeprefix(SVG)
        assert name in ALLOWED, name
        assert not {"style", "class", "href"} & set(element.keys()), element.attrib
        if name == "text":
            assert 0 <= float(element.get("x")) <= width and 0 <= float(element.get("y")) <= height, element.attrib
    labels = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
    assert len(labels) > 8, labels
    return labels


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], "--gtest_filter=sample_paper.is_written"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "ACTIO_SAMPLE_FOLDER": folder})
    labels = {name: check(tree.parse(f"{folder}/{name}").getroot()) for name in sorted(os.listdir(folder)) if name.endswith(".svg")}
assert len(labels) == 5
assert {"‖e‖∞", "10−6", "10−2", "order 4", "slope 2"} <= set(labels["figure-1.svg"]), labels["figure-1.svg"]
assert labels["figure-2.svg"].count("simpson") == 4 and "θ̇₁" in labels["figure-2.svg"]
assert "×10−10 + 0.5" in labels["figure-3.svg"] or "×10−9 + 0.5" in labels["figure-3.svg"], labels["figure-3.svg"]
