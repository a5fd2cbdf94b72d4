#!/usr/bin/env python3
# `perfjudge model` as its users call it: exit codes, streams, batches from files and pipes, memory.
# Does not check counts: tests/reference does that.
# Called by Meson (suite unit), with PERFJUDGE and PERFJUDGE_SOURCE_ROOT in the environment.
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["PERFJUDGE_SOURCE_ROOT"])
sys.path.insert(0, str(ROOT / "tests/support"))
import checks  # noqa: E402

EXAMPLES = ROOT / "docs/examples"
RECORDS = ROOT / "tests/data/timeloop/examples.jsonl.gz"
MEBIBYTE = 1 << 20


def model(*arguments, stdin=subprocess.DEVNULL, **options):
    return subprocess.run([os.environ["PERFJUDGE"], "model", *map(str, arguments)], capture_output=True, check=False,
                          **({"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}), **options)


def files(name):
    return [word for part in ("problem", "architecture", "mapping") for word in (f"--{part}", EXAMPLES / name)]


def check_single(suite, folder):
    plain = model(*files("gemm.toml"))
    suite.equal("a table: exit code", plain.returncode, 0)
    suite.check("a table: no colour and nothing on stderr", b"\x1b" not in plain.stdout and plain.stderr == b"")
    plot = folder / "f.svg"
    drawn = model(*files("gemm.toml"), "--plot", plot, "--energy", EXAMPLES / "energy.toml", "--json")
    suite.equal("a chart: exit code", drawn.returncode, 0)
    suite.check("a chart is written", plot.read_text().startswith("<svg "))
    suite.check("energy is in the object", json.loads(drawn.stdout)["energy"]["total_pj"] > 0)
    explained = model(*files("gemm.toml"), "--explain").stdout
    suite.check("the explanation comes with the table", explained.endswith(plain.stdout) and explained != plain.stdout)


def check_refusals(suite, folder):
    broken = folder / "broken.toml"
    broken.write_text("version = 1\n[workload]\nname = 3\n")
    cases = [
        ("does not fit", files("too-big.yaml"), 1, "the capacity is 11"),
        ("not there", files("none.toml"), 2, "none.toml"),
        ("broken", ["--problem", broken, *files("gemm.toml")[2:]], 2, f"{broken}:3: workload.name: "),
        ("sparse", files("sparse.yaml"), 2, "sparse"),
        ("no input", [], 2, "--batch"),
        ("one of three", ["--problem", broken], 2, "--architecture"),
        ("no such semantics", [*files("gemm.toml"), "--semantics", "other"], 2, "timeloop-2024"),
        ("both ways", [*files("gemm.toml"), "--links", "--no-links"], 2, "--no-links"),
        ("both kinds", [*files("gemm.toml"), "--batch", RECORDS], 2, "--batch"),
        ("a chart in no folder", [*files("gemm.toml"), "--plot", folder / "none/f.svg"], 2, "f.svg"),
        ("prices of another chip", [*files("gemm-ws.yaml"), "--energy", EXAMPLES / "energy.toml"], 2, "no level 'PE'"),
        ("no such batch", ["--batch", folder / "none"], 2, "none"),
    ]
    for name, arguments, code, words in cases:
        done = model(*arguments)
        suite.equal(f"{name}: exit code", done.returncode, code)
        suite.check(f"{name}: says why, on stderr only", words in done.stderr.decode() and done.stdout == b"",
                    done.stderr.decode())
        suite.check(f"{name}: each line is a message",
                    all(line.startswith("perfjudge: error: ") for line in done.stderr.decode().splitlines()))
    odd = folder / "odd.toml"
    odd.write_text((EXAMPLES / "gemm.toml").read_text().replace("512", "5").replace('"GlobalBuffer"', '"G\\u001b[31m"'))
    done = model("--problem", odd, "--architecture", odd, "--mapping", odd)
    suite.equal("a name of control bytes: exit code", done.returncode, 1)
    suite.check("a name of control bytes is printed without them", b"'G?[31m'" in done.stderr, done.stderr)
    counted = model(*files("too-big.yaml"), "--ignore-capacity")
    suite.equal("what does not fit is counted when asked", counted.returncode, 0)


def check_batch(suite, folder):
    with gzip.open(RECORDS) as stream:
        lines = stream.read().splitlines()
    plain = folder / "records.jsonl"
    plain.write_bytes(b"\n".join(lines) + b"\n")
    done = model("--batch", RECORDS, "--json", "--semantics", "timeloop")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    refused = [record["id"] for record in map(json.loads, lines) if "expected_error" in record]
    suite.equal("one answer a record, in order", [one["id"] for one in said], [json.loads(line)["id"] for line in lines])
    suite.equal("errors where Timeloop has them", [one["id"] for one in said if "error" in one], refused)
    suite.equal("exit code with errors", done.returncode, 4)
    suite.check("the errors are counted on stderr", f"{len(refused)} of {len(lines)} records" in done.stderr.decode())
    # Errors begin with the name of the file.
    same = done.stdout.replace(str(RECORDS).encode(), b"stdin")
    with open(plain, "rb") as stream:
        piped = model("--batch", "-", "--semantics", "timeloop", stdin=stream.read())
    suite.check("a pipe is read as a file is", piped.stdout == same)
    with open(RECORDS, "rb") as stream:
        compressed = model("--batch", "-", "--semantics", "timeloop", stdin=stream)
    suite.check("a file on standard input, compressed", compressed.stdout == same)
    good = lines[0]
    mixed = model("--batch", "-", stdin=b"\n".join([good, b"{", b"", b"  ", b"\xff\x00", b"null", good[:-9], good]))
    kinds = ["result" if "result" in json.loads(line) else "error" for line in mixed.stdout.splitlines()]
    suite.equal("broken lines lose nothing else", kinds, ["result", "error", "error", "error", "error", "result"])
    suite.check("errors name the line", b"stdin:5: " in mixed.stdout, mixed.stdout.decode(errors="replace"))
    suite.equal("an empty batch", (lambda run: (run.returncode, run.stdout))(model("--batch", "-", stdin=b"")), (0, b""))
    cut = folder / "cut.jsonl.gz"
    cut.write_bytes(RECORDS.read_bytes()[:3000])
    damaged = model("--batch", cut)
    suite.equal("a damaged file: exit code", damaged.returncode, 2)
    suite.check("a damaged file: what came before is answered, and it is named",
                b'"result"' in damaged.stdout and str(cut) in damaged.stderr.decode(), damaged.stderr.decode())


def check_closed_output(suite, folder):
    plain = folder / "many.jsonl"
    with gzip.open(RECORDS) as stream:
        plain.write_bytes(stream.readline() * 2000)
    with subprocess.Popen([os.environ["PERFJUDGE"], "model", "--batch", plain], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        words = process.stderr.read().decode()
        suite.equal("nobody reads on: exit code", process.wait(), 2)
    suite.check("nobody reads on: says so", "standard output" in words, words)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([os.environ["PERFJUDGE"], "model", *map(str, files("gemm.toml"))], stdout=full,
                              stderr=subprocess.PIPE, check=False)
    suite.equal("a full disk: exit code", done.returncode, 2)


def most_memory(lines):
    """Bytes that a batch of so many lines held at most."""
    with gzip.open(RECORDS) as stream:
        line = stream.readline()
    with subprocess.Popen([os.environ["PERFJUDGE"], "model", "--batch", "-"], stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL,
                          env={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"}) as process:
        for _ in range(lines):
            process.stdin.write(line)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024


def main():
    suite = checks.Checks("model")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_single(suite, folder)
        check_refusals(suite, folder)
        check_batch(suite, folder)
        check_closed_output(suite, folder)
    few, many = most_memory(200), most_memory(20000)
    suite.check("memory does not grow with the batch", many - few < 4 * MEBIBYTE, f"{few} and {many} bytes")
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
