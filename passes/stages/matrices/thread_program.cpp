#include "passes/stages/matrices/thread_program.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "passes/analysis/loops/while_carries.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/matrices/join_arrays.h"
#include "passes/stages/matrices/live_words.h"
#include "passes/stages/matrices/unit_plan.h"

namespace sinter {

int64_t OwnArray::elements() const {
  int64_t count = 1;
  for (const int64_t d : kept) count *= dims[d];
  return count;
}

const ThreadUnit* ThreadProgram::spread_loop() const {
  if (batch > 1 || units.empty()) return nullptr;
  const ThreadUnit& last = units.back();
  const auto is_made_before = [](const ThreadUnit& unit) {
    return unit.kind == ThreadUnit::Kind::kFill || unit.kind == ThreadUnit::Kind::kSolve;
  };
  const bool stands_alone = last.kind == ThreadUnit::Kind::kLoop && last.is_apart &&
                            std::all_of(units.begin(), units.end() - 1, is_made_before);
  return stands_alone ? &last : nullptr;
}

int64_t ThreadProgram::threads() const {
  const ThreadUnit* loop = spread_loop();
  return loop == nullptr ? batch : *loop->loop.trip_count;
}

std::vector<int64_t> extents_in_shared(const OwnArray& array) {
  std::vector<int64_t> extents;
  for (const int64_t d : array.kept) extents.push_back(array.dims[static_cast<size_t>(d)]);
  if (extents.size() > 1) extents.back() |= 1;
  return extents;
}

int64_t ThreadProgram::shared_bytes() const {
  const std::set<int> used = arrays_used(*this);
  int64_t bytes = 0;
  for (const int id : used) {
    const OwnArray& array = arrays[static_cast<size_t>(id)];
    if (array.kept.empty() || array.constant != nullptr) continue;
    int64_t own = dtype_bytes(array.dtype);
    for (const int64_t extent : extents_in_shared(array)) own *= extent;
    bytes += own;
  }
  return bytes;
}

std::vector<int> places_in(const OwnArray& array, const OwnArray& other) {
  std::vector<int> places;
  for (const int64_t d : array.kept) {
    const auto at = std::ranges::find(other.kept, d);
    places.push_back(at == other.kept.end() ? -1 : static_cast<int>(at - other.kept.begin()));
  }
  return places;
}

namespace {

using Kind = DemandNode::Kind;

// Of an array of a thread's own, or of a warp's.
constexpr int64_t kMostElements = 64, kMostSharedElements = 1024;
constexpr int64_t kMostTerms = 512;       // of all sums of a unit, which are written one after the other: 8 x 8 x 8
constexpr int64_t kMostSharedTerms = 64;  // of one sum: lanes share the elements

class ProgramReader : UnitPlan {
 public:
  ProgramReader(const Computation& computation, int64_t batch, bool by_warp, bool copies_memory)
      : UnitPlan(computation), copies_memory_(copies_memory) {
    program_.batch = batch;
    program_.by_warp = by_warp;
  }

  std::optional<ThreadProgram> read() {
    const Instruction* root = computation_.root();
    if (root->opcode == Opcode::kTuple) {
      program_.results.assign(root->operands().begin(), root->operands().end());
    } else {
      program_.results = {root};
    }
    ThreadLevel level = {.computation = &computation_};
    if (!plan(&level, program_.results, {})) return std::nullopt;
    for (size_t r = 0; r < program_.results.size(); ++r) {
      if (!add_result(level, r)) return std::nullopt;
    }
    if (!add_units(level, &program_.units)) return std::nullopt;
    std::ranges::reverse(program_.units);
    if (!settle_memory()) return std::nullopt;
    for (const OwnArray& array : program_.arrays) {
      if (array.elements() > most_elements()) return std::nullopt;
    }
    join_arrays(&program_);
    program_.words = live_words(program_);
    return std::move(program_);
  }

 private:
  int64_t most_elements() const { return program_.by_warp ? kMostSharedElements : kMostElements; }

  // ---- what units need: users before what they use ----

  bool is_batch(const IndexExpr& expr, const OwnElements& elements) const {
    return program_.batch > 1 && expr == elements.graph->coordinate(elements.batch);
  }

  // The dimension at which a load has the thread's own place; -1: at none.
  int batch_of(const DemandNode& load, const OwnElements& elements) const {
    const std::vector<IndexExpr> index = delinearize(load.expr, load.instruction->shape.dims);
    for (size_t d = 0; d < index.size(); ++d) {
      if (is_batch(index[d], elements)) return static_cast<int>(d);
    }
    return -1;
  }

  // Whether what a load reads of an array is in it.
  bool is_own(const DemandNode& load, const OwnArray& array, const OwnElements& elements) const {
    if (load.instruction->shape.dims != array.dims) return false;
    const std::vector<IndexExpr> index = delinearize(load.expr, array.dims);
    for (size_t d = 0; d < index.size(); ++d) {
      const bool own = static_cast<int>(d) == array.batch;
      if (own ? !is_batch(index[d], elements) : index[d].reads_coordinate(elements.batch)) return false;
    }
    return true;
  }

  bool note_read(const ThreadLevel& level, const DemandNode& load, const OwnElements& elements) {
    const std::optional<Place> place = place_of(load.instruction);
    if (!place) return false;
    if (place->memory != nullptr) {
      const bool is_constant = [&] {
        bool constant = true;
        load.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
          constant &= atom.kind == IndexExpr::AtomKind::kCoordinate &&
                      elements.graph->coordinates[atom.id].role != CoordinateRole::kHostStep;
        });
        return constant;
      }();
      Memory& memory = memory_[place->memory];
      memory.read_in_loop |= level.loop != nullptr;
      memory.is_constant &= is_constant;
      memory.names.insert(load.instruction);
      const int batch = batch_of(load, elements);
      memory.is_alike &= memory.batch == kUnknown || memory.batch == batch;
      memory.batch = batch;
      OwnArray array = {.dims = load.instruction->shape.dims};
      settle(&array, batch);
      memory.is_alike &= is_own(load, array, elements);
      memory.elements = array.elements();
      return true;
    }
    OwnArray& array = program_.arrays[place->array];
    if (!array.is_settled) settle(&array, batch_of(load, elements));
    program_.array_of[load.instruction] = place->array;
    return is_own(load, array, elements);
  }

  // `batch`: the dimension of the value that counts threads. `computes`: it is computed where it has an array, too.
  // nullopt: it cannot be had.
  std::optional<OwnElements> demand(const ThreadLevel& level, const Instruction& value, int batch,
                                    bool computes = false) {
    OwnElements elements;
    elements.context = std::make_unique<DemandContext>();
    DemandContext& context = *elements.context;
    context.level = level.computation;
    context.computed = level.inlined;
    const bool is_element = value.opcode == Opcode::kParameter || value.opcode == Opcode::kGetTupleElement;
    if (!is_element && (computes || !place_of(&value))) context.computed.insert(&value);
    if (level.loop != nullptr) {
      const WhileInfo& info = info_of(level.loop);
      context.counter_trip = *info.trip_count;
      for (const Instruction& instruction : level.computation->instructions()) {
        const std::optional<size_t> carry = carry_read(instruction);
        if (carry && info.carries[*carry].kind == CarryKind::kInduction)
          context.counters[&instruction] = {info.carries[*carry].start, info.carries[*carry].step};
      }
    }
    elements.graph = std::make_unique<DemandGraph>(context);
    DemandGraph& graph = *elements.graph;
    elements.batch = graph.add_coordinate(program_.batch, CoordinateRole::kBatch);
    std::vector<IndexExpr> index;
    const std::vector<int64_t>& dims = value.shape.dims;
    CoordinateRole role = CoordinateRole::kRow;
    for (size_t d = 0; d < dims.size(); ++d) {
      elements.coordinates.push_back(-1);
      if (static_cast<int>(d) == batch) {
        index.push_back(graph.coordinate(elements.batch));
      } else if (dims[d] == 1) {
        index.emplace_back(0);
      } else {
        elements.coordinates.back() = graph.add_coordinate(dims[d], role);
        index.push_back(graph.coordinate(elements.coordinates.back()));
        role = CoordinateRole::kColumn;
      }
    }
    const NodeId result = graph.demand(&value, index);
    if (graph.failure) return std::nullopt;
    graph.results = {result};
    if (!graph.finish({}) || !graph.loops.empty()) return std::nullopt;
    for (const DemandReduce& reduce : graph.reduces) {
      const int64_t steps = reduce.scope < 0 ? static_cast<int64_t>(reduce.terms.size()) : graph.nested_steps(reduce);
      if (program_.by_warp ? steps > kMostSharedTerms : elements_in(dims, batch) * steps > kMostTerms)
        return std::nullopt;
    }
    const std::vector<bool> needed = needed_nodes(graph);
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      if (needed[id] && graph.nodes[id].kind == Kind::kLoad && !note_read(level, graph.nodes[id], elements))
        return std::nullopt;
    }
    return elements;
  }

  bool fill(const ThreadLevel& level, const Instruction& value, int array, std::vector<ThreadUnit>* units) {
    settle_by_extent(&program_.arrays[array]);
    const auto own = unit_array_.find(&value);
    std::optional<OwnElements> elements =
        demand(level, value, program_.arrays[array].batch, own != unit_array_.end() && own->second == array);
    if (!elements) return false;
    ThreadUnit unit;
    unit.value = &value;
    unit.array = array;
    unit.elements.push_back(std::move(*elements));
    units->push_back(std::move(unit));
    return true;
  }

  bool add_units(const ThreadLevel& level, std::vector<ThreadUnit>* units) {
    for (const Instruction* value : level.units | std::views::reverse) {
      const bool added = is_loop(*value)    ? add_loop(level, *value, units)
                         : is_solve(*value) ? add_solve(level, *value, units)
                                            : fill(level, *value, array_filled_by(*value), units);
      if (!added) return false;
    }
    return true;
  }

  int array_filled_by(const Instruction& value) const {
    const auto held = held_array_.find(&value);
    return held != held_array_.end() ? held->second : unit_array_.at(&value);
  }

  bool add_solve(const ThreadLevel& level, const Instruction& call, std::vector<ThreadUnit>* units) {
    ThreadUnit unit;
    unit.kind = ThreadUnit::Kind::kSolve;
    unit.value = &call;
    unit.solve_arrays = arrays_of_solve_.at(&call);
    SolveDemand& solve = solves_.at(&call);
    for (size_t a = 0; a < solve.arrays.size(); ++a) {
      unit.elements_of.push_back(-1);
      const SolveArray& array = solve.arrays[a];
      if (array.operand < 0) continue;
      const Instruction& value = *call.operand(static_cast<size_t>(array.operand));
      OwnArray& own = program_.arrays[unit.solve_arrays[a]];
      std::optional<OwnElements> elements = demand(level, value, own.batch);
      if (!elements) return false;
      // What is only read, and is in an array that lies as it should, is not copied.
      const std::optional<Place> place = array.result < 0 && !array.conjugated ? place_of(&value) : std::nullopt;
      if (place && place->array >= 0 && program_.arrays[place->array].kept == own.kept) {
        unit.solve_arrays[a] = place->array;
        continue;
      }
      unit.elements_of.back() = static_cast<int>(unit.elements.size());
      unit.elements.push_back(std::move(*elements));
    }
    if (solve.info >= 0) unit.info = result_array_.at({&call, solve.info});
    unit.solve = std::move(solve);
    units->push_back(std::move(unit));
    return true;
  }

  bool add_loop(const ThreadLevel& level, const Instruction& loop, std::vector<ThreadUnit>* units) {
    const ThreadLevel& body = bodies_.at(&loop);
    ThreadUnit unit;
    unit.kind = ThreadUnit::Kind::kLoop;
    unit.value = &loop;
    unit.loop = info_of(&loop);
    unit.is_apart = body.handed_on.empty();
    const Instruction& root = *body.computation->root();
    for (size_t r = 0; r < program_.results.size(); ++r) {
      const Instruction& result = *program_.results[r];
      if (level.loop != nullptr || result.opcode != Opcode::kGetTupleElement || result.operand(0) != &loop) continue;
      const auto carry = static_cast<size_t>(*result.attributes->tuple_index);
      if (carry_array_.count({&loop, carry}) > 0 || unit.loop.carries[carry].kind != CarryKind::kGeneral) continue;
      if (!add_stack(body, *root.operand(carry), r, &unit.body)) return false;
    }
    for (const size_t carry : body.handed_on) {
      const auto held = held_array_.find(root.operand(carry));
      const std::optional<Place> next =
          held != held_array_.end() ? Place{.array = held->second} : place_of(root.operand(carry));
      if (!next || next->array < 0) return false;
      OwnArray& from = program_.arrays[next->array];
      OwnArray& to = program_.arrays[carry_array_.at({&loop, carry})];
      settle_by_extent(&to);
      if (!from.is_settled) settle(&from, to.batch);
      if (from.dims != to.dims || from.batch != to.batch) return false;
      unit.hand_on.emplace_back(next->array, carry_array_.at({&loop, carry}));
    }
    if (!add_units(body, &unit.body)) return false;
    std::ranges::reverse(unit.body);
    units->push_back(std::move(unit));
    for (const size_t carry : body.handed_on) {
      if (!fill(level, *loop.operand(0)->operand(carry), carry_array_.at({&loop, carry}), units)) return false;
    }
    return true;
  }

  // What a step stores of a result: a part of its own.
  bool add_stack(const ThreadLevel& body, const Instruction& update, size_t result, std::vector<ThreadUnit>* units) {
    const Instruction& piece = *update.operand(1);
    const int64_t trip = *info_of(body.loop).trip_count;
    // Where the piece begins: at the step's number along one dimension, which all steps together fill.
    int along = -1;
    IndexExpr start;
    OwnElements* elements = nullptr;
    std::vector<std::optional<std::pair<int64_t, int64_t>>> starts;  // factor of the step's number, and what is added
    for (size_t d = 0; d < update.shape.dims.size(); ++d) {
      std::optional<OwnElements> of_start = demand(body, *update.operand(2 + d), -1);
      if (!of_start) return false;
      const DemandNode& node = of_start->graph->nodes[of_start->graph->results[0]];
      IndexExpr expr;
      if (node.kind == Kind::kConstant) {
        expr = IndexExpr(node.literal.integer_at(0));
      } else if (node.kind == Kind::kIndex) {
        expr = node.expr;
      } else {
        return false;
      }
      if (expr.is_constant()) {
        if (expr.constant() != 0 || piece.shape.dims[d] != update.shape.dims[d]) return false;
        starts.emplace_back();
        continue;
      }
      const bool counted = expr.terms().size() == 1 && std::abs(expr.terms()[0].coefficient) == 1 &&
                           expr.range() == IndexRange{0, update.shape.dims[d] - 1} && trip == update.shape.dims[d];
      if (!counted || piece.shape.dims[d] != 1 || along >= 0) return false;
      along = static_cast<int>(d);
      starts.emplace_back(std::pair(expr.terms()[0].coefficient, expr.constant()));
    }
    if (along < 0 && trip != 1) return false;
    int batch = -1;
    for (size_t d = 0; d < piece.shape.dims.size() && program_.batch > 1; ++d) {
      if (piece.shape.dims[d] == program_.batch && static_cast<int>(d) != along && batch < 0)
        batch = static_cast<int>(d);
    }
    if (program_.batch > 1 && batch < 0) return false;
    std::optional<OwnElements> made = demand(body, piece, batch);
    if (!made) return false;
    elements = &*made;
    std::vector<IndexExpr> place = index_of(*elements, piece, batch);
    if (along >= 0) {
      const auto [factor, constant] = *starts[static_cast<size_t>(along)];
      place[static_cast<size_t>(along)] = step_number(elements, trip) * factor + constant;
    }
    if (elements_in(piece.shape.dims, batch) > most_elements()) return false;
    ThreadUnit unit;
    unit.kind = ThreadUnit::Kind::kStore;
    unit.value = &piece;
    unit.result = result;
    unit.offset = linearize(place, update.shape.dims);
    unit.elements.push_back(std::move(*made));
    units->push_back(std::move(unit));
    return true;
  }

  static int64_t elements_in(const std::vector<int64_t>& dims, int batch) {
    int64_t count = 1;
    for (size_t d = 0; d < dims.size(); ++d) count *= static_cast<int>(d) == batch ? 1 : dims[d];
    return count;
  }

  // The number of the step, as the graph counts it.
  static IndexExpr step_number(OwnElements* elements, int64_t trip) {
    DemandGraph& graph = *elements->graph;
    for (size_t id = 0; id < graph.coordinates.size(); ++id) {
      if (graph.coordinates[id].role == CoordinateRole::kHostStep) return graph.coordinate(static_cast<int>(id));
    }
    return graph.coordinate(graph.add_coordinate(trip, CoordinateRole::kHostStep));
  }

  std::vector<IndexExpr> index_of(const OwnElements& elements, const Instruction& value, int batch) const {
    std::vector<IndexExpr> index;
    for (size_t d = 0; d < value.shape.dims.size(); ++d) {
      const int coordinate = static_cast<int>(d) == batch ? elements.batch : elements.coordinates[d];
      index.push_back(coordinate < 0 ? IndexExpr(0) : elements.graph->coordinate(coordinate));
    }
    return index;
  }

  // A result that stands in an array at the end, or is made of such.
  bool add_result(const ThreadLevel& level, size_t number) {
    const Instruction& value = *program_.results[number];
    if (value.opcode == Opcode::kGetTupleElement && is_loop(*value.operand(0))) {
      const auto carry = static_cast<size_t>(*value.attributes->tuple_index);
      const WhileInfo& info = info_of(value.operand(0));
      if (info.carries[carry].kind == CarryKind::kGeneral && carry_array_.count({value.operand(0), carry}) == 0)
        return true;  // its steps store it
    }
    int batch = -1;
    const std::vector<int64_t>& dims = value.shape.dims;
    if (program_.batch > 1) {
      const std::optional<Place> place = place_of(&value);
      if (place && place->array >= 0 && program_.arrays[place->array].is_settled) {
        batch = program_.arrays[place->array].batch;
      } else {
        const auto found = std::ranges::find(dims, program_.batch);
        batch = found == dims.end() ? -1 : static_cast<int>(found - dims.begin());
      }
      if (batch < 0) return false;
    }
    std::optional<OwnElements> elements = demand(level, value, batch);
    if (!elements || elements_in(dims, batch) > most_elements()) return false;
    ThreadUnit unit;
    unit.kind = ThreadUnit::Kind::kStore;
    unit.value = &value;
    unit.result = number;
    unit.offset = linearize(index_of(*elements, value, batch), dims);
    unit.elements.push_back(std::move(*elements));
    program_.units.push_back(std::move(unit));
    return true;
  }

  // Memory that no step changes, and of which a thread needs little, is copied before everything.
  bool settle_memory() {
    for (const Instruction* parameter : computation_.parameters()) {
      const auto found = memory_.find(parameter);
      if (found == memory_.end()) continue;
      const Memory& memory = found->second;
      const bool copied = copies_memory_ && memory.read_in_loop && memory.is_constant && memory.is_alike &&
                          memory.elements <= most_elements();
      int id = -1;
      if (copied) {
        id = add_array(*parameter, parameter->shape);
        program_.arrays[id].copied = parameter;
        settle(&program_.arrays[id], memory.batch);
      }
      for (const Instruction* name : memory.names) {
        if (copied) {
          program_.array_of[name] = id;
        } else {
          program_.memory_of[name] = parameter;
        }
      }
    }
    return true;
  }

  static constexpr int kUnknown = -2;
  struct Memory {
    bool read_in_loop = false, is_constant = true, is_alike = true;
    int batch = kUnknown;
    int64_t elements = 0;
    std::set<const Instruction*> names;  // that it is loaded by; only looked up
  };

  const bool copies_memory_;
  std::map<const Instruction*, Memory> memory_;
};

}  // namespace

bool fits(const ThreadProgram& program) {
  constexpr int64_t kMostWords = 190;
  return program.by_warp ? program.shared_bytes() <= kMostSharedOfWarp : program.words <= kMostWords;
}

std::optional<ThreadProgram> read_thread_program(const Computation& computation, int64_t batch, bool by_warp) {
  std::optional<ThreadProgram> program = ProgramReader(computation, batch, by_warp, true).read();
  if (program && !fits(*program)) program = ProgramReader(computation, batch, by_warp, false).read();
  return program;
}

}  // namespace sinter
