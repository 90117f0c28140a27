"""What is in the wheel and the source distribution."""

import importlib.metadata
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest

import stoa

PACKAGE = pathlib.Path(__file__).parents[1]


def test_the_wheel_is_complete():
    files = {str(file) for file in importlib.metadata.files("stoa") or []}
    modules = ["__init__.py", "_stoa.pyi", "py.typed", "pettingzoo.py", "gymnasium.py", "open_spiel.py"]
    assert {f"stoa/{name}" for name in modules} <= files
    assert any(name.endswith(".abi3.so") or name.endswith(".pyd") for name in files)
    assert importlib.metadata.version("stoa") == stoa.__version__
    metadata = importlib.metadata.metadata("stoa")
    assert metadata["License-Expression"] == "MIT OR Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.10"


def test_nothing_but_numpy_is_needed():
    program = (
        "import sys, stoa; stoa.Game('impasse').start().observation();"
        "heavy = {'gymnasium', 'pettingzoo', 'pyspiel', 'matplotlib'} & set(sys.modules);"
        "sys.exit(f'{heavy} were imported' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.skipif(shutil.which("cargo") is None, reason="there is no cargo")
def test_the_source_distribution_can_be_built(tmp_path):
    command = [sys.executable, "-m", "maturin", "sdist", "--out", str(tmp_path)]
    subprocess.run(command, cwd=PACKAGE, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        # Older releases of 3.10 and 3.11 do not know the filter.
        source.extractall(tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert (folder / "pyproject.toml").exists()
    for crate in ("arrays", "rules", "engine", "solve", "draw", "files"):
        assert (folder / "crates" / crate / "Cargo.toml").exists(), crate
    # What is built in another folder must find all its parts.
    manifest = folder / "crates" / "python" / "Cargo.toml"
    subprocess.run(
        ["cargo", "metadata", "--offline", "--format-version=1", "--manifest-path", manifest],
        check=True,
        stdout=subprocess.DEVNULL,
    )
