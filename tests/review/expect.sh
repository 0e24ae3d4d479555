# What the scripts beside this one share. shellcheck shell=bash
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# expect STATUS TEXT COMMAND...: runs the command and expects its exit status, and that it says the text.
expect() {
  local status=$1 text=$2 out rc=0
  shift 2
  out=$("$@" 2>&1) || rc=$?
  [ "$rc" = "$status" ] || fail "$* exits with $rc, not $status: $out"
  [[ "$out" == *"$text"* ]] || fail "$* says: $out"
}
