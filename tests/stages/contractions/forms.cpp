#include "tests/stages/contractions/forms.h"

#include <algorithm>
#include <stdexcept>

#include "ir/module/module.h"
#include "passes/stages/products/gemv_form.h"
#include "passes/stages/products/simt_form.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {
namespace {

struct DrawnForm {
  std::string schedule;
  int64_t threads = 0;
};

int64_t power_of_two(Random& random, int64_t low, int64_t high) { return int64_t{1} << random.between(low, high); }

DrawnForm draw_tiles(Random& random) { return {std::string(kContract), random.pick<int64_t>({64, 256, 1024})}; }

std::optional<DrawnForm> draw_tensor_cores(const Instruction& dot, Random& random) {
  const std::optional<TensorCoreForm::Product> product = tensor_core_product(dot);
  if (!product) return std::nullopt;
  for (int i = 0; i < 20; ++i) {
    TensorCoreForm form = {.product = *product, .m = power_of_two(random, 5, 7), .n = power_of_two(random, 4, 7)};
    form.wgmma = *product != TensorCoreForm::Product::kF64 && random.chance(65);
    form.turned = form.has_registers() && random.chance(50);
    form.k = form.tile_k();
    form.stages = random.between(form.wgmma ? 3 : 2, 5);
    if (random.chance(40)) form.splits = random.chance(80) ? random.between(2, 4) : 4 * random.between(2, 4);
    if (form.wgmma && random.chance(30)) (form.turned ? form.m : form.n) = 256;
    if (form.wgmma && !form.has_registers() && random.chance(60)) {
      form.tma = true;
      form.splits = 1;
      form.stages = random.between(2, 5);
    }
    const int64_t threads = form.wgmma ? form.warpgroup_threads() : 32 * random.between(1, 8);
    if (warp_tile(form, threads)) return DrawnForm{schedule_text(form), threads};
  }
  return std::nullopt;
}

// Tiles that threads cannot divide are refused, and drawn again.
DrawnForm draw_simt(Random& random) {
  const SimtForm form = {
      .m = power_of_two(random, 5, 7), .n = power_of_two(random, 5, 7), .k = power_of_two(random, 3, 5)};
  return {schedule_text(form), power_of_two(random, 5, 8)};
}

DrawnForm draw_gemv(Random& random) {
  const int64_t threads = power_of_two(random, 5, 8), chunk = power_of_two(random, 0, 4);
  const int64_t lanes = std::min(power_of_two(random, 0, 6), threads), rows = power_of_two(random, 0, 3);
  const int64_t along = lanes * chunk, across = threads / lanes * rows;
  const bool along_k = random.chance(50);
  GemvForm form = {.n = along_k ? across : along, .k = along_k ? along : across};
  form.stages = random.chance(30) ? 1 : random.between(2, 8);
  form.splits = random.chance(50) ? 1 : random.between(2, 5);
  return {schedule_text(form), threads};
}

bool is_of(const std::string& only, const DrawnForm& form) {
  const std::string inner = form.schedule.substr(form.schedule.find('(') + 1);
  return only == "tma" ? inner.ends_with(", tma)") : inner.starts_with(only + " ");
}

// The contraction of the stage, which is all that its kernel has; nullptr: another kernel.
const Instruction* contraction_of(const TreeNode& kernel, const Module& module) {
  if (kernel.kind != TreeNode::Kind::kKernel || kernel.body().size() != 1) return nullptr;
  const TreeNode& stage = kernel.body()[0];
  if (stage.kind != TreeNode::Kind::kStage || (stage.schedule != "map" && !is_contract_schedule(stage.schedule)))
    return nullptr;
  for (const TreeValue& value : stage.values) {
    for (const Instruction& instruction : module.entry()->instructions()) {
      const bool contracts = instruction.opcode == Opcode::kDot || instruction.opcode == Opcode::kConvolution;
      if (contracts && instruction.name == value.name) return &instruction;
    }
  }
  return nullptr;
}

std::optional<Artifact> compile_with(const CompileOptions& options, const std::string& plan, const Source& source) {
  CompileOptions given = options;
  given.schedule.plan = std::make_shared<Source>(Source{.name = "plan", .text = plan});
  given.schedule.reasons = false;
  Diagnostics ignored(source);
  try {
    return compile(given, ignored);
  } catch (const std::exception& bug) {
    throw std::runtime_error(std::string(bug.what()) + " with\n" + plan);
  }
}

}  // namespace

std::optional<CompiledInForm> compile_in_form(CompileOptions options, Random& random, const std::string& only,
                                              Diagnostics& diagnostics) {
  std::optional<Artifact> chosen = compile(options, diagnostics);
  if (!chosen) return std::nullopt;
  constexpr int kTries = 60;
  std::string plan;
  Tree tree = chosen->schedule.tree;
  for (TreeNode& kernel : tree.items) {
    const Instruction* dot = contraction_of(kernel, *chosen->module);
    if (dot == nullptr || (only.empty() && random.chance(10))) continue;
    const TreeNode before = kernel;
    const int64_t kind = only.empty() ? random.below(14) : only == "simt" ? 9 : 4;
    for (int i = 0; i < kTries; ++i) {
      std::optional<DrawnForm> form;
      if (kind < 4 && i < kTries * 2 / 3) form = draw_gemv(random);
      if (kind >= 4 && kind < 9 && i < kTries * 5 / 6) form = draw_tensor_cores(*dot, random);
      if (!form && kind < 13 && i < kTries * 11 / 12) form = draw_simt(random);
      if (!form) form = draw_tiles(random);
      if (!only.empty() && !is_of(only, *form)) continue;
      kernel = before;
      kernel.body()[0].schedule = form->schedule;
      std::fill(std::begin(kernel.grid), std::end(kernel.grid), 1);
      std::fill(std::begin(kernel.block), std::end(kernel.block), 1);
      kernel.grid[0] = 0;
      kernel.block[0] = form->threads;
      CompileOptions alone = options;
      alone.plan_only = true;
      if (compile_with(alone, print(tree), diagnostics.source())) {
        plan = print(tree);
        break;
      }
      kernel = before;
    }
  }
  if (plan.empty()) return CompiledInForm{std::move(*chosen), ""};
  std::optional<Artifact> forced = compile_with(options, plan, diagnostics.source());
  if (!forced) return CompiledInForm{std::move(*chosen), ""};
  return CompiledInForm{std::move(*forced), plan};
}

}  // namespace sinter
