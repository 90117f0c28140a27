"""The examples run, and what they show is true."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


def run(name, *args):
    # One thread each: two would only fight for the cores.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *args],
        capture_output=True,
        text=True,
        timeout=600,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def percent(output, words):
    return float(re.search(rf"{words}\D*([0-9.]+) %", output).group(1))


def test_train_colonnade_learns():
    output = run("train_colonnade.py", "--steps", "600", "--games", "128", "--seed", "1")
    for words in ("{} training", "{} training.*kept,"):
        before, after = percent(output, words.format("before")), percent(output, words.format("after"))
        assert after > before + 10, output


def test_tournament_ranks_the_levels():
    output = run("tournament.py", "colonnade", "--levels", "1", "5", "--games", "10")
    scores = {int(level): float(score) for level, score in re.findall(r"level +(\d+) +([\d.]+) /", output)}
    assert scores[5] > scores[1] and scores[1] + scores[5] == 10, output


def test_the_notebook(monkeypatch, tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((EXAMPLES / "boards_and_plots.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 6
    names = {"__name__": "__main__"}
    pictures = 0
    for cell in cells:
        # As in a notebook, the value of the last line is shown.
        tree = ast.parse(cell)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            pictures += hasattr(shown, "_repr_svg_") and "<svg" in shown._repr_svg_()
    assert pictures >= 1
    from matplotlib import pyplot

    assert len(pyplot.get_fignums()) >= 2
    pyplot.close("all")
