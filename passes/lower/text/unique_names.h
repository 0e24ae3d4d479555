// Names in a kernel whose parts were written, and named, one by one; and of what a program has several of.
#pragma once

#include <set>
#include <string>

#include "ir/kernel/kernel.h"

namespace sinter {

// A name that is visible where it is declared again gets a number.
void make_names_unique(Kernel& kernel);

// `base`, or "base_2" and so on where that is taken; it is then.
std::string unique_name(const std::string& base, std::set<std::string>* taken);

}  // namespace sinter
