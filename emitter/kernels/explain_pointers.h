// Why some of a kernel's pointers lack __restrict__: what a reader asks at the signature.
#pragma once

#include <string>

#include "ir/kernel/kernel.h"

namespace sinter {

// A comment of one line or more, before the function; empty where every pointer is alone with its array.
std::string explain_pointers(const Kernel& kernel, bool is_part);

// True if a part reads what another part of its launch writes. None of its pointers may then be __restrict__: nvcc
// takes what a function reads and does not itself write for what nobody writes, as soon as any pointer in it is
// declared so, and reads it through the cache that is not kept up to date (ld.global.nc; nvcc 13.0).
bool reads_other_parts(const Kernel& part);

}  // namespace sinter
