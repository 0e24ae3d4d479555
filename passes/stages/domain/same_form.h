// Stages that compute the same on different arrays, found without a demand graph of either.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

using ArrayPairs = llvm::DenseMap<const Instruction*, const Instruction*>;
// The arrays of `other` by those of `first` where the two kernels, of one schedule and as many threads, differ in
// nothing else: their values correspond one to one, outputs and parameters in one order. nullopt where they differ, or
// where that is not told from their values alone (a loop's state, a value of several results).
std::optional<ArrayPairs> same_form(const KernelValues& first, const KernelValues& other);

// The same for those of the same form: by it they are looked for.
size_t form_hash(const KernelValues& values);
size_t form_hash(const std::vector<KernelValues>& parts);

}  // namespace sinter
