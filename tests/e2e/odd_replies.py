# Replies of every shape that has been misread somewhere: which code was taken, and what was said of it.
# Does not judge the code itself; the bundled task does.
# Called by run.py; the data is in tests/replies_extra.
import json
import time

import command

LONG_SECONDS = 20  # one linear scan of a megabyte takes far less


def problems_of(wanted, row):
    if row is None:
        return ["no verdict at all"]
    problems = []
    if row["verdict"] not in wanted["verdict"]:
        problems.append(f"verdict {row['verdict']} ({row['reason']}), not {'|'.join(wanted['verdict'])}")
    elif wanted["reason"] is not None and row["reason"] not in wanted["reason"]:
        problems.append(f"reason {row['reason']}, not {'|'.join(wanted['reason'])}")
    if not set(wanted["flags"]) <= set(row["flags"]):
        problems.append(f"flags {row['flags']}, not {wanted['flags']}")
    return problems


def check_odd_replies(suite, batch):
    folder = batch.identity.source_root / "tests" / "replies_extra"
    done = batch.grade(folder / "odd.jsonl", "odd", "--jobs", 2)
    suite.equal(f"{batch.identity.name}: odd replies are all graded", done.returncode, 0)
    rows = {row["sample"]: row for row in map(json.loads, batch.verdicts("odd").splitlines())}
    for wanted in command.json_lines(batch.identity.real_root / "tests" / "replies_extra" / "expected.jsonl"):
        problems = problems_of(wanted, rows.get(wanted["sample"]))
        suite.check(f"{batch.identity.name}: odd reply {wanted['sample']}: {wanted['what']}", not problems,
                    "\n".join(problems))


def check_long_reply(suite, batch):
    """A megabyte of opened and closed fences before the answer."""
    answer = "```python\ndef predict(workload, architecture, mapping):\n    return {}\n```\n"
    reply = {"task_id": "gemm-two-level", "model": "long", "sample": 0,
             "completion": "text `` ` ``` ~~~ <think\n" * 20000 + "```js\n`\n```\n" * 40000 + answer}
    path = batch.identity.write("long.jsonl", json.dumps(reply) + "\n")
    start = time.monotonic()
    batch.grade(path, "long")
    took = time.monotonic() - start
    rows = [json.loads(row) for row in batch.verdicts("long").splitlines()]
    suite.equal(f"{batch.identity.name}: a megabyte of fences: the code is found",
                [(row["verdict"], row["reason"]) for row in rows], [("PE", "missing_key")])
    suite.check(f"{batch.identity.name}: a megabyte of fences takes no time", took < LONG_SECONDS, f"{took:.1f} s")
