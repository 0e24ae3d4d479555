#include "tests/random/generate_modules.h"

#include <algorithm>

#include "tests/random/operations/generate_ops.h"
#include "tests/random/operations/generate_row_ops.h"

namespace sinter {
namespace {

struct WeightedOp {
  int weight;
  void (*add)(Draft&);
};

constexpr WeightedOp kOps[] = {
    {12, add_unary},
    {22, add_binary},
    {6, add_compare},
    {6, add_select},
    {3, add_clamp},
    {7, add_convert},
    {2, add_bitcast_convert},
    {2, add_complex},
    {1, add_stochastic_convert},
    {5, add_broadcast},
    {5, add_reshape},
    {5, add_transpose},
    {4, add_reverse},
    {6, add_slice},
    {5, add_pad},
    {5, add_concatenate},
    {2, add_iota},
    {5, add_dynamic_slice},
    {5, add_dynamic_update_slice},
    {4, add_gather},
    {4, add_scatter},
    {8, add_reduce},
    {3, add_variadic_reduce},
    {4, add_reduce_window},
    {3, add_cumulative},
    {2, add_select_and_scatter},
    {3, add_sort},
    {2, add_topk},
    {5, add_dot},
    {3, add_convolution},
    {1, add_ragged_dot},
    {1, add_scaled_dot},
    {6, add_function},
    {2, add_function_of_two},
    {1, add_cholesky},
    {2, add_triangular_solve},
    {2, add_fft},
    {2, add_batch_norm},
    {2, add_map},
    {3, add_call},
    {4, add_conditional},
    {6, add_while},
    {2, add_scan},
    {1, add_random_numbers},
    {2, add_random_bits},
    {2, add_barrier},
    {2, add_collective},
    {1, add_handed_on},
    {1, add_copy_pair},
    {1, add_known_number},
};

// Few sizes, so that values meet; sometimes none at all, or many.
std::vector<int64_t> draw_sizes(Random& random) {
  static const std::vector<int64_t> kSmall = {1, 2, 3, 4, 5, 7, 8}, kMiddle = {9, 12, 16, 17, 31, 32, 33, 64, 65},
                                    kLarge = {100, 128, 130, 255, 256, 257, 1000, 1025, 2000};
  std::vector<int64_t> sizes = {random.pick(kSmall), random.pick(kSmall), random.pick(kSmall), random.pick(kMiddle)};
  if (random.chance(30)) sizes.push_back(1);
  if (random.chance(30)) sizes.push_back(random.pick(kLarge));
  if (random.chance(8)) sizes.push_back(0);
  return sizes;
}

std::vector<DType> draw_dtypes(Random& random) {
  static const std::vector<DType> kUsual = {DType::kF32,  DType::kF32, DType::kF32,  DType::kS32, DType::kS32,
                                            DType::kPred, DType::kU32, DType::kBF16, DType::kF16};
  static const std::vector<DType> kWide = {DType::kF64, DType::kS64, DType::kU64, DType::kC64, DType::kC128,
                                           DType::kU8,  DType::kS8,  DType::kU16, DType::kS16};
  static const std::vector<DType> kNarrow = {DType::kS4,
                                             DType::kU4,
                                             DType::kS2,
                                             DType::kU2,
                                             DType::kF8E4M3FN,
                                             DType::kF8E5M2,
                                             DType::kF8E4M3,
                                             DType::kF8E3M4,
                                             DType::kF8E5M2FNUZ,
                                             DType::kF8E4M3FNUZ,
                                             DType::kF8E4M3B11FNUZ,
                                             DType::kF4E2M1FN,
                                             DType::kF8E8M0FNU,
                                             DType::kF6E2M3FN,
                                             DType::kF6E3M2FN};
  std::vector<DType> dtypes = {DType::kF32, DType::kS32};
  for (int64_t i = random.between(1, 4); i > 0; --i) dtypes.push_back(random.pick(kUsual));
  for (int64_t i = random.between(0, 2); i > 0; --i) dtypes.push_back(random.pick(kWide));
  if (random.chance(20)) dtypes.push_back(random.pick(kNarrow));
  return dtypes;
}

// Of rows: floats mostly, by chance a second type.
std::vector<DType> draw_row_dtypes(Random& random) {
  static const std::vector<DType> kOthers = {DType::kBF16, DType::kF16, DType::kS32, DType::kF64,
                                             DType::kU8,   DType::kS8,  DType::kS64, DType::kU32};
  std::vector<DType> dtypes = {random.chance(75) ? DType::kF32 : random.pick(kOthers)};
  if (random.chance(30)) dtypes.push_back(random.pick(kOthers));
  return dtypes;
}

void draw_frames(Random& random, SourceTables& tables) {
  if (!random.chance(60)) return;
  tables.files = {"model.py", "layers.py"};
  tables.functions = {"main", "step", "layer.<locals>.apply"};
  for (int64_t i = 1; i <= 4; ++i) {
    const int64_t line = random.between(1, 200);
    tables.locations.push_back(
        {random.between(1, 2), random.between(1, 3), line, line, random.between(1, 40), random.between(41, 80)});
    tables.frames.push_back({i, random.between(1, i)});
  }
}

// Results: what nothing has read yet, by chance a parameter, or one value twice; at times in tuples of tuples.
void draw_results(Draft& entry) {
  Random& random = entry.random();
  std::vector<Term> results;
  for (const Term& term : entry.terms) {
    if (term.node->users().empty() && term.node->opcode != Opcode::kParameter && random.chance(70))
      results.push_back(term);
  }
  while (results.size() > 6) results.erase(results.begin() + random.below(static_cast<int64_t>(results.size())));
  while (results.empty() || random.chance(20)) results.push_back(random.pick(entry.terms));
  if (random.chance(8)) results.push_back(results[0]);
  if (results.size() == 1 && random.chance(50)) {
    entry.computation->set_root(results[0].node);
    return;
  }
  std::vector<Instruction*> elements;
  for (const Term& term : results) elements.push_back(term.node);
  if (random.chance(6)) elements.back() = add_node(entry, Opcode::kTuple, {elements.back(), elements.front()});
  entry.computation->set_root(add_node(entry, Opcode::kTuple, elements));
}

// Donated parameters, each for a result of the same type.
void draw_aliases(Draft& entry) {
  Random& random = entry.random();
  Module& module = entry.shared.module;
  const Shape& root = entry.computation->root()->shape;
  if (!root.is_tuple() || !random.chance(25)) return;
  std::vector<bool> taken(root.elements.size());
  for (const Instruction* parameter : entry.computation->parameters()) {
    for (size_t i = 0; i < root.elements.size(); ++i) {
      if (taken[i] || !parameter->shape.is_array() || !root.elements[i].same_type(parameter->shape) ||
          !random.chance(60))
        continue;
      taken[i] = true;
      module.input_output_alias.push_back(
          {{static_cast<int64_t>(i)}, parameter->parameter_number, {}, random.chance(20)});
      break;
    }
  }
}

}  // namespace

void add_operations(Draft& draft, int64_t count) {
  constexpr int64_t kMostTerms = 150;
  int total = 0;
  for (const WeightedOp& op : kOps) total += op.weight;
  for (int64_t i = 0; i < count && static_cast<int64_t>(draft.terms.size()) < kMostTerms; ++i) {
    int64_t at = draft.random().below(total);
    const WeightedOp* op = kOps;
    while (at >= op->weight) at -= (op++)->weight;
    op->add(draft);
  }
}

const std::map<std::string, ModuleKind>& module_kinds() {
  static const std::map<std::string, ModuleKind> kKinds = {
      {"small", ModuleKind::kSmall}, {"mixed", ModuleKind::kMixed}, {"rows", ModuleKind::kRows}};
  return kKinds;
}

RandomModule generate_module(uint64_t seed, ModuleKind kind) {
  constexpr int64_t kMostOfRows = 12'000, kMostOfMixed = 8'000;  // elements
  Random random(seed);
  RandomModule result{.module = std::make_unique<Module>(), .inputs = {}};
  Module& module = *result.module;
  module.name = "jit_random_" + std::to_string(seed);
  draw_frames(random, module.tables);
  DraftModule shared{
      .module = module, .random = random, .sizes = draw_sizes(random), .dtypes = draw_dtypes(random), .inputs = {}};
  Draft entry{.shared = shared};
  entry.computation = module.add_computation("main");
  entry.is_entry = true;
  entry.scope = "jit(random)";
  module.set_entry(entry.computation);
  if (random.chance(5)) {
    const Shape a = Shape::array(random_dtype(entry), random_dims(entry)), b = Shape::array(DType::kS32, {});
    add_parameter(entry, Shape::tuple({a, b}), {{}, {}});
  }
  if (kind == ModuleKind::kRows) {
    const Sizes whole = draw_rows(random, kMostOfRows);
    shared.most_elements = kMostOfRows;
    shared.sizes = whole;
    shared.sizes.push_back(random.between(1, 5));
    shared.dtypes = draw_row_dtypes(random);
    source(entry, shared.dtypes[0], whole);
    add_row_operations(entry, whole, random.between(3, 16));
  } else {
    if (kind == ModuleKind::kMixed) {
      shared.most_elements = kMostOfMixed;
      const Sizes rows = draw_rows(random, kMostOfMixed);
      shared.sizes.insert(shared.sizes.end(), rows.begin(), rows.end());
    }
    source(entry, random_dtype(entry), random_dims(entry));
    add_operations(entry, random.chance(30) ? random.between(2, 8) : random.between(6, 28));
  }
  draw_results(entry);
  draw_aliases(entry);
  module.sort_computations();
  for (const DraftModule::Input& input : shared.inputs) {
    result.inputs.push_back(random_literal(random, input.shape.dtype, input.shape.dims, input.facts));
  }
  return result;
}

}  // namespace sinter
