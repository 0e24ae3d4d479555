#!/usr/bin/env bash
# Every name of names.txt as the name of a program and of its arrays: all C++ headers in one program, behind headers of the
# C and C++ libraries, and of CUDA where there is a toolkit. Of names that differ in case alone (macros are capitals) the
# first.
#   build_cpp_headers.sh SINTER
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >all.cpp <<'HEADERS'
#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <grp.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#endif
HEADERS
includes=()
toolkit=$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")/../include
if [ -d "$toolkit" ]; then includes=(-isystem "$toolkit"); fi
mapfile -t names < <(sed 's/#.*//' "$here/names.txt" | tr -s ' ' '\n' | awk 'NF && !seen[tolower($0)]++')
for name in "${names[@]}"; do
  sed "s/@/$name/g" "$here/one_kernel.hlo.in" >model.hlo
  "$sinter" compile model.hlo -o model --no-verify
  header=$(cd model/include && echo */*.hpp)
  echo "#include \"$header\"" >>all.cpp
  mkdir -p "include/$(dirname "$header")"
  cp model/include/"$(dirname "$header")"/* "include/$(dirname "$header")"
  rm -r model
done
for compiler in g++ clang++; do
  command -v $compiler >/dev/null || continue
  $compiler -std=c++17 -Wall -Wextra -Werror "${includes[@]}" -Iinclude -fsyntax-only all.cpp
done
echo "C++ headers of $(ls include | wc -l) programs"
