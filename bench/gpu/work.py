"""Programs of a bundle through its worker (worker.cpp): each case has its time, and whatever becomes of one, the next
follows. A case that fails, crashes or hangs is run once more step by step, to name the kernel."""
import collections
import json
import os
import select
import signal
import subprocess
import threading
import time


class Stop(threading.Event):
    """Set when there is no time left, or somebody asked for an end; `why` says which."""

    def __init__(self, seconds):
        super().__init__()
        self.why = ""
        self.end = time.monotonic() + seconds
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.stop("interrupted"))

    def stop(self, why):
        self.why = self.why or why
        self.set()

    def due(self):
        if not self.is_set() and time.monotonic() > self.end:
            self.stop("the time given is over")
        return self.is_set()


def line_of(program):
    """As the worker reads it: what is expected, and what each step writes (trace.h)."""
    checks = ",".join(str(number) for check in program.get("checks", []) for number in check)
    writes = ";".join(step + "=" + ",".join(f"{where}{place}:{dtype}:{size}:{name}" for where, place, dtype, size, name in arrays)
                      for step, arrays in program.get("writes", {}).items())
    return f"{program['name']} {program['library']} {checks or '-'} {writes or '-'}\n"


class Worker:
    def __init__(self, bundle, mode, programs, options=(), prefix=(), faults=True):
        environment = dict(os.environ)
        if not faults:
            environment.pop("SINTER_GPU_FAULT", None)
        environment["LD_LIBRARY_PATH"] = bundle + ":" + environment.get("LD_LIBRARY_PATH", "")
        self.process = subprocess.Popen(
            [*prefix, os.path.join(bundle, "worker"), mode, bundle, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
            start_new_session=True)
        self.rest = b""
        text = "".join(line_of(program) for program in programs).encode()
        threading.Thread(target=self._feed, args=(text,), daemon=True).start()

    def _feed(self, text):
        try:
            self.process.stdin.write(text)
            self.process.stdin.close()
        except OSError:
            pass  # it ended before it read all

    def line(self, seconds, stop):
        """The next line; "" where it ended, None where it said nothing for so long or all is to stop."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            if stop.due() or time.monotonic() > end:
                return None
            if not select.select([self.process.stdout], [], [], 0.2)[0]:
                continue
            read = os.read(self.process.stdout.fileno(), 65536)
            if not read:
                return ""
            self.rest += read
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode(errors="replace") + "\n"

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()

    def ending(self):
        status = self.process.wait()
        return f"ended by signal {-status} ({signal.Signals(-status).name})" if status < 0 else f"exit status {status}"


def blame(bundle, program, seconds, stop):
    """The kernel that a program came to last, run step by step."""
    worker, last = Worker(bundle, "steps", [program]), ""
    while line := worker.line(seconds, stop):
        words = line.split()
        if words[:1] == ["step"]:
            last = words[1]
        elif words[:1] == ["done"]:
            if words[2] in ("right", "wrong"):
                last = ""  # this time all went well
            break
    worker.kill()
    return last


class Runner:
    """`told(program, status, detail, seconds, kernel, said)` is called for each program, once."""

    def __init__(self, bundle, mode, stop, told, seconds, options=(), prefix=()):
        self.bundle, self.mode, self.stop, self.told = bundle, mode, stop, told
        self.seconds, self.options, self.prefix = seconds, options, prefix

    def run(self, programs, jobs=1):
        # Neighbours share a library, and the arrays that are read with it.
        share = -(-len(programs) // jobs) if programs else 1
        threads = [threading.Thread(target=self._run, args=(programs[i:i + share],))
                   for i in range(0, len(programs), share)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _run(self, programs):
        left = collections.deque(programs)
        while left and not self.stop.due():
            self._run_worker(left)

    def _run_worker(self, left):
        """Until the worker ends; takes what is done off `left`."""
        worker = Worker(self.bundle, self.mode, left, self.options, self.prefix)
        said, began = [], time.monotonic()
        while True:
            line = worker.line(self.seconds, self.stop)
            if line is None and self.stop.is_set():
                worker.kill()
                return
            if not line:  # hung, or ended without a word
                status = "hung" if line is None else "crashed"
                if line is None:
                    detail = f"not finished after {self.seconds:g} s"
                    worker.kill()
                else:
                    detail = worker.ending()
                if left and (status == "hung" or not self._is_over(worker, left)):
                    self._bad(left.popleft(), status, " ".join([detail, *said[-3:]]), began, said)
                return
            words = line.split(None, 3)
            if words[:1] == ["begin"]:
                said, began = [], time.monotonic()
            elif words[:1] == ["done"] and left and words[1] == left[0]["name"]:
                program, status = left.popleft(), words[2]
                detail = words[3].strip() if len(words) > 3 else ""
                if status == "failed":
                    worker.process.wait()
                    self._bad(program, status, detail, began, said)
                    return
                self.told(program, status, detail, time.monotonic() - began, "", said)
                if not left and not self.prefix:
                    worker.process.wait()
                    return
            elif line.strip():
                said.append(line.rstrip())

    def _is_over(self, worker, left):
        return not left

    def _bad(self, program, status, detail, began, said):
        seconds = time.monotonic() - began
        kernel = "" if self.prefix else blame(self.bundle, program, self.seconds, self.stop)
        self.told(program, status, detail, seconds, kernel, said)


def read_bundle(folder):
    with open(os.path.join(folder, "programs.json")) as file:
        text = file.read()
    bundle = json.loads(text)
    import hashlib
    bundle["id"] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return bundle
