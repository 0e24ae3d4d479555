#!/usr/bin/env bash
# Every program of $SINTER_SHARED_DIR/large, at its full size, compiles to CUDA C++ that clang parses without a
# complaint. The samples are smaller, and have other kernels.
#   verify_large.sh SINTER
set -u
sinter=$1
if [ ! -d "${SINTER_SHARED_DIR:-}/large" ]; then
  echo "SKIPPED: SINTER_SHARED_DIR does not name the folder with large/"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for program in "$SINTER_SHARED_DIR"/large/*/*.hlo; do
  if ! "$sinter" compile "$program" --verify -o "$work/out" --force > "$work/log" 2>&1; then
    echo "$(basename "$program"):"
    cat "$work/log"
    failed=1
  fi
done
exit $failed
