#!/usr/bin/env bash
# The runner's --profile: a line for each step, with what fusion.json predicts of each kernel; a trace that is JSON.
#   print_profile.sh SINTER
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" compile "$here/advance.hlo" -o "$work/advance" --name advance --no-verify >/dev/null
cd "$work/advance"
printf '#include "%s"\n' kernels/*.cu advance.cu info.cpp main.cpp >all.cpp
c++ -std=c++20 -O0 -Wall -Wextra -Werror -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -Wno-unknown-pragmas -I. \
  -Iinclude all.cpp -o advance_cli -pthread
./advance_cli --random 1 --warmup 1 --repeat 5 --profile --trace trace.json >table
python3 - <<'PYTHON' || { cat table; exit 1; }
import json
import re

plan = json.load(open("fusion.json"))
table = open("table").read()
lines = {line.split()[0]: line.split() for line in table.splitlines() if line}
assert re.search(r"^5 runs, [0-9.]+ us each$", table, re.M)
assert f"on CPU, predicted for {plan['gpu']}" in table and "times are the CPU's" in table
share = 0
for kernel in plan["kernels"]:
    # step, launches, us, "low to high", share, %, GB/s, GFLOP/s, predicted, ratio
    words = lines[kernel["name"]]
    assert len(words) == 12 and words[1] == str(kernel["count"]), words
    us, gb_per_s, predicted = float(words[2]), float(words[8]), float(words[10])
    assert abs(predicted - kernel["predicted_us"]) < 0.051, words
    moved = kernel["bytes_read"] + kernel["bytes_written"]
    assert abs(gb_per_s - moved / us / 1e3) <= 0.06 + 0.01 * gb_per_s, words
    share += float(words[6])
assert abs(share + float(lines["copy"][6]) - 100) < 0.3, table
events = json.load(open("trace.json"))["traceEvents"]
assert [event["name"] for event in events] == [plan["kernels"][0]["name"], "copy"]
assert events[0]["args"]["bytes"] == plan["kernels"][0]["bytes_read"] + plan["kernels"][0]["bytes_written"]
assert "args" not in events[1] and events[1]["ts"] >= events[0]["ts"] + events[0]["dur"] - 0.01
PYTHON

# A shared library's steps are told to nobody, and the runner says so.
flags=(-std=c++20 -O0 -DSINTER_CPU -DADVANCE_SHARED -fPIC -fvisibility=hidden -Wno-unknown-pragmas -I. -Iinclude)
printf '#include "%s"\n' kernels/*.cu advance.cu info.cpp >library.cpp
c++ "${flags[@]}" -shared library.cpp -o libadvance.so
c++ "${flags[@]}" main.cpp ./libadvance.so -o shared_cli
./shared_cli --random 1 --repeat 2 >table
if ./shared_cli --random 1 --repeat 2 --profile >table 2>&1; then echo "a profile of no steps"; exit 1; fi
grep -q "no step was told" table || { cat table; exit 1; }
echo "profile: as it should be"
