// What opcodes that only move elements demand, where the source of an element depends on tests or on runtime indices:
// concatenate, pad, dynamic slices, gather.
#include <algorithm>

#include "ir/ops/op_table.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/values/arrays.h"
#include "passes/demand/choices.h"
#include "passes/demand/demand.h"
#include "passes/demand/index_ranges.h"

namespace sinter {

using Kind = DemandNode::Kind;

std::pair<int, int> DemandGraph::guards(const Key& key, int number) {
  std::vector<std::pair<int, int>>& made = guards_[key];
  while (static_cast<int>(made.size()) <= number) {
    std::pair<int, int> arms;
    for (int* arm : {&arms.first, &arms.second}) {
      DemandScope scope;
      scope.kind = DemandScope::Kind::kGuard;
      scope.instruction = key.instruction;
      scopes.push_back(scope);
      *arm = static_cast<int>(scopes.size()) - 1;
    }
    made.push_back(arms);
  }
  return made[number];
}

namespace {

// The key's result that asks for the index of the element that a concatenation reads, where all its pieces are of one
// array, along the dimension in which they differ.
constexpr int kIndexOfPiece = 1;

// An operand that an index can fall into: where it begins and ends, and where it reads the element.
struct Piece {
  size_t operand;
  int64_t begin, end;
  const Instruction* array;
  const std::vector<IndexExpr>* place;  // in the array
  const IndexExpr& along(size_t dimension) const { return (*place)[dimension]; }
};

// The array that all pieces are of, if they differ along one dimension only.
struct CommonArray {
  const Instruction* value;
  size_t along;
  int64_t extent;
};

std::optional<CommonArray> common_array(const std::vector<Piece>& pieces) {
  std::optional<CommonArray> result;
  for (const Piece& piece : pieces) {
    if (piece.array != pieces[0].array) return std::nullopt;
    if (piece.place == pieces[0].place) continue;
    for (size_t d = 0; d < piece.place->size(); ++d) {
      if (piece.along(d) == pieces[0].along(d)) continue;
      if (result && result->along != d) return std::nullopt;
      result = CommonArray{piece.array, d, piece.array->shape.dims[d]};
    }
  }
  return result;
}

// Around the array: the index of one piece modulo the array's extent, where that is the index of each.
std::optional<IndexExpr> index_around(const std::vector<Piece>& pieces, const CommonArray& array) {
  const IndexExpr* positive = nullptr;
  for (const Piece& piece : pieces) {
    const IndexExpr difference = piece.along(array.along) - pieces[0].along(array.along);
    if (!difference.is_constant() || difference.constant() % array.extent != 0) return std::nullopt;
    if (piece.along(array.along).range().low >= 0) positive = &piece.along(array.along);
  }
  if (positive == nullptr) return std::nullopt;
  return positive->floor_mod(array.extent);
}

// As far as the array goes, its first and last element beyond: the piece that is all of it.
const Piece* piece_between_ends(const std::vector<Piece>& pieces, const CommonArray& array, const IndexExpr& index) {
  const Piece* whole = nullptr;
  for (const Piece& piece : pieces) {
    const IndexExpr& own = piece.along(array.along);
    if (piece.end - piece.begin == array.extent && own - index == IndexExpr(-piece.begin)) whole = &piece;
  }
  for (const Piece& piece : pieces) {
    if (whole == nullptr || &piece == whole) continue;
    if (!(piece.along(array.along) == IndexExpr(piece.begin < whole->begin ? 0 : array.extent - 1))) return nullptr;
  }
  return whole;
}

// What an index that is chosen along a dimension is called.
std::string index_name(size_t dimension, size_t rank) {
  static const char* const kNames[] = {"in_column", "in_row", "in_depth"};
  const size_t from_last = rank - 1 - dimension;
  return rank == 1 || from_last > 2 ? "in_position" : kNames[from_last];
}

}  // namespace

NodeId DemandGraph::build_concatenate(const Key& key) {
  const Instruction* instruction = key.instruction;
  const size_t dim = static_cast<size_t>(instruction->attributes->dimensions->front());
  const IndexRange range = key.index[dim].range();
  std::vector<Piece> pieces;  // those the index can fall into
  int64_t begin = 0;
  for (size_t i = 0; i < instruction->operands().size(); ++i) {
    const int64_t end = begin + instruction->operand(i)->shape.dims[dim];
    if (end > begin && range.high >= begin && range.low < end)
      pieces.push_back({i, begin, end, instruction->operand(i), nullptr});
    begin = end;
  }
  if (pieces.empty()) return fail(instruction, "empty-concatenate");
  const auto piece_index = [&](const Piece& piece) {
    std::vector<IndexExpr> index = key.index;
    index[dim] = piece.end - piece.begin == 1 ? IndexExpr(0) : index[dim] - piece.begin;
    return index;
  };
  if (pieces.size() == 1) return operand(key, pieces[0].operand, piece_index(pieces[0]));

  // Pieces of one array, through slices, reversals and other index maps, are one element of it.
  const auto is_map = [&](const Instruction* value) {
    return op_def(value->opcode).source_index != nullptr && context_->computed.count(value) > 0;
  };
  const auto find_places = [&](const std::vector<IndexExpr>& index) {
    for (Piece& piece : pieces) {
      piece.array = instruction->operand(piece.operand);
      std::vector<IndexExpr> own = index;
      own[dim] = piece.end - piece.begin == 1 ? IndexExpr(0) : index[dim] - piece.begin;
      IndexTuple place = keep(std::move(own));
      for (; is_map(piece.array); piece.array = piece.array->operand(0))
        place = source_index({0, 0, piece.array, 0, place});
      piece.place = &place.exprs();
    }
    return common_array(pieces);
  };
  // Most are of several arrays, which their operands tell before an index is asked for.
  const auto array_of = [&](const Piece& piece) {
    const Instruction* value = instruction->operand(piece.operand);
    while (is_map(value)) value = value->operand(0);
    return value;
  };
  const Instruction* first = key.frame == 0 ? array_of(pieces[0]) : nullptr;
  const bool is_one =
      key.frame == 0 && std::ranges::all_of(pieces, [&](const Piece& piece) { return array_of(piece) == first; });
  const std::optional<CommonArray> array = is_one ? find_places(key.index) : std::nullopt;
  if (key.result == kIndexOfPiece) {
    check(array.has_value(), "demand", "an index is asked of pieces of several arrays");
    const DType dtype = array->extent > INT32_MAX ? DType::kS64 : DType::kS32;
    const auto own_index = [&](const Piece& piece) {
      return index_node(piece.along(array->along), dtype, instruction);
    };
    // The same index into another array may be there already.
    const auto find_or_add = [&](const DemandNode& node) {
      const auto same_operand = [&](NodeId a, NodeId b) {
        return a == b ||
               (nodes[a].kind == Kind::kIndex && nodes[b].kind == Kind::kIndex && nodes[a].expr == nodes[b].expr);
      };
      for (size_t id = 0; id < nodes.size(); ++id) {
        const DemandNode& other = nodes[id];
        if (other.name.empty() || other.name != node.name || other.kind != node.kind || other.dtype != node.dtype ||
            other.low != node.low || other.high != node.high || (other.guard != 0 && other.guard != node.guard))
          continue;
        if (other.expr == node.expr && std::ranges::equal(other.operands, node.operands, same_operand))
          return static_cast<NodeId>(id);
      }
      return add(node);
    };
    DemandNode node;
    node.instruction = instruction;
    node.name = index_name(array->along, array->value->shape.dims.size());
    node.dtype = dtype;
    node.guard = key.guard;
    if (const Piece* whole = piece_between_ends(pieces, *array, key.index[dim])) {
      node.kind = Kind::kClampIndex;
      node.operands = {own_index(*whole)};
      node.high = array->extent - 1;
      return find_or_add(node);
    }
    // index < end_0 ? index_0 : index < end_1 ? index_1 : ... : index_n
    node.kind = Kind::kChoose;
    node.expr = key.index[dim];
    node.low = std::min(range.low, pieces[0].begin);
    NodeId result = own_index(pieces.back());
    for (size_t i = pieces.size() - 1; i-- > 0;) {
      node.operands = {own_index(pieces[i]), result};
      node.high = pieces[i].end;
      result = find_or_add(node);
    }
    return result;
  }
  if (array) {
    std::vector<IndexExpr> index = *pieces[0].place;
    std::optional<IndexExpr> along = index_around(pieces, *array);
    if (!along && is_read_at_computed_index(pieces.size())) {
      // The same for all elements that share their index along this dimension, where no other decides.
      std::vector<IndexExpr> own(key.index.size());
      own[dim] = key.index[dim];
      const std::vector<Piece> places = pieces;
      const std::optional<CommonArray> same = find_places(own);
      const auto differs = [&](size_t i) { return !(pieces[i].along(array->along) == places[i].along(array->along)); };
      bool is_own = same && same->along == array->along;
      for (size_t i = 0; i < pieces.size() && is_own; ++i) is_own = !differs(i);
      const NodeId chosen = is_own ? want(key.frame, key.guard, instruction, std::move(own), kIndexOfPiece)
                                   : want(key.frame, key.guard, instruction, key.index, kIndexOfPiece);
      if (chosen == kNoNode) return kNoNode;
      along = IndexExpr::value(chosen, {0, array->extent - 1});
    }
    if (along) {
      // Neighbours' elements need not be neighbours, as behind a test: threads have one each (vectorize.cpp).
      guards(key, 0);
      index[array->along] = *along;
      return want(key.frame, key.guard, array->value, std::move(index));
    }
  }

  // index < end_0 ? piece_0 : index < end_1 ? piece_1 : ... : piece_n, or, of many, by halves: the number of tests and
  // the depth of the text grow with its logarithm.
  struct Choice {
    size_t begin, middle, end;  // pieces: those before `middle`, or those from it on
    int guard;
    std::pair<int, int> arms;
    size_t left = 0, right = 0;  // the choices among these, where there are several
  };
  std::vector<Choice> choices;
  std::vector<NodeId> values(pieces.size());
  const auto middle_of = [&](size_t from, size_t to) {
    return is_asked_in_turn(pieces.size()) ? from + 1 : from + (to - from) / 2;
  };
  const auto add_choice = [&](size_t from, size_t to, int guard) {
    const std::pair<int, int> arms = guards(key, static_cast<int>(choices.size()));
    choices.push_back({from, middle_of(from, to), to, guard, arms});
    return choices.size() - 1;
  };
  const auto want_piece = [&](size_t i, int guard) {
    values[i] = want(key.frame, guard, instruction->operand(pieces[i].operand), piece_index(pieces[i]));
  };
  add_choice(0, pieces.size(), key.guard);
  for (size_t i = 0; i < choices.size(); ++i) {
    const Choice choice = choices[i];
    if (choice.middle - choice.begin == 1) {
      want_piece(choice.begin, choice.arms.first);
    } else {
      choices[i].left = add_choice(choice.begin, choice.middle, choice.arms.first);
    }
    if (choice.end - choice.middle == 1) {
      want_piece(choice.middle, choice.arms.second);
    } else {
      choices[i].right = add_choice(choice.middle, choice.end, choice.arms.second);
    }
  }
  if (!missing_.empty()) return kNoNode;
  std::vector<NodeId> chosen(choices.size());
  for (size_t i = choices.size(); i-- > 0;) {
    const Choice& choice = choices[i];
    const NodeId left = choice.left == 0 ? values[choice.begin] : chosen[choice.left];
    const NodeId right = choice.right == 0 ? values[choice.middle] : chosen[choice.right];
    chosen[i] = right;
    if (same_constant(left, right)) continue;
    DemandNode node;
    node.kind = Kind::kChoose;
    node.instruction = instruction;
    node.dtype = instruction->shape.dtype;
    node.operands = {left, right};
    node.expr = key.index[dim];
    node.low = std::min(range.low, pieces[0].begin);
    node.high = pieces[choice.middle - 1].end;
    node.guard = choice.guard;
    node.arm_scope[0] = choice.arms.first;
    node.arm_scope[1] = choice.arms.second;
    chosen[i] = add(std::move(node));
  }
  return chosen[0];
}

NodeId DemandGraph::build_pad(const Key& key) {
  const Instruction* instruction = key.instruction;
  const std::vector<PadBounds>& padding = *instruction->attributes->padding;
  const std::vector<int64_t>& dims = instruction->operand(0)->shape.dims;
  const NodeId outside = operand(key, 1, {});
  // One test a dimension that can miss; with interior padding also "divisible by interior + 1".
  std::vector<DemandTest> tests;
  std::vector<IndexExpr> index;
  for (size_t d = 0; d < dims.size(); ++d) {
    const IndexExpr shifted = key.index[d] - padding[d].low;
    const int64_t step = padding[d].interior + 1;
    const int64_t extent = dims[d] == 0 ? 0 : (dims[d] - 1) * step + 1;
    if (shifted.range().high < 0 || shifted.range().low >= extent) return outside;  // wherever the other dimensions are
    if (outside_of(shifted.range(), 0, extent)) return outside;
    const bool is_inside = inside(shifted.range(), {0, extent - 1}) || is_in_parts(shifted, extent);
    if (!is_inside) tests.push_back({shifted, 0, extent});
    if (step > 1) {
      const IndexExpr rest = shifted.floor_mod(step);
      if (outside_of(rest.range(), 0, 1)) return outside;
      if (!(rest == IndexExpr(0))) tests.push_back({rest, 0, 1});
    }
    // The only element along a dimension is that one inside the guard.
    index.push_back(dims[d] == 1 ? IndexExpr(0) : step > 1 ? shifted.floor_div(step) : shifted);
  }
  if (tests.empty()) return operand(key, 0, std::move(index));
  const NodeId value = operand_where(key, tests, 0, std::move(index));
  if (!missing_.empty()) return kNoNode;
  if (same_constant(value, outside)) return outside;
  return choose_where(key, tests, value, outside);
}

NodeId DemandGraph::operand_where(const Key& key, const std::vector<DemandTest>& tests, size_t position,
                                  std::vector<IndexExpr> index) {
  const int guard = guards(key, static_cast<int>(tests.size()) - 1).first;
  return want(key.frame, guard, key.instruction->operand(position), std::move(index));
}

NodeId DemandGraph::choose_where(const Key& key, const std::vector<DemandTest>& tests, NodeId value, NodeId otherwise) {
  NodeId result = value;
  for (int i = static_cast<int>(tests.size()) - 1; i >= 0; --i) {
    DemandNode node;
    node.kind = Kind::kChoose;
    node.instruction = key.instruction;
    node.dtype = nodes[value].dtype;
    node.operands = {result, otherwise};
    node.expr = tests[i].expr;
    node.low = tests[i].low;
    node.high = tests[i].high;
    node.guard = i == 0 ? key.guard : guards(key, i - 1).first;
    node.arm_scope[0] = guards(key, i).first;
    result = add(std::move(node));
  }
  return result;
}

IndexExpr DemandGraph::limited(const Key& key, NodeId node, IndexRange limits, DType dtype) {
  const IndexExpr whole = index_of(node);
  if (inside(whole.range(), limits)) return whole;
  if (whole.is_constant()) return IndexExpr(std::clamp(whole.constant(), limits.low, limits.high));
  auto made = clamps_.find({node, limits.low, limits.high, key.guard});
  // One made outside the guard is visible inside it.
  if (made == clamps_.end()) made = clamps_.find({node, limits.low, limits.high, 0});
  if (made != clamps_.end()) return IndexExpr::value(made->second, limits);
  DemandNode clamp;
  clamp.kind = Kind::kClampIndex;
  clamp.instruction = key.instruction;
  clamp.dtype = dtype;
  clamp.operands = {node};
  clamp.low = limits.low;
  clamp.high = limits.high;
  clamp.guard = key.guard;
  const NodeId clamped = clamps_[{node, limits.low, limits.high, key.guard}] = add(std::move(clamp));
  return IndexExpr::value(clamped, limits);
}

std::optional<IndexExpr> DemandGraph::start_index(const Key& key, const Instruction* start, int64_t limit) {
  if (limit == 0) return IndexExpr(0);
  const NodeId node = want(key.frame, key.guard, start, {});
  if (node == kNoNode) return std::nullopt;
  return limited(key, node, {0, limit}, nodes[node].dtype);
}

NodeId DemandGraph::build_dynamic_slice(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Shape& source = instruction->operand(0)->shape;
  if (instruction->operands().size() == 2 && source.rank() != 1) return fail(instruction, "unsupported-op");
  std::vector<IndexExpr> index;
  for (int64_t d = 0; d < source.rank(); ++d) {
    const Instruction* start = instruction->operand(1 + d);
    if (!start->shape.is_scalar()) return fail(instruction, "unsupported-op");
    const std::optional<IndexExpr> first = start_index(key, start, source.dims[d] - instruction->shape.dims[d]);
    index.push_back(first ? *first + key.index[d] : IndexExpr());
  }
  if (!missing_.empty()) return kNoNode;
  return operand(key, 0, std::move(index));
}

NodeId DemandGraph::build_dynamic_update_slice(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Shape& whole = instruction->shape;
  const Shape& piece = instruction->operand(1)->shape;
  std::vector<IndexExpr> index;
  std::vector<size_t> tested;
  for (int64_t d = 0; d < whole.rank(); ++d) {
    if (!instruction->operand(2 + d)->shape.is_scalar()) return fail(instruction, "unsupported-op");
    const std::optional<IndexExpr> first = start_index(key, instruction->operand(2 + d), whole.dims[d] - piece.dims[d]);
    if (!first) continue;
    index.push_back(key.index[d] - *first);
    if (outside_of(index.back().range(), 0, piece.dims[d])) return operand(key, 0, key.index);
    if (!inside(index.back().range(), {0, piece.dims[d] - 1})) tested.push_back(d);
  }
  if (!missing_.empty()) return kNoNode;
  if (tested.empty()) return operand(key, 1, std::move(index));
  std::vector<DemandTest> tests;
  for (const size_t d : tested) tests.push_back({index[d], 0, piece.dims[d]});
  const NodeId outside = operand(key, 0, key.index);
  // Where the piece has one element along a dimension, it is that one inside the guard.
  std::vector<IndexExpr> inner = index;
  for (const size_t d : tested) {
    if (piece.dims[d] == 1) inner[d] = 0;
  }
  const NodeId update = operand_where(key, tests, 1, std::move(inner));
  if (!missing_.empty()) return kNoNode;
  return choose_where(key, tests, update, outside);
}

void DemandGraph::order_stores(const std::vector<const Instruction*>& outputs) {
  const auto place = [&](const DemandStore& store) { return std::find(outputs.begin(), outputs.end(), store.value); };
  std::stable_sort(stores.begin(), stores.end(),
                   [&](const DemandStore& a, const DemandStore& b) { return place(a) < place(b); });
}

NodeId DemandGraph::build_gather(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Attributes& attributes = instruction->attributes;
  const Shape& source = instruction->operand(0)->shape;
  const Shape& indices = instruction->operand(1)->shape;
  const std::vector<int64_t>& offset_dims = *attributes.offset_dims;
  const std::vector<int64_t>& sizes = *attributes.slice_sizes;
  const int64_t vector_dim = *attributes.index_vector_dim;
  const auto list = [](const Boxed<std::vector<int64_t>>& values) { return values.value_or(std::vector<int64_t>{}); };
  const std::vector<int64_t> collapsed = list(attributes.collapsed_slice_dims);
  const std::vector<int64_t> batching = list(attributes.operand_batching_dims);
  const std::vector<int64_t> indices_batching = list(attributes.start_indices_batching_dims);
  const auto contains = [](const std::vector<int64_t>& values, int64_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };

  std::vector<IndexExpr> batch, window;
  for (size_t d = 0; d < key.index.size(); ++d) {
    (contains(offset_dims, static_cast<int64_t>(d)) ? window : batch).push_back(key.index[d]);
  }
  // The position in the indices array without its vector dimension.
  const auto place = [&](int64_t component) {
    std::vector<IndexExpr> result;
    size_t next = 0;
    for (int64_t d = 0; d < indices.rank(); ++d) {
      result.push_back(d == vector_dim ? IndexExpr(component) : batch[next++]);
    }
    return result;
  };
  std::vector<IndexExpr> index(source.dims.size());
  size_t next_window = 0;
  for (int64_t d = 0; d < source.rank(); ++d) {
    if (!contains(collapsed, d) && !contains(batching, d)) index[d] = window[next_window++];
  }
  for (size_t j = 0; j < batching.size(); ++j) {
    const int64_t d = indices_batching[j];
    index[batching[j]] = batch[d > vector_dim ? d - 1 : d];
  }
  const std::vector<int64_t>& start_map = *attributes.start_index_map;
  for (size_t k = 0; k < start_map.size(); ++k) {
    const int64_t limit = source.dims[start_map[k]] - sizes[start_map[k]];
    if (limit == 0) continue;
    const NodeId node = operand(key, 1, place(static_cast<int64_t>(k)));
    if (node == kNoNode) continue;
    index[start_map[k]] = index[start_map[k]] + limited(key, node, {0, limit}, nodes[node].dtype);
  }
  if (!missing_.empty()) return kNoNode;
  return operand(key, 0, std::move(index));
}

}  // namespace sinter
