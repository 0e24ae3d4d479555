"""Results of a part: a line of JSON a case, written as soon as it is known, so that a stop half way loses nothing. A
later call goes on where the file ends, if it is of the same bundle and machine."""
import json
import os
import threading


def read_lines(path):
    """All but a half line at the end, which a stop leaves."""
    try:
        with open(path) as file:
            return [json.loads(line) for line in file if line.endswith("\n")]
    except FileNotFoundError:
        return []


class Results:
    def __init__(self, folder, part, machine, bundle_id):
        self.part, self.machine = part, machine
        self.path = os.path.join(folder, part + ".jsonl")
        self.cases = {}
        self.lock = threading.Lock()
        head = {"part": part, "machine": machine, "bundle": bundle_id}
        os.makedirs(folder, exist_ok=True)
        if not self._read(head) and os.path.exists(self.path):
            os.replace(self.path, self.path + ".before")
        # Written anew: the last line may be half of one.
        self.file = open(self.path + ".new", "w")
        for line in (head, *self.cases.values()):
            self._write(line)
        os.replace(self.path + ".new", self.path)

    def _read(self, head):
        """True if the file is of this bundle and device."""
        lines = read_lines(self.path)
        if not lines or lines[0].get("bundle") != head["bundle"]:
            return False
        if lines[0]["machine"]["device"] != self.machine["device"]:
            return False
        self.cases = {line["case"]: line for line in lines[1:]}
        return True

    def _write(self, line):
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def add(self, case, status, detail="", **more):
        line = {"case": case, "status": status, "detail": detail, **more}
        with self.lock:
            self.cases[case] = line
            self._write(line)

    def has(self, case):
        return case in self.cases

    def write_text(self, text):
        """The table, beside the lines and on standard output."""
        with open(self.path.removesuffix(".jsonl") + ".txt", "w") as file:
            file.write(text)
        print(text, end="", flush=True)


STATUSES = ("right", "wrong", "failed", "crashed", "hung", "reported", "missing")


def counts_table(results, planned, stopped):
    """How many cases of each group came out how, and each that is not right."""
    rows, bad = {}, []
    for case, group in planned:
        row = rows.setdefault(group, dict.fromkeys((*STATUSES, "left"), 0))
        line = results.cases.get(case)
        status = line["status"] if line else "left"
        row[status] = row.get(status, 0) + 1
        if line and status != "right":
            bad.append(line)
    columns = [s for s in (*STATUSES, "left") if s in ("right", "wrong", "failed") or any(r[s] for r in rows.values())]
    text = heading(results)
    text += f"{'':24}" + "".join(f"{c:>10}" for c in columns) + "\n"
    rows["all"] = {c: sum(r[c] for r in rows.values()) for c in columns}
    for group, row in rows.items():
        text += f"{group:24}" + "".join(f"{row[c]:>10}" for c in columns) + "\n"
    missing = {}
    for line in bad:
        if line["status"] == "missing":
            missing[line["detail"]] = missing.get(line["detail"], 0) + 1
    for why, count in missing.items():
        text += f"MISSING, {count} cases: {why}\n"
    for line in bad:
        if line["status"] == "missing":
            continue
        kernel = f" in {line['kernel']}" if line.get("kernel") else ""
        text += f"{line['status'].upper()} {line['case']}{kernel}: {line['detail'][:400]}\n"
    if stopped:
        text += f"Stopped: {stopped}. The same call goes on with what is left.\n"
    return text


def heading(results):
    machine = results.machine
    text = f"\n{results.part} on {machine['device']}, {machine['date']}"
    if machine.get("driver"):
        text += f", driver {machine['driver']}"
    text += "\n"
    if machine["dry"]:
        text += "Dry run: the CPU build stands in the GPU's place, and times are the CPU's.\n"
    return text
