#!/usr/bin/env python3
"""Type stubs of the Python package: its functions with every option of their commands as a keyword.

  PYTHONPATH=build/python tools/make_python_stubs.py [--check]

Rewrites python/actio/*.pyi of the files whose functions take options; with --check only says whether they are current.
"""

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "actio"
STUBBED = ("model", "catalogue")
TYPES = {"number": "float | str", "count": "int | str", "text": "str | int | Sequence[Any]", "flag": "bool",
         "path": "str | os.PathLike[str]", "assignment": "Mapping[Any, Any]"}

EXTRAS = {"progress": "bool | Callable[[float, float, float], Any]",
          "control": "Callable[[Any], Mapping[str, float] | None]",
          "force": "Callable[[Any, Any, Any], Any]"}


def options_decorator(function: ast.FunctionDef) -> ast.Call | None:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "takes_options":
            return decorator
    return None


def with_options(function: ast.FunctionDef, descriptors) -> None:
    """Replaces **options by the options of the command that the decorator names."""
    decorator = options_decorator(function)
    if decorator is None:
        return
    function.decorator_list.remove(decorator)
    own = {a.arg for a in function.args.args}
    keywords = [(o["keyword"], TYPES[o["type"]]) for o in descriptors(decorator.args[0].value)]
    keywords += [(k.arg, EXTRAS[k.arg]) for k in decorator.keywords]
    for name, kind in keywords:
        if name in own:
            continue
        function.args.kwonlyargs.append(ast.arg(name, ast.parse(f"{kind} | None", mode="eval").body))
        function.args.kw_defaults.append(ast.Constant(None))
    function.args.kwarg = None


def stripped(body: list, descriptors) -> list:
    kept = []
    for node in body:
        if isinstance(node, ast.ClassDef):
            node.body = stripped(node.body, descriptors) or [ast.Expr(ast.Constant(...))]
            kept.append(node)
        elif isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name == "__init__"):
            with_options(node, descriptors)
            node.body = [ast.Expr(ast.Constant(...))]
            kept.append(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)) or (
                isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"):
            kept.append(node)
    return kept


def stub_of(name: str, descriptors) -> str:
    tree = ast.parse((PACKAGE / f"{name}.py").read_text())
    tree.body = stripped(tree.body, descriptors)
    head = "# Made by tools/make_python_stubs.py from the option descriptors.\nfrom __future__ import annotations\n"
    imports = "import os\nfrom typing import Any, Callable, Mapping, Sequence\n"
    tree.body = [n for n in tree.body if not (isinstance(n, ast.ImportFrom) and n.module in ("__future__", "typing"))
                 and not (isinstance(n, ast.Import) and n.names[0].name == "os")]
    return head + imports + ast.unparse(tree) + "\n"


def main() -> int:
    from actio._options import descriptors

    outdated = []
    for name in STUBBED:
        path, text = PACKAGE / f"{name}.pyi", stub_of(name, descriptors)
        if path.exists() and path.read_text() == text:
            continue
        outdated.append(path.name)
        if "--check" not in sys.argv:
            path.write_text(text)
    if outdated:
        print(f"{'outdated' if '--check' in sys.argv else 'written'}: {', '.join(outdated)}")
    return 1 if outdated and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
