"""What all parts have: the bundle, the programs that are asked for, and runs of them into the results."""
import fnmatch

import narrow
import results as result_files
import work


class Context:
    def __init__(self, options, bundle, results, stop, watch):
        self.options, self.bundle, self.results, self.stop, self.watch = options, bundle, results, stop, watch

    def programs(self, *groups):
        """Those of the groups that are asked for."""
        asked = self.options.only or ["*"]
        return [p for p in self.bundle["programs"]
                if p["group"] in groups and any(fnmatch.fnmatch(p["name"], one) for one in asked)]

    def run(self, mode, programs, seconds, options=(), jobs=1, prefix=(), case=lambda p: p["name"], judge=None):
        """Those that have no result yet; `judge` turns (status, detail, said) into what is written."""
        def told(program, status, detail, took, kernel, said):
            if judge is not None:
                status, detail = judge(status, detail, said)
            more = {"group": program["group"], "seconds": round(took, 3)}
            if status == "wrong" and mode == "right" and judge is None:
                kernel, why = narrow.first_wrong(self, program, seconds)
                detail = f"{detail}; {why}"
            if kernel:
                more["kernel"] = kernel
            if status == "wrong":
                more["kernels"] = [k["name"] for k in program["kernels"]]
            if self.watch.state:
                more["state"] = self.watch.state
            self.results.add(case(program), status, detail, **more)

        left = [p for p in programs if not self.results.has(case(p))]
        seconds = self.options.seconds or seconds
        work.Runner(self.options.bundle, mode, self.stop, told, seconds, options, prefix).run(left, jobs)

    def table(self, planned):
        self.results.write_text(result_files.counts_table(self.results, planned, self.stop.why))
        return all(self.results.cases.get(case, {}).get("status") in ("right", "missing") for case, _ in planned)


def covering(programs, twice=1):
    """Few programs that have every feature: kinds of stages, helpers, libraries; each so many times."""
    left = {}
    for program in programs:
        for feature in program["features"]:
            left[feature] = twice
    chosen = []
    # Rare features first: who has them has common ones, too.
    while any(left.values()):
        best = max((p for p in programs if p not in chosen), default=None,
                   key=lambda p: sum(left[f] > 0 for f in p["features"]))
        if best is None or not any(left[f] > 0 for f in best["features"]):
            break
        chosen.append(best)
        for feature in best["features"]:
            left[feature] = max(0, left[feature] - 1)
    return chosen
