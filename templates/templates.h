// The files of templates/ and the headers of runtime/ that emitted projects contain, as text inside
// this binary.
#pragma once

#include <string_view>
#include <vector>

namespace sinter {

// "device/launch.cuh", "cpu/sinter_cpu.h", "runner/tensor_file.h"; empty if there is no such text.
std::string_view template_text(std::string_view path);

// The names of all texts, sorted.
std::vector<std::string_view> template_names();

}  // namespace sinter
