#!/usr/bin/env python3
# Checks that every C++ file of ours is as clang-format 14 would write it.
# Changes nothing: run `clang-format-14 -i FILE` for that.
# Called by Meson (suite lint); exit code 77 where clang-format 14 is missing.
import pathlib
import shutil
import subprocess
import sys

FOLDERS = ("sandbox", "reference", "grader", "tools", "tests")
DATA = ("tests/hostile/", "tests/replies", "grader/entry/")  # what submissions look like is not ours


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    program = shutil.which("clang-format-14")
    if program is None:
        print("format: clang-format-14 is missing (package clang-format-14)")
        return 77
    names = [path.relative_to(root).as_posix() for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
             if path.suffix in (".cpp", ".hpp", ".c", ".h")]
    names = [name for name in names if not name.startswith(DATA)]
    done = subprocess.run([program, "--dry-run", "--Werror", "--style=file", *names], cwd=root, check=False,
                          capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "[-Wclang-format" in line})
    for name in wrong:
        print(f"not ok - {name}: run clang-format-14 -i {name}")
    good = done.returncode == 0 and not wrong
    print(f"format: {int(good)} passed, {int(not good)} failed, 0 skipped")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
