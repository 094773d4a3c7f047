"""The house numbers and laws that no tool off the shelf checks."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest
from radon.complexity import cc_visit

from tests.support.tree import (
    ROOT,
    Module,
    beneath,
    cycle,
    functions,
    imported,
    imports_of_ours,
    modules,
)

LONGEST_MODULE = 400
LONGEST_FUNCTION = 50
MEDIAN_FUNCTION = 8
COMPLEXITY = 10
TESTS_PER_CODE = (1.0, 1.5)
GROWN_UP = 1_500  # lines of code from which on that ratio says something

PURE = (
    "core.errors",
    "core.model",
    "core.wire",
    "core.answers",
    "core.repository",
    "core.engines",
    "core.dispatch.queue",
    "bot.chat",
    "bot.address",
    "bot.incoming",
    "bot.happened",
    "bot.outgoing",
    "bot.failing",
    "bot.readers",
    "bot.access",
    "bot.intents",
    "bot.markup",
    "bot.replies",
    "bot.texts",
)
IMPURE = ("asyncio", "sqlite3", "aiosqlite", "time", "random", "secrets", "subprocess", "socket", "threading")

KEPT_TO = {  # a library → the only places that know it
    "aiosqlite": ("core.store",),
    "sqlite3": ("core.store",),
    "telegram": ("bot.telegram",),
    "nio": ("bot.matrix",),
    "rich": ("bot.terminal",),
    "prompt_toolkit": ("bot.terminal",),
    "pydantic": ("core.settings",),
}
CHAT_LIBRARIES = ("telegram", "nio", "rich", "prompt_toolkit")

BROAD_EXCEPTS = {  # module → whose last resort it is
    "core.dispatch.dispatcher": "the task of a conversation",
    "bot.tasks": "what a chat does: its receive loop, its rooms, its prompts",
    "bot.cli.commands": "the top of the command line",
}

SHIPPED = ("bot", "core", "locales", "deploy", "tests", ".ci")
NOT_TEXT = {".pyc", ".mo", ".png", ".webp", ".jpg", ".gif", ".db"}


def on_floor(floor: str) -> list[Module]:
    return [module for module in modules() if beneath(module.name, floor)]


def shipped_texts() -> Iterator[tuple[Path, str]]:
    own = [path for folder in SHIPPED for path in (ROOT / folder).rglob("*") if path.is_file()]
    beside = [path for path in ROOT.glob("*.*") if path.is_file() and path.name != ".git"]  # a worktree's
    for path in [*own, *beside]:
        if path.suffix not in NOT_TEXT and not any(part.endswith("_cache") for part in path.parts):
            yield path.relative_to(ROOT), path.read_text("utf-8", errors="replace")


def place(module: Module) -> str:
    """`core/errors.py`, and `core/model/` for a package."""
    path = module.path.relative_to(ROOT)
    return f"{path.parent}/" if path.name == "__init__.py" else str(path)


def swallows_all(handler: ast.ExceptHandler) -> bool:
    """Whether any exception ends here; to tidy up and raise it again is no catching."""
    if isinstance(handler.body[-1], ast.Raise) and handler.body[-1].exc is None:
        return False
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {name.id if isinstance(name, ast.Name) else name for name in caught}
    return bool(names & {None, "Exception", "BaseException"})


def test_modules_are_short() -> None:
    assert not [f"{m.name}: {m.lines}" for m in modules("core", "bot", "tests") if m.lines > LONGEST_MODULE]


def test_functions_are_short() -> None:
    found = [function for module in modules() for function in functions(module)]
    assert not [function for function in found if function.lines > LONGEST_FUNCTION]
    assert statistics.median([function.lines for function in found] or [0]) <= MEDIAN_FUNCTION


def test_functions_are_simple() -> None:
    blocks = [(module.name, block) for module in modules() for block in cc_visit(module.text)]
    tangled = [(name, b.fullname, b.complexity) for name, b in blocks if b.letter != "C"]
    assert not [entry for entry in tangled if entry[2] > COMPLEXITY]


def test_a_module_says_in_a_sentence_what_it_is() -> None:
    first = {m.name: m.docstring.split("\n\n")[0] for m in modules("core", "bot", "tests") if m.text}
    silent = [name for name, sentence in first.items() if not sentence.endswith((".", "?"))]
    assert not silent


def test_the_readme_maps_the_packages_that_are_there_in_their_own_words() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    mapped = set(re.findall(r"^\| `((?:core|bot)/\S+)` \| (.+) \|$", readme, re.MULTILINE))
    there = {(place(m), m.docstring.splitlines()[0]) for m in modules() if m.name.count(".") == 1}
    assert mapped == there


@pytest.mark.parametrize("floor", PURE)
def test_pure_floors_touch_no_clock_chance_process_or_disk(floor: str) -> None:
    banned = (*IMPURE, *CHAT_LIBRARIES)
    touched = [
        (module.name, name)
        for module in on_floor(floor)
        for name in imported(module)
        if name.split(".")[0] in banned
    ]
    assert not touched


@pytest.mark.parametrize("library", KEPT_TO)
def test_a_library_is_known_in_its_place_only(library: str) -> None:
    users = {m.name for m in modules() if any(beneath(name, library) for name in imported(m))}
    assert not [user for user in users if not any(beneath(user, place) for place in KEPT_TO[library])]


def test_no_module_leads_back_to_itself() -> None:
    assert not cycle()


def test_what_somebody_may_guess_is_compared_in_constant_time() -> None:
    """A code, the secret of a webhook: how long a comparison takes tells nothing of them."""
    compared = [
        (module.name, found)
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq)
        if re.search(r"\b(self\._secret|_digest\(|row\['digest'\])", found := ast.unparse(node))
    ]
    assert not compared


def test_settings_are_read_at_the_rim_only() -> None:
    readers = {
        name
        for name, targets in imports_of_ours().items()
        if any(beneath(target, "core.settings") for target in targets)
    }
    rim = ("core.settings", "bot.app", "bot.chatting", "bot.cli")
    assert not [reader for reader in readers if not any(beneath(reader, place) for place in rim)]


def test_the_demo_agent_is_a_program_of_its_own() -> None:
    for name, targets in imports_of_ours().items():
        inside = beneath(name, "core.demo")
        assert not [target for target in targets if beneath(target, "core.demo") != inside]


def test_everything_is_caught_in_three_named_places_only() -> None:
    catching = {
        module.name
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and swallows_all(node)
    }
    assert catching <= BROAD_EXCEPTS.keys()


def test_tests_ask_what_a_person_would_and_leave_nothing_out() -> None:
    shams = re.compile(r"\w*Mock\(|\bpatch(\.object)?\(|mocker\.|monkeypatch\.setattr")
    excuses = re.compile(r"\bskip(if)?\(|importorskip|\bxfail\b|NotImplementedError")
    own = [m for m in modules("tests") if m.path != Path(__file__).resolve()]
    assert not [(m.name, found.group()) for m in own if (found := shams.search(m.text))]
    everything = [*own, *modules()]
    assert not [(m.name, found.group()) for m in everything if (found := excuses.search(m.text))]


def test_tests_are_about_as_long_as_the_code() -> None:
    code = sum(module.lines for module in modules())
    tests = sum(m.lines for m in modules("tests") if not beneath(m.name, "tests.bench"))
    low, high = TESTS_PER_CODE
    assert code < GROWN_UP or low <= tests / code <= high, f"{tests} / {code} = {tests / code:.2f}"


def test_nothing_names_the_machine_that_it_was_made_on() -> None:
    hosts = "|".join(["pypi" + r"\.org", "python" + "hosted", "npm" + r"js\.(org|com)", "farm" + "-bench"])
    traces = re.compile(rf"(?<![\w.~}}])/(?:opt|work|root)/|{hosts}")
    assert not [(path, found.group()) for path, text in shipped_texts() if (found := traces.search(text))]
