// The GPUs that predictions can be made for: the data files of templates/gpus/, and files of a user's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/support/diagnostics.h"
#include "passes/schedule/cost/gpu.h"

namespace sinter {

// "a100", "b200", ...: those of templates/gpus/.
std::vector<std::string> gpu_names();

// What `--gpu` names: "h200", or a path that ends in ".json". nullopt with the reason in `error`. `read`, if given,
// receives that file.
std::optional<Gpu> find_gpu(const std::string& name, std::string& error, std::optional<Source>* read = nullptr);

// Where none is named: the GPU that stands for the first of `architectures` ("80,90a"); an H200 where none does.
Gpu default_gpu(const std::string& architectures);

}  // namespace sinter
