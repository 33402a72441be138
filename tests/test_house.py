"""Rules of the house that no single module can break unseen."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "calib"
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ("polars", "pyarrow", "numpy", "matplotlib", "scipy", "rich", "zstandard", "msgspec")
BANNED_CALLS = {"eval", "exec", "compile", "breakpoint", "input"}
BANNED_NAMES = {
    "pickle", "shelve", "marshal", "socket", "urllib", "http", "ftplib", "requests", "sql", "sql_expr", "SQLContext",
    "deserialize", "extractall", "mktemp", "system", "popen",
}  # fmt: skip


@pytest.mark.parametrize("words", [["--help"], ["sweep", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        f"import sys; sys.argv = ['calib', *{words!r}]\n"
        "from calib.cli import run\n"
        "run()\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_code_in_data(module: Path) -> None:
    """Nothing here evaluates text, unpacks objects, starts a shell or, but for the proxy, opens a connection."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in BANNED_CALLS, f"{module}:{node.lineno}"
        if isinstance(node, ast.Attribute):
            assert node.attr not in BANNED_NAMES, f"{module}:{node.lineno}"
        if isinstance(node, ast.Import | ast.ImportFrom) and not module.is_relative_to(PACKAGE / "live"):
            roots = {name.name.partition(".")[0] for name in node.names} | {
                (getattr(node, "module", "") or "").partition(".")[0]
            }
            assert not roots & BANNED_NAMES, f"{module}:{node.lineno}"
        if isinstance(node, ast.keyword):
            assert node.arg not in ("shell", "allow_pickle"), f"{module}:{node.lineno}"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_commands_print_or_exit(module: Path) -> None:
    if module.is_relative_to(PACKAGE / "cli") or module.name == "__main__.py":
        return
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            assert not (isinstance(node.func, ast.Name) and node.func.id == "print"), f"{module}:{node.lineno}"
            assert not (isinstance(node.func, ast.Attribute) and node.func.attr == "exit"), f"{module}:{node.lineno}"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_stay_small(module: Path) -> None:
    lines = module.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 270, "split it by meaning"
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            length = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert length <= 45, f"{module.name}:{node.lineno} {node.name} has {length} lines"
