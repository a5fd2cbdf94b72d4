#!/usr/bin/env python3
# Breaks each rule of tools/check_layers.py in a small tree and expects the breach to be named.
# Does not look at this repository's own sources.
# Called by Meson (suite lint).
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import checks  # noqa: E402

HEAD = "// one\n// two\n// three\n"
LONG_FUNCTION = "int f() {\n" + "    g();\n" * 80 + "}\n"
BREACHES = {
    "sandbox uses grader": ({"sandbox/a.cpp": '#include "grader/b.hpp"\n', "grader/b.hpp": ""}, "must not use grader"),
    "reference uses sandbox": ({"reference/a.cpp": '#include "sandbox/b.hpp"\n', "sandbox/b.hpp": ""},
                               "must not use sandbox"),
    "grader uses tools": ({"grader/a.cpp": '#include "tools/b.hpp"\n', "tools/b.hpp": ""}, "must not use tools"),
    "tools use tests": ({"tools/a.cpp": '#include "tests/b.hpp"\n', "tests/b.hpp": ""}, "must not use tests"),
    "include not from the root": ({"grader/a.cpp": '#include "b.hpp"\n', "grader/b.hpp": ""}, "no path from the root"),
    "JSON library elsewhere": ({"grader/a.cpp": "#include <nlohmann/json.hpp>\n"}, "includes nlohmann/json.hpp"),
    "YAML library elsewhere": ({"reference/a.cpp": "#include <yaml.h>\n"}, "includes yaml.h"),
    "seccomp elsewhere": ({"sandbox/helper/a.cpp": "#include <seccomp.h>\n"}, "includes seccomp.h"),
    "Boost.Process elsewhere": ({"sandbox/a.cpp": "#include <boost/process.hpp>\n"}, "includes boost/process"),
    "worker names Expected": ({"grader/worker.cpp": '#include "grader/a.hpp"\n', "grader/a.hpp": "struct Expected;\n"},
                              "which names Expected"),
    "worker reaches expected.hpp": (
        {"tools/cmd_worker.cpp": '#include "grader/a.hpp"\n', "grader/a.hpp": '#include "grader/expected.hpp"\n',
         "grader/expected.hpp": ""}, "which names Expected"),
    "file too long": ({"grader/a.cpp": "int x;\n" * 601}, "lines, at most 600"),
    "header too long": ({"grader/a.hpp": "int x;\n" * 201}, "lines, at most 200"),
    "function too long": ({"grader/a.cpp": LONG_FUNCTION}, "a function of 82 lines"),
    "helper too long": ({f"sandbox/helper/{n}.cpp": "int x;\n" * 590 for n in "abcdefg"}, "lines of code, at most"),
}


def check(tree):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return subprocess.run([sys.executable, str(ROOT / "tools" / "check_layers.py"), folder],
                              capture_output=True, text=True, check=False)


def main():
    suite = checks.Checks("layers_test")
    good = check({"sandbox/a.hpp": HEAD, "grader/b.cpp": HEAD + '#include "sandbox/a.hpp"\n'})
    suite.check("a good tree passes", good.returncode == 0, good.stdout)
    for name, (tree, wanted) in BREACHES.items():
        done = check({path: HEAD + text for path, text in tree.items()})
        suite.check(name, done.returncode == 1 and wanted in done.stdout, done.stdout)
    bare = check({"grader/a.cpp": "int x;\n"})
    suite.check("no head comment", bare.returncode == 1 and "three lines of comment" in bare.stdout, bare.stdout)
    commented = check({"grader/worker.cpp": HEAD + "// Expected numbers never come here\n"})
    suite.check("a comment may say Expected", commented.returncode == 0, commented.stdout)
    nothing = check({})
    suite.check("an empty tree fails", nothing.returncode == 1, nothing.stdout)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
