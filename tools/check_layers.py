#!/usr/bin/env python3
# Checks the layout of the tree: includes point only downwards, libraries stay in their one file, sizes,
# head comments, and no expected number within a worker's reach. Does not look at formatting.
# Called by Meson (suite lint): check_layers.py [ROOT]; ends with a line of counts.
import fnmatch
import pathlib
import re
import sys

SOURCE_FOLDERS = ("sandbox", "reference", "grader", "tools", "tests")
MAY_INCLUDE = {
    "sandbox": {"sandbox"},
    "reference": {"reference"},
    "grader": {"grader", "sandbox", "reference"},
    "tools": {"tools", "grader", "sandbox", "reference"},
    "tests": {"tests", "tools", "grader", "sandbox", "reference"},
}
# Beginning of an included name -> the only files that may include it.
ONLY_IN = {
    "toml++/": ["reference/document.cpp"],
    "nlohmann/": ["grader/json.cpp", "tests/support/timeloop_record.cpp"],  # tests read others' records
    "CLI/": ["tools/*"],
    "seccomp.h": ["sandbox/helper/filter.cpp", "tests/support/outer_filter.cpp"],
    "boost/process": ["sandbox/launch.cpp"],
    "boost/beast": ["tools/cmd_serve.cpp"],
    "yaml.h": ["reference/yaml_tree.cpp"],
    "lua.h": ["grader/lua_host*.cpp", "tests/*/lua_*.cpp"],  # and lua.hpp
    "lauxlib.h": ["grader/lua_host*.cpp"],
    "lualib.h": ["grader/lua_host*.cpp"],
    "doctest/": ["tests/*"],
}
# Programs that hostile code talks to: none of what they include may name expected numbers.
BLIND = ("grader/worker.cpp", "tools/cmd_worker.cpp", "grader/run_case.cpp", "grader/build.cpp")
FILE_LINES, HEADER_LINES, FUNCTION_LINES = 600, 200, 80
# Lines of code without comments and blank ones, in sandbox/helper and sandbox/profiles.cpp. The goal was 2,000;
# two modes, zygotes and control groups of both versions do not fit into it. It may not grow unseen.
REVIEWED_LINES = 3550
# Built and read in a jail, or data of a test: layout rules do not apply.
EXEMPT = ("tests/hostile/*", "tests/replies*", "grader/entry/*", "tests/golden/*")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def is_exempt(name):
    return any(fnmatch.fnmatch(name, pattern) for pattern in EXEMPT)


def sources(root):
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in (".cpp", ".hpp", ".c", ".h") and not is_exempt(name):
                yield name, path.read_text()


def check_includes(files):
    problems = []
    for name, text in files.items():
        folder = name.split("/")[0]
        for kind, included in INCLUDE.findall(text):
            if kind == '"':
                target = included.split("/")[0]
                if "/" not in included or included not in files and not is_exempt(included):
                    problems.append(f"{name}: includes \"{included}\", which is no path from the root")
                elif target not in MAY_INCLUDE[folder]:
                    problems.append(f"{name}: {folder} must not use {target} (\"{included}\")")
            for prefix, allowed in ONLY_IN.items():
                if included.startswith(prefix) and not any(fnmatch.fnmatch(name, one) for one in allowed):
                    problems.append(f"{name}: includes {included}; only {', '.join(allowed)} may")
    return problems


def reach(start, files):
    """Every file of ours that `start` includes, directly or not, itself first."""
    found, todo = [], [start]
    while todo:
        name = todo.pop()
        if name in found or name not in files:
            continue
        found.append(name)
        todo += [included for kind, included in INCLUDE.findall(files[name]) if kind == '"']
    return found


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"//[^\n]*", "", text)


def check_blindness(files):
    problems = []
    for start in BLIND:
        for name in reach(start, files):
            if name == "grader/expected.hpp" or re.search(r"\bExpected\b", without_comments(files[name])):
                problems.append(f"{start}: reaches {name}, which names Expected")
    return problems


def functions(text):
    """(first line, number of lines) of each body that starts and ends at column 0."""
    start = None
    for number, line in enumerate(text.split("\n"), 1):
        if start is None and line[:1].strip() and line.endswith("{") and is_function_head(line):
            start = number
        elif start is None and line.endswith(") {") and line[:1] == " ":
            continue
        elif line.startswith("}"):
            if start is not None:
                yield start, number - start + 1
            start = None


def is_function_head(line):
    return ")" in line and not line.startswith(("namespace", "struct", "class", "enum", "}", "static constexpr",
                                                "constexpr std::array"))


def code_lines(text):
    return sum(1 for line in text.split("\n") if line.strip() and not line.strip().startswith("//"))


def check_sizes(files):
    problems = []
    for name, text in files.items():
        lines = text.count("\n")
        limit = HEADER_LINES if name.endswith((".hpp", ".h")) else FILE_LINES
        # The table of system calls may be long; what counts is the sum of the reviewed part.
        if lines > limit and name != "sandbox/profiles.cpp":
            problems.append(f"{name}: {lines} lines, at most {limit}")
        for first, length in functions(text):
            if length > FUNCTION_LINES:
                problems.append(f"{name}:{first}: a function of {length} lines, at most {FUNCTION_LINES}")
    reviewed = sum(code_lines(text) for name, text in files.items()
                   if name.startswith("sandbox/helper/") or name == "sandbox/profiles.cpp")
    if reviewed > REVIEWED_LINES:
        problems.append(f"sandbox/helper and sandbox/profiles.cpp: {reviewed} lines of code, at most {REVIEWED_LINES}")
    return problems


def check_heads(root, files):
    problems = [f"{name}: does not open with three lines of comment" for name, text in files.items()
                if not all(line.startswith("//") for line in text.split("\n")[:3])]
    for folder in ("tools", "tests"):
        for path in sorted((root / folder).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            lines = path.read_text().split("\n")
            lines = lines[1:] if lines[0].startswith("#!") else lines
            if not is_exempt(name) and not all(line.startswith("#") for line in lines[:3]):
                problems.append(f"{name}: does not open with three lines of comment")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    files = dict(sources(root))
    results = {
        "includes point downwards": check_includes(files),
        "workers are blind": check_blindness(files),
        "sizes": check_sizes(files),
        "head comments": check_heads(root, files),
    }
    if not files:
        results["sources"] = [f"{root}: no source file found"]
    for what, problems in results.items():
        print(f"{'not ok' if problems else 'ok'} - {what}")
        for problem in problems:
            print(f"#   {problem}")
    failed = sum(1 for problems in results.values() if problems)
    print(f"layers: {len(results) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
