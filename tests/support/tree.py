"""Roost's own source as syntax trees: modules, functions, imports and cycles among them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("core", "bot")


@dataclass(frozen=True, slots=True)
class Module:
    name: str
    path: Path
    text: str

    @property
    def tree(self) -> ast.Module:
        """Made anew each time: all of them at once are two million objects, which every later test would
        carry along."""
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def docstring(self) -> str:
        return ast.get_docstring(self.tree) or ""


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    lines: int


def load(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text("utf-8")
    return Module(name, path, text)


@cache
def modules(*folders: str) -> tuple[Module, ...]:
    """Every module beneath *folders* of the checkout; of `core` and `bot` where none is named."""
    paths = [path for folder in folders or PACKAGES for path in sorted((ROOT / folder).rglob("*.py"))]
    return tuple(load(path) for path in paths)


def functions(module: Module) -> Iterator[Function]:
    """Functions and methods, nested ones too, without their decorators."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield Function(f"{module.name}.{node.name}", node.end_lineno - node.lineno + 1)


def imported(module: Module) -> Iterator[str]:
    """Dotted names that *module* imports anywhere: in functions and under TYPE_CHECKING as well."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def beneath(name: str, floor: str) -> bool:
    return name == floor or name.startswith(f"{floor}.")


def imports_of_ours() -> dict[str, set[str]]:
    """Module → the modules of ours that it imports; what a name is in, if it is none itself."""
    known = {module.name for module in modules()}

    def owner(name: str) -> str | None:
        while name and name not in known:
            name = name.rpartition(".")[0]
        return name or None

    return {
        module.name: {found for name in imported(module) if (found := owner(name)) and found != module.name}
        for module in modules()
    }


def cycle() -> list[str]:
    """One import cycle, hidden ones included; empty where there is none."""
    try:
        TopologicalSorter(imports_of_ours()).prepare()
    except CycleError as error:
        return [str(name) for name in error.args[1]]
    return []
