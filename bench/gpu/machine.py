"""What machine this is, and what state its GPU is in."""
import datetime
import os
import subprocess
import threading

STATE = ("clocks.sm", "clocks.mem", "power.draw", "temperature.gpu", "clocks_throttle_reasons.active")


def ask(fields):
    """The fields of the first GPU by name; None without one."""
    command = ["nvidia-smi", "--query-gpu=" + ",".join(fields), "--format=csv,noheader,nounits", "-i", "0"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0 or not done.stdout.strip():
        return None
    return dict(zip(fields, (word.strip() for word in done.stdout.splitlines()[0].split(","))))


def describe(dry):
    machine = {"dry": dry, "date": datetime.datetime.now().strftime("%Y-%m-%d"), "cores": os.cpu_count()}
    if dry:
        return machine | {"device": "CPU"}
    gpu = ask(("name", "driver_version", "memory.total", "clocks.max.sm", "power.limit"))
    if gpu is None:
        return None
    return machine | {"device": gpu["name"], "driver": gpu["driver_version"], "gpu": gpu}


class Watch:
    """Asks for the GPU's state every other second, for `state` to be cheap."""

    def __init__(self, dry):
        self.state = None if dry else ask(STATE)
        self.ended = threading.Event()
        if self.state is not None:
            threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while not self.ended.wait(2):
            self.state = ask(STATE) or self.state

    def end(self):
        self.ended.set()
