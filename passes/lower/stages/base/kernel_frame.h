// What stands around the statements of a stage's kernel: its pointers, the type of their offsets, arrays that may be
// one, the comment that opens its file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/lower/write/lowered_kernel.h"
#include "passes/lower/write/sharing.h"
#include "passes/schedule/tree/tree.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

// The C identifier a value in device memory goes by.
using BufferNames = std::map<const Instruction*, std::string>;

// Adds a pointer parameter for every value loaded (in the order of `names` by position in the text) and stored.
void add_parameters(const DemandGraph& graph, const std::vector<const Instruction*>& outputs, const BufferNames& names,
                    LoweredKernel* lowered, std::map<const Instruction*, Variable*>* inputs,
                    std::map<const Instruction*, Variable*>* outputs_of);

// Sets may_share: of `pairs`, those whose order in the finished body allows it.
void find_shared(const std::vector<ElementwisePair>& pairs, LoweredKernel* lowered);

// s64 where an offset may pass 2^31 - 1.
DType index_type_of(const DemandGraph& graph, int64_t threads = 0);

// Values that a demand graph loads from memory, in the order of the module's text.
std::vector<const Instruction*> loaded_values(const DemandGraph& graph);

// How the comment that opens a kernel's file says what is launched: "One thread", "One block of 32 threads", "8 blocks
// of 32 threads".
std::string launch_text(int64_t blocks, int64_t threads);
// "24.8 kB"
std::string human_bytes(int64_t bytes);

// The comment that opens the file of a kernel that is finished but for it.
std::vector<std::string> describe_kernel(const Module& module, const Kernel& kernel, const KernelValues& values,
                                         const DemandGraph& graph, int64_t threads, const std::string& launch,
                                         const ScratchShapes& scratch = {});

}  // namespace sinter
