#!/usr/bin/env bash
# The bill of materials of a model: complete, right, and the same bytes from another folder at another time; from a
# build, where it follows the sources.
#   write_sbom.sh SINTER SERVICE PACKAGE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "write_sbom: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
write() { cmake -D "DIR=$1" -D "OUT=$2" -P "$package/SinterSbom.cmake"; }
package=$3

cat >"$work/check.py" <<'CHECK'
import hashlib, json, pathlib, sys
folder, sbom = pathlib.Path(sys.argv[1]), json.load(open(sys.argv[2]))
listed = {}
for file in sbom["files"]:
    listed[file["fileName"][2:]] = {hash["algorithm"]: hash["checksumValue"] for hash in file["checksums"]}
there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"manifest.json"}
assert set(listed) - {"manifest.json"} == there, set(listed) ^ there
for path, hashes in listed.items():
    text = (folder / path).read_bytes()
    assert hashes == {"SHA1": hashlib.sha1(text).hexdigest(), "SHA256": hashlib.sha256(text).hexdigest()}, path
code = hashlib.sha1("".join(sorted(hashes["SHA1"] for hashes in listed.values())).encode()).hexdigest()
packages = {package["SPDXID"]: package for package in sbom["packages"]}
assert packages["SPDXRef-Model"]["packageVerificationCode"]["packageVerificationCodeValue"] == code
if len(sys.argv) > 3:
    text = hashlib.sha256(open(sys.argv[3], "rb").read()).hexdigest()
    assert packages["SPDXRef-Input"]["checksums"][0]["checksumValue"] == text
ids = ["SPDXRef-DOCUMENT", *packages, *(file["SPDXID"] for file in sbom["files"])]
assert len(ids) == len(set(ids))
assert all({r["spdxElementId"], r["relatedSpdxElement"]} <= set(ids) for r in sbom["relationships"])
CHECK

run "$1" compile "$2/classify.hlo" -o "$work/classify"
run write "$work/classify" "$work/first.json"
run python3 "$work/check.py" "$work/classify" "$work/first.json" "$2/classify.hlo"
grep -q '"created": "1970-01-01T00:00:00Z"' "$work/first.json" || fail "a time that nobody gave"
run cp -r "$work/classify" "$work/other folder"
sleep 1
run write "$work/other folder" "$work/second.json"
run cmp "$work/first.json" "$work/second.json"
(cd "$work" && run write classify relative.json)
run cmp "$work/first.json" "$work/relative.json"
SOURCE_DATE_EPOCH=86400 run write "$work/classify" "$work/dated.json"
grep -q '"created": "1970-01-02T00:00:00Z"' "$work/dated.json" || fail "SOURCE_DATE_EPOCH is not its time"

# A licence that was stated is that of all files, and of the model; without one nothing is said.
run "$1" compile "$2/classify.hlo" -o "$work/licensed" --license 'MIT OR Apache-2.0'
run "$1" compile "$2/classify.hlo" -o "$work/licensed" --license MIT_OR_Apache-2.0 --fresh
run "$1" check "$work/licensed"
run write "$work/licensed" "$work/licensed.json"
run python3 "$work/check.py" "$work/licensed" "$work/licensed.json" "$2/classify.hlo"
cat >"$work/licences.py" <<'CHECK'
import json, pathlib, sys
folder, sbom = pathlib.Path(sys.argv[1]), json.load(open(sys.argv[2]))
assert sbom["packages"][0]["licenseDeclared"] == "MIT OR Apache-2.0"
assert all(file["licenseConcluded"] == "MIT OR Apache-2.0" for file in sbom["files"])
without = set()
for path in folder.rglob("*"):
    if path.is_file() and not path.read_bytes().split(b"\n")[0].endswith(b" SPDX-License-Identifier: MIT OR Apache-2.0"):
        without.add(path.name)
assert without <= {"manifest.json", "plan.txt", "fusion.json", "constants.bin"}, without
CHECK
run python3 "$work/licences.py" "$work/licensed" "$work/licensed.json"
if grep -q license "$work/first.json"; then fail "a licence that nobody stated"; fi
if grep -rq SPDX "$work/classify"; then fail "a file claims a licence"; fi

# What cannot be described is refused.
refused() {  # SENTENCE FOLDER
  if write "$2" "$work/none.json" >"$work/log" 2>&1; then fail "accepted: $1"; fi
  tr -s ' \n' ' ' <"$work/log" | grep -q "$1" || { cat "$work/log"; fail "does not say: $1"; }
  [ ! -e "$work/none.json" ] || fail "written in spite of: $1"
}
mkdir "$work/empty"
refused "has no manifest.json" "$work/empty"
rm "$work/other folder/info.cpp"
refused "info.cpp is missing" "$work/other folder"

# In a build.
mkdir "$work/project"
cp "$2/classify.hlo" "$work/project"
cat >"$work/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(service LANGUAGES CXX)
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$(realpath "$1")")
include("$package/SinterAddLibrary.cmake")
sinter_add_library(classify classify.hlo)
sinter_add_sbom(classify sbom.spdx.json)
sinter_add_library(committed classify.hlo NAME reviewed EMIT_DIR committed)
sinter_add_sbom(committed committed.spdx.json)
PROJECT
run cmake -S "$work/project" -B "$work/build" -G Ninja
run ninja -C "$work/build" classify_sbom
emitted=$work/build/sinter/classify/emitted
run python3 "$work/check.py" "$emitted" "$work/build/sbom.spdx.json" "$work/project/classify.hlo"
echo "// a comment" >>"$work/project/classify.hlo"
run ninja -C "$work/build" classify_sbom
run python3 "$work/check.py" "$emitted" "$work/build/sbom.spdx.json" "$work/project/classify.hlo"
run ninja -C "$work/build" classify_sbom
grep -q 'no work to do' "$work/log" || { cat "$work/log"; fail "written again though nothing changed"; }
# Committed sources are described as they are, and not written again.
echo "// edited" >>"$work/project/committed/info.cpp"
run ninja -C "$work/build" committed_sbom
grep -q '// edited' "$work/project/committed/info.cpp" || fail "committed sources were written again"
run python3 "$work/check.py" "$work/project/committed" "$work/build/committed.spdx.json"
echo "write_sbom: right"
