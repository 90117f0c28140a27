"""What is in the wheel and the source distribution."""

import importlib.metadata
import os
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
    assert set(metadata.get_all("License-File")) == {"LICENSE-MIT", "LICENSE-APACHE"}


def test_nothing_but_numpy_is_needed():
    program = (
        "import sys, stoa; stoa.Game('impasse').start().observation();"
        "heavy = {'gymnasium', 'pettingzoo', 'pyspiel', 'matplotlib'} & set(sys.modules);"
        "sys.exit(f'{heavy} were imported' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.skipif(shutil.which("cargo") is None, reason="there is no cargo")
def test_the_source_distribution_can_be_installed(tmp_path):
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
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (folder / name).read_text() == (PACKAGE.parents[1] / name).read_text()
    # What is built in another folder must find all its parts. It need not be fast.
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", PACKAGE.parents[1] / "target")) / "sdist"
    # All files of a source distribution are of the same old date, so that Cargo sees no change in them.
    for fingerprint in (target / "release" / ".fingerprint").glob("stoa-*"):
        shutil.rmtree(fingerprint)
    environment = {
        **os.environ,
        # Where maturin is.
        "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]),
        "CARGO_NET_OFFLINE": "true",
        "CARGO_TARGET_DIR": str(target),
        "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
        "CARGO_PROFILE_RELEASE_LTO": "off",
        "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
    }
    site = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-cache-dir", "--no-build-isolation", "--target", str(site), str(archive)]
    subprocess.run(command, check=True, cwd=tmp_path, env=environment)
    program = (
        "import stoa; print(stoa.__file__);"
        "print(stoa.Game('impasse').start().random_game(4).result);"
        "print(stoa.Engine('impasse').think(stoa.Game('impasse').start(), nodes=100).best)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    file, result, best = done.stdout.splitlines()
    assert pathlib.Path(file).is_relative_to(site)
    assert result == str(stoa.Game("impasse").start().random_game(4).result)
    assert best in [str(move) for move in stoa.Game("impasse").start().moves()]
