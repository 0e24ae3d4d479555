// Two emitted folders compared: a verdict for each kernel and for what stands around them, and what the change costs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emitter/host/emit_project.h"
#include "review/diff/compare_code.h"
#include "review/modules/dimension_map.h"

namespace sinter {

// Of one launch of a kernel, or of a run; what the plan report says.
struct Cost {
  std::optional<int64_t> launches;
  std::optional<int64_t> bytes_read, bytes_written;
  int64_t arena_bytes = 0;   // of a run
  int64_t shared_bytes = 0;  // of a kernel, as are the next
  int64_t registers = 0;
  int64_t flops = 0;
  std::string grid;  // "16x1x1"
  int64_t block = 0;
  std::string schedules;  // "row(warp)"
  std::optional<double>
      predicted_us;  // of a run the time with loops that depend on data counted once, where it is not known
};

// What the assembler says of a kernel.
struct Assembled {
  int64_t registers = 0;
  int64_t spilled_bytes = 0;  // stored and loaded, of a thread
  friend bool operator==(const Assembled&, const Assembled&) = default;
};

struct KernelDiff {
  Verdict verdict = Verdict::kUnknown;
  std::vector<std::string> before, after;            // names; one each, but for added, removed, split and merged
  bool edited_before = false, edited_after = false;  // by hand
  std::vector<NumberChange> numbers;
  std::vector<Rename> renames;
  std::string reason;
  // What differs in HLO terms, "- exp.1 = f32[8] exponential(x)  model.py:12" and "+ tanh.1 = f32[8] tanh(x)  ...".
  std::vector<std::string> computation;
  bool follows = false;                   // all its numbers do, from FolderDiff::extents
  std::vector<std::string> explanations;  // how: "4096 = 64*64 -> 9216 = 96*96"
  std::vector<std::string> schedule;      // "grid 16 -> 32"
  std::vector<std::string> headers;       // of the user's own whose functions are others, "kernels/swish.cuh"
  // The lines that differ, "- 12: ..." and "+ 12: ..." of the kernel, "- kernels/swish.cuh:12: ..." of a header.
  std::vector<std::string> hunk;
  std::optional<Cost> cost_before, cost_after;
  std::optional<Assembled> assembled_before, assembled_after;  // where it was asked
};

// The launcher, the headers, what builds it.
struct FileDiff {
  std::string path;  // of the folder after, or before where it is gone
  Verdict verdict = Verdict::kUnknown;
  std::string reason;
};

struct FolderDiff {
  std::string program_before, program_after;
  Verdict verdict = Verdict::kUnknown;  // of all
  // Of what all of it computes, whichever kernel does: kComputation where an operation comes, goes or is another.
  Verdict program_verdict = Verdict::kIdentical;
  std::string headline;                  // one line: what a reader should know first
  std::vector<std::string> interface;    // "x f32[64,97] -> f32[96,97]"
  std::vector<std::string> computation;  // as of a kernel, of all that is computed
  std::vector<ExtentChange> extents;     // that change everywhere
  bool interface_breaks = false;         // callers have to be built again, or changed
  std::vector<KernelDiff> kernels;
  std::vector<FileDiff> files;  // that are not identical
  size_t derived_changed = 0;   // files that follow from others: reports, the manifest
  std::optional<Cost> before, after;
};

// Of what all computes, the lines that no kernel has.
std::vector<std::string> lines_of_no_kernel(const FolderDiff& diff);

using ForEachOf = std::function<void(size_t, const std::function<void(size_t)>&)>;
FolderDiff diff_folders(const FileSet& before, const FileSet& after, const ForEachOf& for_each);

}  // namespace sinter
