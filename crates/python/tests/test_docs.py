"""Every example of the docstrings and of the manual runs."""

import doctest
import inspect
import pathlib
import re

import pytest

import stoa
import stoa.gymnasium
import stoa.open_spiel
import stoa.pettingzoo

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

MANUAL = pathlib.Path(__file__).parents[3] / "docs" / "python.md"


def documented():
    """Everything public, with its name."""
    yield "stoa", stoa
    for module in (stoa.pettingzoo, stoa.gymnasium, stoa.open_spiel):
        yield module.__name__, module
        for name in module.__all__:
            yield f"{module.__name__}.{name}", getattr(module, name)
    for name in stoa.__all__:
        thing = getattr(stoa, name)
        if name == "__version__":
            continue
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            for member in dir(thing):
                if not member.startswith("_"):
                    yield f"{name}.{member}", getattr(thing, member)


def run(name, text):
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    report = []
    failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
    assert failed == 0, "".join(report)
    return len(test.examples)


def test_everything_has_a_docstring():
    missing = [name for name, thing in documented() if not (thing.__doc__ or "").strip()]
    assert missing == []


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, thing.__doc__) for name, thing in documented() if ">>>" in (thing.__doc__ or "")],
)
def test_docstring(name, text):
    assert run(name, inspect.cleandoc(text)) > 0


def test_most_methods_have_examples():
    shown = [name for name, thing in documented() if ">>>" in (thing.__doc__ or "")]
    assert len(shown) > 40, shown


def test_the_manual():
    blocks = re.findall(r"^```pycon\n(.*?)^```", MANUAL.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 8
    assert run("docs/python.md", "\n".join(blocks)) > 30


def test_the_manual_has_the_planes_and_actions_of_every_game():
    text = MANUAL.read_text()
    for game in stoa.games():
        for plane in game.planes:
            # Colonnade's heights are given as a range.
            if not plane.startswith("at least"):
                assert plane in text, (game, plane)
