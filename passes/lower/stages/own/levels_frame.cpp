#include <algorithm>
#include <map>
#include <set>

#include "ir/values/dtype.h"
#include "passes/analysis/values/arrays.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/stages/base/formula_text.h"
#include "passes/lower/stages/base/kernel_frame.h"
#include "passes/lower/stages/own/levels_lowering.h"
#include "passes/lower/write/device_functions.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

// Whether a value is a sum of squares alone, of elements that stand beside one another; zeros beyond an array's end are
// squares, too.
bool sums_squares(const Instruction& value) {
  std::vector<const Instruction*> open = {&value};
  std::set<const Instruction*> seen;
  bool adds = false;
  while (!open.empty()) {
    const Instruction& part = *open.back();
    open.pop_back();
    if (!seen.insert(&part).second) continue;
    switch (part.opcode) {
      case Opcode::kMultiply:
        if (part.operand(0) != part.operand(1)) return false;
        break;
      case Opcode::kAdd:
        adds = true;
        [[fallthrough]];
      case Opcode::kPad:
        open.push_back(part.operand(1));
        [[fallthrough]];
      case Opcode::kSlice:
      case Opcode::kReshape:
      case Opcode::kBroadcast:
        open.push_back(part.operand(0));
        break;
      case Opcode::kConstant:
        if (splat_real(part) != 0.0) return false;
        break;
      default:
        return false;
    }
  }
  return adds;
}

std::string level_name(const Instruction& level) {
  const std::string name = value_name(level);
  return is_operation_name(name) && sums_squares(level) ? "square_sum" : name;
}

}  // namespace

void LevelsLowering::add_arrays() {
  // What all passes load, each array once.
  DemandGraph loads(*levels_.passes[0].elements.context);
  for (const LevelPass& pass : levels_.passes) {
    const std::vector<bool> needed = needed_nodes(*pass.elements.graph);
    for (size_t id = 0; id < needed.size(); ++id) {
      const DemandNode& node = pass.elements.graph->nodes[id];
      if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
      loads.results.push_back(static_cast<NodeId>(loads.nodes.size()));
      loads.nodes.push_back({.kind = node.kind, .instruction = node.instruction, .dtype = node.dtype});
    }
  }
  w_.add_values(loads, {});
  for (Parameter& parameter : kernel_.parameters) parameter.bytes.reset();
  for (size_t number = 0; number < demand_.outputs.size(); ++number) {
    const Instruction* output = demand_.outputs[number];
    Variable* pointer = nullptr;
    if (output != nullptr) {
      std::string name = input_.names.at(output);
      const auto is_taken = [&](const Parameter& parameter) { return parameter.variable->name == name; };
      if (std::ranges::any_of(kernel_.parameters, is_taken)) name += "_out";
      pointer = w_.add_pointer(name, output->shape, true, StageArgument::of(output));
    }
    outputs_.push_back(pointer);
  }
  w_.rename_parameters({"warp", "lane", "tile", "batch", "tile_row", "tile_column", "is_inside", "first", "row",
                        "column", "r", "c", "k", "shared", "kernel"});
}

void LevelsLowering::take_wide_reads() {
  for (size_t p = 0; p < levels_.passes.size(); ++p) {
    if (!is_wide(p)) continue;
    DemandGraph& graph = *levels_.passes[p].inside->graph;
    for (const WideRead& read : *levels_.passes[p].wide) {
      for (const auto& [node, column] : read.nodes) {
        graph.nodes[node].kind = DemandNode::Kind::kParameter;
        graph.nodes[node].expr = {};
      }
    }
    graph.set_scopes();
  }
}

void LevelsLowering::name_passes() {
  std::set<std::string> taken = {"tile", "row", "column", "thread", "batch"};
  for (const Parameter& parameter : kernel_.parameters) taken.insert(parameter.variable->name);
  const auto unique = [&](const std::string& wanted) {
    std::string name = wanted;
    for (int number = 2; !taken.insert(name).second; ++number) name = wanted + "_" + std::to_string(number);
    return name;
  };
  for (const Levels::Level& level : levels_.levels) level_names_.push_back(unique(level_name(*level.value)));
  for (const LevelPass& pass : levels_.passes) {
    const std::optional<size_t> first = levels_.level_of(pass.values[0]);
    PassText text;
    text.name = first ? level_names_[*first] : unique(is_result_pass(pass) ? "result" : "level");
    text.constant = "k" + type_name(text.name);
    passes_.push_back(text);
  }
}

void LevelsLowering::add_constants() {
  const auto add = [&](const std::string& name, int64_t value, const std::string& spelling = "",
                       const std::string& comment = "") { w_.constexpr_int(name, value, spelling, comment); };
  if (levels_.batches() > 1) add("kBatches", levels_.batches());
  if (!is_line()) add("kRows", levels_.rows);
  add("kColumns", levels_.columns);
  if (!is_line()) add("kTileRows", form_.rows);
  add("kTileColumns", form_.columns);
  if (has_wide()) add("kWidth", kWideColumns, "", "columns of a thread, in one access");
  add("kWarp", kWarp);
  add("kThreads", threads(), std::to_string(form_.warps) + " * kWarp");
  if (!is_line()) add("kWarps", form_.warps, "kThreads / kWarp");
  const auto tiles = [&](const char* name, int64_t count, const std::string& extent, const std::string& tile) {
    add(name, count, "(" + extent + " + " + tile + " - 1) / " + tile, std::to_string(count));
  };
  if (!is_line()) tiles("kRowTiles", row_tiles(levels_, form_), "kRows", "kTileRows");
  tiles("kColumnTiles", column_tiles(levels_, form_), "kColumns", "kTileColumns");
  std::string whole;
  if (!is_line() && levels_.rows % form_.rows == 0) whole = "kRows % kTileRows == 0";
  if (levels_.columns % form_.columns == 0)
    whole += std::string(whole.empty() ? "" : " && ") + "kColumns % kTileColumns == 0";
  if (!whole.empty()) kernel_.assertions.push_back({whole, "tiles are whole"});
  for (size_t p = 0; p < passes_.size(); ++p) {
    const LevelPass& pass = levels_.passes[p];
    const std::string& name = passes_[p].constant;
    const auto extent = [&](const char* what, const LevelReach& reach, int64_t value, const char* tile) {
      const int64_t around = reach.before + reach.after;
      const std::string spelling =
          around == 0 ? std::string(tile)
                      : tile + std::string(around > 0 ? " + " : " - ") + std::to_string(std::abs(around));
      add(name + what, value, spelling, std::to_string(value));
    };
    if (!is_line()) {
      extent("Rows", pass.row_reach, rows_of(pass, form_), "kTileRows");
      const int64_t of_thread = rows_of_thread(pass, levels_, form_);
      add(name + "RowsOfThread", of_thread, "(" + name + "Rows + kWarps - 1) / kWarps", std::to_string(of_thread));
    }
    extent("Columns", pass.column_reach, columns_of(pass, form_), "kTileColumns");
    const int64_t kept = kept_columns(pass, levels_, form_);
    if (kept != columns_of(pass, form_) && !is_result_pass(pass))
      add(name + "Kept", kept, "(" + name + "Columns + kWidth - 1) / kWidth * kWidth", std::to_string(kept));
  }
}

void LevelsLowering::add_shared() {
  for (size_t k = 0; k < levels_.levels.size(); ++k) {
    const Levels::Level& level = levels_.levels[k];
    const std::string& name = passes_[level.pass].constant;
    std::vector<std::string> dims;
    if (!is_line()) dims.push_back(name + "Rows");
    const LevelPass& pass = levels_.passes[level.pass];
    const bool whole = kept_columns(pass, levels_, form_) == columns_of(pass, form_);
    dims.push_back(name + (whole ? "Columns" : "Kept"));
    SharedStruct::Member member = {.name = level_names_[k], .dtype = level.value->shape.dtype, .dims = std::move(dims)};
    if (has_wide()) member.type = "alignas(16) " + std::string(dtype_cuda_name(member.dtype));
    kernel_.shared.members.push_back(std::move(member));
  }
  kernel_.shared.bytes = shared_bytes(levels_, form_);
}

std::string LevelsLowering::around(const LevelPass& pass) const {
  std::string more, less;
  const auto add = [&](int64_t number, const char* of, const std::string& where) {
    if (number == 0) return;
    std::string& text = number > 0 ? more : less;
    text += (text.empty() ? "" : ", ") + count(std::abs(number), of) + " " + where;
  };
  const auto add_both = [&](const LevelReach& reach, const char* of, const char* before, const char* after) {
    if (reach.before == reach.after) return add(reach.before, of, std::string(before) + " and " + after);
    add(reach.before, of, before);
    add(reach.after, of, after);
  };
  if (!is_line()) add_both(pass.row_reach, "row", "above", "below");
  add_both(pass.column_reach, "column", "left", "right");
  return "the tile" + (more.empty() ? "" : " and " + more) + (less.empty() ? "" : ", without " + less);
}

std::string LevelsLowering::names_of(size_t p) const {
  std::string text;
  for (const Instruction* value : levels_.passes[p].values) {
    const std::optional<size_t> level = levels_.level_of(value);
    std::string name = level ? level_names_[*level] : "";
    for (size_t number = 0; !level && number < outputs_.size(); ++number) {
      if (demand_.results[number] == value && outputs_[number] != nullptr) name = outputs_[number]->name;
    }
    if (!name.empty()) text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

void LevelsLowering::add_formula_lines(std::vector<std::string>* lines) const {
  constexpr size_t kMost = 24;
  std::map<const Instruction*, std::string> names;
  std::set<std::string> taken;
  for (const Parameter& parameter : kernel_.parameters) taken.insert(parameter.variable->name);
  taken.insert(level_names_.begin(), level_names_.end());
  const Computation& computation = **demand_.fusion->attributes->calls;
  for (const Instruction* parameter : computation.parameters()) {
    const auto read = w_.inputs.find(demand_.fusion->operand(static_cast<size_t>(parameter->parameter_number)));
    if (read != w_.inputs.end()) names.emplace(parameter, read->second->name);
  }
  std::set<const Instruction*> results;
  for (size_t k = 0; k < levels_.levels.size(); ++k) {
    names.emplace(levels_.levels[k].value, level_names_[k]);
    results.insert(levels_.levels[k].value);
  }
  for (size_t number = 0; number < outputs_.size(); ++number) {
    if (outputs_[number] == nullptr) continue;
    names.emplace(demand_.results[number], outputs_[number]->name);
    results.insert(demand_.results[number]);
  }
  std::vector<const Instruction*> computed;
  for (const Instruction& value : computation.instructions()) {
    if (!is_plumbing(value)) computed.push_back(&value);
  }
  const std::vector<std::string> list = formula_text(computed, results, names, taken, kMost);
  if (list.empty()) return;
  lines->insert(lines->end(), list.begin(), list.end());
  lines->emplace_back();
}

std::vector<std::string> LevelsLowering::description() const {
  std::string kept;
  for (const std::string& name : level_names_) kept += (kept.empty() ? "" : ", ") + name;
  std::vector<std::string> lines = {kernel_.name + (kept.empty() ? ": elements of what is around them."
                                                                 : ": a chain of stencils, by way of " + kept + "."),
                                    ""};
  w_.describe_arrays(&lines);
  add_formula_lines(&lines);
  const std::string tile =
      (is_line() ? std::string() : std::to_string(form_.rows) + " x ") + std::to_string(form_.columns);
  std::string text = "A block computes a tile of " + tile + " elements";
  if (!kept.empty()) {
    text += ", and before it, in " + human_bytes(kernel_.shared.bytes) +
            " of shared memory, what of each level is looked at for that:";
    for (size_t p = 0; p < passes_.size(); ++p) {
      if (is_result_pass(levels_.passes[p])) continue;
      text += std::string(p == 0 ? " " : "; ") + "of " + names_of(p) + " " + around(levels_.passes[p]);
    }
  }
  lines.push_back(text + ".");
  lines.push_back("");
  lines.push_back(launch_text(tiles_of(levels_, form_), threads()) + ". " + w_.traffic_text() + ".");
  return lines;
}

}  // namespace sinter
