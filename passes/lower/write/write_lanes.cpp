// Statements of a map kernel whose threads take several neighbouring elements.
#include <algorithm>
#include <map>
#include <optional>

#include "passes/demand/index_ranges.h"
#include "passes/demand/lane_steps.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/lower/write/writer.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

using StatementKind = Statement::Kind;
using NodeKind = DemandNode::Kind;

// The lanes of a vectorised map kernel: contiguous operands with one access each, the elements, contiguous results.
void Writer::write_lanes(Block* block) {
  const WriteOptions::Lanes& lanes = *options_.lanes;
  kernel_.headers.insert("device/vector_access.cuh");
  // Accesses are keyed by their offset with the lane, spelled by their offset at lane 0.
  const auto first_of = [&](const IndexExpr& offset) { return with_coordinate(offset, lanes.lane, IndexExpr(0)); };
  std::vector<VectorRead> loads = vectors_read();
  for (VectorRead& load : loads) {
    load.vector = vector_variable(load.place.first, "_values", lanes.width);
    expressions_.vectors[load.place] = load.vector;
  }
  for (const WriteOptions::Lanes::Load& load : lanes.loads) {
    if (load.shift == 0 && !load.pick) continue;
    const DemandNode& node = graph_.nodes[load.node];
    const auto pointer = expressions_.buffers.find(node.instruction);
    if (pointer == expressions_.buffers.end()) continue;
    const auto vector = expressions_.vectors.find({pointer->second, load.place});
    if (vector == expressions_.vectors.end()) continue;
    if (load.pick) {
      expressions_.picked[{pointer->second, node.expr}] = {vector->second, *load.pick};
    } else {
      expressions_.shifted[{pointer->second, node.expr}] = {vector->second, load.shift};
    }
  }
  std::vector<NeighbourArray> arrays = neighbour_arrays();
  std::vector<std::pair<const DemandStore*, Variable*>> stores;
  std::vector<Variable*> filled;  // of these, what the lanes fill
  for (const DemandStore& store : graph_.stores) {
    if (store.scope != lanes.scope || !lanes.aligned(store.offset)) continue;
    const Variable* pointer = expressions_.output_buffers.at(store.value);
    Variable*& vector = expressions_.vectors[{pointer, store.offset}];
    if (vector != nullptr) continue;
    vector = stored_sums(store);
    if (vector == nullptr) {
      vector = vector_variable(pointer, "_values", lanes.width);
      filled.push_back(vector);
    }
    stores.emplace_back(&store, vector);
  }
  Statement loop = over_neighbours();
  expressions_.slot = kernel_.reference(loop.variable);
  expressions_.coordinates[lanes.lane] = expressions_.slot;
  loop.body = scope(lanes.scope);
  const auto is_itself = [](const Statement& statement) {
    const auto array = [](const Expr* expr) {
      return expr->kind == Expr::Kind::kSubscript ? expr->operands[0]->variable : nullptr;
    };
    return statement.kind == StatementKind::kAssign && statement.text == "=" && array(statement.value) != nullptr &&
           array(statement.target) == array(statement.value);
  };
  std::erase_if(loop.body, is_itself);
  std::erase_if(loads, [&](const VectorRead& load) { return !mentions(loop.body, load.vector); });

  std::erase_if(arrays, [&](const NeighbourArray& array) { return !mentions(loop.body, array.values); });

  std::map<IndexExpr, int> bases;  // of the offsets, by how many share them
  const auto count = [&](const IndexExpr& offset) { ++bases[index_base(offset).base]; };
  for (const VectorRead& load : loads) count(first_of(load.place.second));
  for (const auto& [store, vector] : stores) count(first_of(store->offset));
  for (const NeighbourArray& array : arrays) count(first_of(array.first));
  for (const auto& [base, times] : bases) {
    if (times < 2 || !expressions_.is_formula(base) || expressions_.indices.count(base) > 0) continue;
    Variable* index = kernel_.variable("index", CType::value(expressions_.index_type));
    block->push_back(let(index, expressions_.index(base), nullptr));
    expressions_.indices[base] = index;
  }
  for (const VectorRead& load : loads) {
    const auto& [pointer, offset] = load.place;
    const Expr* address = element_address(pointer, expressions_.index_or_name(first_of(offset)));
    block->push_back(load_vector(load.vector, address, all_passed(*load.tests)));
  }
  const auto access = [&](const NeighbourArray& array, const char* helper) {
    kernel_.headers.insert("device/neighbour_access.cuh");
    const Expr* address = element_address(array.pointer, expressions_.index_or_name(first_of(array.first)));
    const Expr* values = kernel_.reference(array.values);
    const std::vector<const Expr*> operands =
        array.is_stored ? std::vector{address, values} : std::vector{values, address};
    block->push_back(
        {.kind = StatementKind::kExpression, .value = kernel_.call(helper, operands, {.kind = CType::Kind::kVoid})});
  };
  for (const NeighbourArray& array : arrays) {
    if (array.is_stored) continue;
    block->push_back({.kind = StatementKind::kDeclare, .variable = array.values});
    access(array, "load_neighbours");
  }
  for (Variable* vector : filled) block->push_back({.kind = StatementKind::kDeclare, .variable = vector});
  for (const NeighbourArray& array : arrays) {
    if (array.is_stored) block->push_back({.kind = StatementKind::kDeclare, .variable = array.values});
  }
  if (!expressions_.shifted.empty())
    block->push_back({.kind = StatementKind::kNote, .text = "Elements beside a thread's own are loaded one by one."});
  if (!loop.body.empty()) block->push_back(std::move(loop));
  for (const auto& [store, vector] : stores) {
    const Variable* pointer = expressions_.output_buffers.at(store->value);
    block->push_back(
        store_vector(vector, element_address(pointer, expressions_.index_or_name(first_of(store->offset)))));
  }
  for (const NeighbourArray& array : arrays) {
    if (array.is_stored) access(array, "store_neighbours");
  }
}

std::vector<Writer::NeighbourArray> Writer::neighbour_arrays() {
  const Records& records = options_.lanes->records;
  std::vector<NeighbourArray> arrays;
  const auto add = [&](const Variable* pointer, const IndexExpr& offset, const RecordPart& place, bool is_stored) {
    const auto is_known = [&](const NeighbourArray& array) {
      return array.pointer == pointer && array.is_stored == is_stored && array.first == place.first;
    };
    auto array = std::ranges::find_if(arrays, is_known);
    if (array == arrays.end()) {
      CType type = {.kind = CType::Kind::kArray, .dtype = pointer->type.dtype};
      type.length = place.size * options_.lanes->width;
      type.extent = "kWidth * " + std::to_string(place.size);
      Variable* values = kernel_.variable(pointer->name + "_values", type);
      array = arrays.insert(arrays.end(), {pointer, place.first, values, is_stored});
    }
    expressions_.records[{pointer, offset}] = {array->values, place.size, place.part};
  };
  for (const auto& [id, place] : records.loads) {
    const auto pointer = expressions_.buffers.find(graph_.nodes[id].instruction);
    if (pointer == expressions_.buffers.end() || expressions_.own_arrays.count(pointer->second) > 0) continue;
    const auto is_pointer = [&](const auto& output) { return output.second == pointer->second; };
    if (std::ranges::any_of(expressions_.output_buffers, is_pointer)) continue;  // updated in place
    add(pointer->second, graph_.nodes[id].expr, place, false);
  }
  for (const auto& [number, place] : records.stores)
    add(expressions_.output_buffers.at(graph_.stores[number].value), graph_.stores[number].offset, place, true);
  return arrays;
}

Variable* Writer::stored_sums(const DemandStore& store) const {
  const NodeId sums = sums_of_element(graph_, store.node);
  if (sums == store.node) return nullptr;
  Variable* variable = expressions_.variables.at(sums);
  return variable->type.kind == CType::Kind::kVector ? variable : nullptr;
}

std::vector<Writer::VectorRead> Writer::vectors_read() const {
  std::vector<VectorRead> reads;
  std::map<VectorRead::Place, size_t> numbers;
  for (const WriteOptions::Lanes::Load& load : options_.lanes->loads) {
    const DemandNode& node = graph_.nodes[load.node];
    const auto pointer = expressions_.buffers.find(node.instruction);
    if (pointer == expressions_.buffers.end()) continue;  // what nothing needs is no parameter
    const auto [number, is_new] = numbers.emplace(VectorRead::Place{pointer->second, load.place}, reads.size());
    if (is_new) {
      reads.push_back({number->first, load.tests, nullptr});
      continue;
    }
    auto& tests = reads[number->second].tests;
    if (tests == load.tests) continue;
    // Behind other tests, or read by the lanes, which would find what these tests leave: in front of all of them, if
    // the elements are there whatever they say.
    const auto is_always = [](const auto& of) { return of && of->empty(); };
    const bool in_array = inside(load.place.range(), {0, node.instruction->shape.element_count() - 1});
    const bool always = is_always(tests) || is_always(load.tests) || in_array;
    tests = always ? std::optional(std::vector<WriteOptions::Lanes::Test>()) : std::nullopt;
  }
  std::erase_if(reads, [](const VectorRead& read) { return !read.tests; });
  return reads;
}

const Expr* Writer::all_passed(const std::vector<WriteOptions::Lanes::Test>& tests) {
  const Expr* all = nullptr;
  for (const WriteOptions::Lanes::Test& test : tests) {
    const Expr* passes = test.passes ? expressions_.in_range(test.expr, test.low, test.high)
                                     : expressions_.outside(test.expr, test.low, test.high);
    all = all == nullptr ? passes : kernel_.infix(all, "&&", passes, CType::value(DType::kPred));
  }
  return all;
}

Variable* Writer::vector_variable(const Variable* pointer, std::string_view suffix, int64_t width) {
  CType type = CType::value(pointer->type.dtype);
  type.kind = CType::Kind::kVector;
  type.length = width;
  type.extent = std::string("kWidth");
  return kernel_.variable(pointer->name + std::string(suffix), type);
}

const Expr* Writer::element_address(const Variable* pointer, const Expr* index) {
  if (index->kind == Expr::Kind::kInteger && index->integer == 0) return kernel_.reference(pointer);
  return kernel_.infix(kernel_.reference(pointer), "+", index, pointer->type);
}

Statement Writer::load_vector(Variable* vector, const Expr* address, const Expr* condition) {
  const Expr* value = condition == nullptr ? kernel_.call("load_vector<kWidth>", {address}, vector->type)
                                           : kernel_.call("load_vector_if<kWidth>", {condition, address}, vector->type);
  return let(vector, value, nullptr);
}

Statement Writer::store_vector(const Variable* vector, const Expr* address) {
  return {.kind = StatementKind::kExpression,
          .value = kernel_.call("store_vector", {address, kernel_.reference(vector)}, {.kind = CType::Kind::kVoid})};
}

}  // namespace sinter
