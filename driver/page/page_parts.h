// What the page of a compiled program is made of, as values of its template (templates/review/plan.html.mustache).
#pragma once

#include <kainjow/mustache.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile/plan_report.h"
#include "driver/page/dataflow.h"
#include "driver/page/source_lines.h"
#include "review/modules/recorded_module.h"

namespace sinter {

// "12", or "unknown".
std::string count_text(std::optional<int64_t> count);

// Launches and what else the host does, in order: boxes, and groups of them that open and close.
kainjow::mustache::data launch_boxes(const Program& program, const Gpu& gpu);

// Every array in device memory, with its home.
kainjow::mustache::data arrays_in_memory(const Program& program);
// "device memory", "weights".
std::string home_text(const Buffer& buffer);
// Values that go through device memory, and what the reasons for it mean.
kainjow::mustache::data stored_values(const PlanReport& report);
kainjow::mustache::data reasons_given(const PlanReport& report);

class KernelSections {
 public:
  // All outlive it.
  KernelSections(const Artifact& artifact, const PlanReport& report, const SourceLines& sources);

  // A line of the table of kernels.
  kainjow::mustache::data row(size_t kernel) const;
  // What a kernel opens.
  kainjow::mustache::data section(size_t kernel) const;

  // What each kernel computes, by its place in the program, and where these instructions stand.
  std::vector<std::vector<const Instruction*>> instructions() const;
  const InstructionOrder& order() const { return order_; }

 private:
  // What is called so in the plan.
  const std::string& item_of(size_t kernel) const;
  const std::vector<const Instruction*>& values_of(size_t kernel) const;
  std::string computation(size_t kernel) const;
  kainjow::mustache::data arrays(size_t kernel) const;
  kainjow::mustache::data hlo_lines(size_t kernel) const;
  kainjow::mustache::data source_lines(size_t kernel) const;
  kainjow::mustache::data lines(const std::string& file) const;

  const Artifact& artifact_;
  const PlanReport& report_;
  const SourceLines& sources_;
  const std::optional<RecordedModule> module_;
  const InstructionOrder order_;
  const std::map<std::string, const TreeNode*> items_;  // kernels of the tree, by name
  std::map<size_t, const HostStep*> launches_;          // the first of each kernel
};

}  // namespace sinter
