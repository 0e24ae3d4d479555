#include "driver/build/assemble_kernel.h"

#include <llvm/Support/Program.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <tuple>
#include <vector>

#include "driver/build/build_cache.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "driver/system/subprocess.h"
#include "emitter/text/user_header.h"

namespace sinter {

namespace {

// The number in front of `what`: 32 of "Used 32 registers, used 1 barriers".
std::optional<int64_t> number_before(const std::string& line, const std::string& what) {
  const size_t at = line.find(" " + what);
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = line.find_last_not_of("0123456789", at - 1) + 1;
  int64_t number = 0;
  const auto [end, status] = std::from_chars(line.data() + begin, line.data() + at, number);
  return status == std::errc() ? std::optional(number) : std::nullopt;
}

// What `ptxas -v` says of the file's kernels, of each number the largest.
std::optional<Assembled> read_numbers(const std::string& text) {
  std::optional<Assembled> found;
  int64_t spilled = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<int64_t> stores = number_before(line, "bytes spill stores");
    const std::optional<int64_t> loads = number_before(line, "bytes spill loads");
    if (stores && loads) spilled = std::max(spilled, *stores + *loads);
    const std::optional<int64_t> registers = number_before(line, "registers");
    if (!registers) continue;
    if (!found) found.emplace();
    found->registers = std::max(found->registers, *registers);
  }
  if (found) found->spilled_bytes = spilled;
  return found;
}

}  // namespace

bool has_assembler() { return static_cast<bool>(llvm::sys::findProgramByName(compiler_command("", Device::kCuda)[0])); }

std::optional<Assembled> assemble_kernel(const FileSet& files, const std::string& path,
                                         const std::string& architecture) {
  const auto kernel = files.find(path);
  if (kernel == files.end()) return std::nullopt;
  // What it may read: another kernel that changes is no reason to build this one again.
  FileSet read = {*kernel};
  for (const auto& [name, text] : files) {
    if (is_header(name) && !name.starts_with("cpu/") && !name.starts_with("runner/")) read.emplace(name, text);
  }
  std::vector<std::string> command = compiler_command(architecture, Device::kCuda);
  command.insert(command.end(), {"-cubin", "-Xptxas", "-v", "-o", "kernel.cubin", path});
  const std::string product = "ptxas.txt";
  std::string error;
  const std::optional<std::string> said = build_cached(
      cache_key(read, command), read, product,
      [&](const std::string& folder) {
        const ProcessResult process = run_process(command, folder);
        std::string failed;
        if (process.exit_status != 0 || !read_numbers(process.output)) return "nvcc: " + process.output;
        write_file(folder + "/" + product, process.output, failed);
        return failed;
      },
      error);
  const std::optional<std::string> text = said ? read_file(*said, error) : std::nullopt;
  return text ? read_numbers(*text) : std::nullopt;
}

void assemble_changed(ProgramDiff* program, const std::string& architecture) {
  if (!has_assembler()) return;
  std::vector<std::tuple<const FileSet*, std::string, std::optional<Assembled>*>> work;
  for (KernelDiff& kernel : program->diff.kernels) {
    // What several kernels have says nothing of the one that they were or are now.
    const bool several = kernel.before.size() > 1 || kernel.after.size() > 1;
    if (kernel.verdict == Verdict::kIdentical || several) continue;
    if (!kernel.before.empty()) work.emplace_back(&program->before, kernel.before[0], &kernel.assembled_before);
    if (!kernel.after.empty()) work.emplace_back(&program->after, kernel.after[0], &kernel.assembled_after);
  }
  for_each_parallel(work.size(), [&](size_t i) {
    const auto& [files, name, assembled] = work[i];
    *assembled = assemble_kernel(*files, "kernels/" + name + ".cu", architecture);
  });
}

}  // namespace sinter
