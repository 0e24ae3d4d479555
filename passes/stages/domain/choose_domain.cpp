#include "passes/stages/domain/choose_domain.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/demand/views/load_runs.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

std::optional<RowExtents> row_extents(const Instruction& reduce) {
  // Where rows are neighbours, a thread a row reads as well as any; warps that share rows pay where these are too few
  // to hide that each takes long.
  constexpr int64_t kLong = 128, kFew = 65536;
  if (reduce.opcode != Opcode::kReduce || reduce.operands().size() != 2) return std::nullopt;
  if (!simple_combiner(**reduce.attributes->to_apply)) return std::nullopt;
  const std::optional<RowExtents> extents = reduced_rows(reduce);
  if (!extents || (extents->inner > 1 && (extents->columns < kLong || extents->rows > kFew))) return std::nullopt;
  return extents;
}

namespace {

// Whether a thread of one element reads and stores neighbours already, in accesses of a size worth having, which of
// several elements would stand apart: it has a cell of what it stores, or more of what it reads is such neighbours than
// is one element a thread.
bool has_neighbours(const MapDemand& demand) {
  constexpr int64_t kMostOfCell = 16;  // elements along a row
  constexpr int64_t kLeastAccess = 8;  // bytes; fewer, and records that are no access, are those of several (records.h)
  const auto is_access = [](int64_t count, DType dtype) {
    return std::has_single_bit(static_cast<uint64_t>(count)) && count * dtype_bytes(dtype) >= kLeastAccess;
  };
  if (demand.coordinates.empty()) return false;
  const int last = demand.coordinates.back();
  const DemandGraph& graph = *demand.graph;
  int64_t by_one = 0, of_runs = 0;
  for (const DemandStore& store : graph.stores) {
    const int64_t apart = store.offset.coefficient_of_coordinate(last);
    if (apart > 1 && apart <= kMostOfCell && is_access(apart, store.value->shape.dtype)) return true;
    by_one += apart == 1 ? 1 : 0;
  }
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad && node.expr.coefficient_of_coordinate(last) == 1) ++by_one;
  }
  for (const LoadRun& run : loads_at_once(graph)) {
    const DemandNode& first = graph.nodes[run.loads[0]];
    if (first.expr.coefficient_of_coordinate(last) > 1 && is_access(std::ssize(run.loads), first.dtype))
      of_runs += std::ssize(run.loads);
  }
  return of_runs > by_one;
}

}  // namespace

int64_t vector_width(const MapDemand& demand) {
  // Fewer elements than this leave multiprocessors idle if threads take four each.
  constexpr int64_t kMinElements = 4096;
  // Threads that are left where each goes through the steps of reductions, whose loads wait for each other, or brings
  // updates to lanes, one after the other.
  constexpr int64_t kMinThreads = 4 * kThreadsAtOnce;
  if (demand.threads < kMinElements || choose_otherwise || has_neighbours(demand)) return 1;
  int64_t width = widest_vector(demand);
  const std::optional<std::set<int>> steps = scopes_of_shared_steps(demand, 1);
  const auto brings_to_lane = [&](const DemandStore& store) {
    return store.value->opcode == Opcode::kScatter &&
           store.offset.coefficient_of_coordinate(demand.coordinates.back()) != 1;
  };
  if ((steps && !steps->empty()) || std::ranges::any_of(demand.graph->stores, brings_to_lane)) {
    while (width > 1 && demand.threads / width < kMinThreads) width /= 2;
  }
  return width;
}

std::optional<RowExtents> long_row_extents(const Instruction& value) {
  const std::optional<RowExtents> extents = row_extents(value);
  return extents && extents->columns > kShortReduction ? extents : std::nullopt;
}

std::optional<RowExtents> longest_rows(const std::set<const Instruction*>& values) {
  std::optional<RowExtents> longest;
  for (const Instruction* value : values) {
    const std::optional<RowExtents> rows = row_extents(*value);
    if (!rows) continue;
    if (!longest || is_longer(*rows, *longest)) longest = rows;
  }
  return longest;
}

namespace {

// The dimension along which values of one element each are put side by side, jnp.stack; nullopt: the value is no stack.
std::optional<size_t> stacked_along(const Instruction& value) {
  if (value.opcode != Opcode::kConcatenate) return std::nullopt;
  const auto dim = static_cast<size_t>(value.attributes->dimensions->front());
  const auto is_piece = [&](const Instruction* operand) { return operand->shape.dims[dim] == 1; };
  return std::ranges::all_of(value.operands(), is_piece) ? std::optional(dim) : std::nullopt;
}

// The rows whose sum, or what else a row is reduced to, a value is; nullopt of another.
std::optional<RowExtents> rows_reduced_to(const Instruction& value) {
  const Instruction* reduced = &value;
  while (reduced->opcode == Opcode::kReshape) reduced = reduced->operand(0);
  return long_row_extents(*reduced);
}

// Whether each row of an output is a few such values, and rows are few: a thread an element would compute all of them,
// and choose one.
bool stacks_few(const Instruction& output) {
  const std::vector<int64_t>& dims = output.shape.dims;
  return stacked_along(output) == dims.size() - 1 && dims.back() <= kFewOfARow &&
         output.shape.element_count() <= kThreadsAtOnce;
}

// The last dimension of all outputs of a kernel, where it is so short that what a thread has of it may be a record
// (records.h), stacked or not: a pixel's colours, of which each needs the others.
std::optional<size_t> record_dimension(const std::vector<const Instruction*>& plain) {
  constexpr int64_t kMostOfRecord = 8;
  if (plain.empty()) return std::nullopt;
  const std::vector<int64_t>& dims = plain[0]->shape.dims;
  const auto is_alike = [&](const Instruction* output) {
    return output->shape.is_array() && output->shape.dims == dims;
  };
  if (dims.size() < 2 || dims.back() < 2 || dims.back() > kMostOfRecord) return std::nullopt;
  return std::ranges::all_of(plain, is_alike) ? std::optional(dims.size() - 1) : std::nullopt;
}

// The dimension along which a kernel stacks values, as all its outputs have them. nullopt: there is none.
std::optional<size_t> stacked_dimension(const KernelValues& kernel, const std::vector<const Instruction*>& plain) {
  constexpr int64_t kMostPieces = 32, kMostNeighbours = 64;
  if (plain.empty()) return std::nullopt;
  const std::vector<int64_t>& dims = plain[0]->shape.dims;
  const auto is_alike = [&](const Instruction* output) {
    return output->shape.is_array() && output->shape.dims == dims;
  };
  if (!std::ranges::all_of(plain, is_alike)) return std::nullopt;
  std::optional<size_t> found;
  for (const Instruction* value : kernel.context.computed) {
    const std::optional<size_t> dim = stacked_along(*value);
    if (!dim || value->shape.dims != dims) continue;
    const bool are_neighbours = *dim + 1 == dims.size();
    if (dims[*dim] > (are_neighbours ? kMostNeighbours : kMostPieces)) continue;
    if (found && found != dim) return std::nullopt;
    found = dim;
  }
  return found;
}

// Candidate domains: an output's dimensions, and their leading parts.
std::vector<std::vector<int64_t>> candidates(const KernelValues& kernel, const std::vector<const Instruction*>& outputs,
                                             const std::vector<const Instruction*>& plain, bool loops, bool maps) {
  std::vector<std::vector<int64_t>> result;
  const auto offer = [&](const std::vector<int64_t>& dims) {
    std::vector<int64_t> domain;
    for (const int64_t extent : dims) {
      if (extent != 1) domain.push_back(extent);
    }
    if (std::find(result.begin(), result.end(), domain) == result.end()) result.push_back(domain);
  };
  std::vector<const Shape*> largest;
  for (const Instruction* output : plain) largest.push_back(&stored_shape(kernel.context, *output));
  std::stable_sort(largest.begin(), largest.end(),
                   [](const Shape* a, const Shape* b) { return a->element_count() > b->element_count(); });
  if (!loops && outputs.size() == 1 && stacks_few(*outputs[0])) {
    const std::vector<int64_t>& dims = largest[0]->dims;
    offer(std::vector<int64_t>(dims.begin(), dims.end() - 1));
  }
  for (const Shape* shape : largest) {
    offer(shape->dims);
    if (!loops) continue;
    for (size_t rank = shape->dims.size(); rank-- > 0;) {
      offer(std::vector<int64_t>(shape->dims.begin(), shape->dims.begin() + rank));
    }
  }
  if (loops) {
    // The arrays a loop carries may be wider than what is read of it.
    for (const Instruction* value : outputs) {
      const Instruction* loop = loop_of_output(kernel, value, maps);
      if (loop == nullptr || !loop->shape.is_tuple()) continue;
      for (const Shape& element : loop->shape.elements) {
        if (element.is_array() && element.element_count() <= int64_t{1} << 24) {
          for (size_t rank = element.dims.size() + 1; rank-- > 0;) {
            offer(std::vector<int64_t>(element.dims.begin(), element.dims.begin() + rank));
          }
        }
      }
      // What each step stores of what it stacks up.
      for (const Instruction* next : (*loop->attributes->body)->root()->operands()) {
        if (next->opcode == Opcode::kDynamicUpdateSlice) offer(next->operand(1)->shape.dims);
      }
      // What it reduces in each step, only to record it.
      for (const Instruction& instruction : (*loop->attributes->body)->instructions()) {
        if (instruction.opcode == Opcode::kReduce && instruction.shape.is_scalar())
          offer(instruction.operand(0)->shape.dims);
      }
    }
  }
  if (result.empty()) result.push_back({});
  if (result.size() > 12) result.resize(12);
  if (choose_otherwise) std::reverse(result.begin(), result.end());
  return result;
}

// Of loops that no candidate fits: dimensions of a carry that are not its leading ones. The threads of [3, 64] are 64
// where the loop turns or cuts the three.
std::vector<std::vector<int64_t>> inner_candidates(const KernelValues& kernel,
                                                   const std::vector<const Instruction*>& outputs, bool maps) {
  constexpr size_t kMostDims = 4, kMostCandidates = 12;
  std::vector<std::vector<int64_t>> result;
  for (const Instruction* value : outputs) {
    const Instruction* loop = loop_of_output(kernel, value, maps);
    if (loop == nullptr) continue;
    const std::vector<int64_t>& dims = value->shape.dims;
    if (dims.size() > kMostDims) continue;
    for (size_t chosen = 1; chosen < size_t{1} << dims.size(); ++chosen) {
      std::vector<int64_t> domain;
      for (size_t d = 0; d < dims.size(); ++d) {
        if ((chosen >> d & 1) != 0 && dims[d] != 1) domain.push_back(dims[d]);
      }
      const bool known = std::find(result.begin(), result.end(), domain) != result.end();
      if (!known && result.size() < kMostCandidates) result.push_back(domain);
    }
  }
  return result;
}

int64_t product(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

// The threads of a domain's last `count` dimensions.
int64_t trailing_product(const std::vector<int64_t>& domain, size_t count) {
  return product(std::vector<int64_t>(domain.end() - static_cast<std::ptrdiff_t>(count), domain.end()));
}

// Of loops whose threads need each other: arrays they carry, or reduce, of which the last dimensions may be a block's
// threads.
struct BlockCandidate {
  std::vector<int64_t> domain;
  size_t of_block = 0;
  bool operator==(const BlockCandidate&) const = default;
};
bool fills_warps(const BlockCandidate& candidate) {
  return trailing_product(candidate.domain, candidate.of_block) % kWarp == 0;
}
bool fits_block(const BlockCandidate& candidate) {
  constexpr int64_t kSmallestBlock = 8;  // fewer elements leave most of a warp idle
  const int64_t block = trailing_product(candidate.domain, candidate.of_block);
  return block >= kSmallestBlock && block <= kMostThreads;
}

// The dimensions of what an operation of a loop reduces, those that a product sums over last.
std::vector<std::vector<int64_t>> reduced_arrays(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kReduce) return {instruction.operand(0)->shape.dims};
  std::vector<std::vector<int64_t>> arrays;
  if (instruction.opcode != Opcode::kDot) return arrays;
  for (const size_t side : {0, 1}) {
    const OperandDims order = operand_dims(instruction, side);
    std::vector<int64_t> dims = order.batch;
    dims.insert(dims.end(), order.free.begin(), order.free.end());
    dims.insert(dims.end(), order.contracting.begin(), order.contracting.end());
    arrays.push_back(sizes(instruction.operand(side)->shape, dims));
  }
  return arrays;
}

std::vector<BlockCandidate> block_candidates(const KernelValues& kernel, const std::vector<const Instruction*>& outputs,
                                             bool maps) {
  std::vector<BlockCandidate> result;
  const auto offer = [&](const BlockCandidate& candidate) {
    if (!fits_block(candidate)) return;
    if (std::find(result.begin(), result.end(), candidate) == result.end()) result.push_back(candidate);
  };
  for (const Instruction* value : outputs) {
    const Instruction* loop = loop_of_output(kernel, value, maps);
    if (loop == nullptr || !loop->shape.is_tuple()) continue;
    std::vector<std::vector<int64_t>> arrays;
    std::set<int64_t> carried;
    for (const Shape& element : loop->shape.elements) {
      if (!element.is_array() || element.element_count() == 0) continue;
      arrays.push_back(element.dims);
      carried.insert(element.element_count());
    }
    std::vector<std::vector<int64_t>> reduced;
    for (const Instruction& instruction : (*loop->attributes->body)->instructions()) {
      for (const std::vector<int64_t>& dims : reduced_arrays(instruction)) reduced.push_back(dims);
    }
    for (const std::vector<int64_t>& dims : reduced) {
      if (carried.count(product(dims)) > 0) arrays.push_back(dims);
    }
    for (const Instruction* next : (*loop->attributes->body)->root()->operands()) {
      if (next->opcode == Opcode::kDynamicUpdateSlice) arrays.push_back(next->operand(1)->shape.dims);
    }
    for (const std::vector<int64_t>& array : arrays) {
      BlockCandidate candidate = {squeezed_dims(array)};
      while (++candidate.of_block <= candidate.domain.size()) offer(candidate);
    }
    // A layer of a network for each element, or row, of the state: the layer's elements are a block's.
    const std::vector<int64_t>& state = value->shape.dims;
    for (const std::vector<int64_t>& dims : reduced) {
      const auto differ = std::mismatch(state.begin(), state.end(), dims.begin(), dims.end()).second;
      const auto common = static_cast<size_t>(differ - dims.begin());
      if (common < dims.size() && common + 1 >= state.size())
        offer({squeezed_dims(dims), squeezed_dims({differ, dims.end()}).size()});
    }
  }
  // What loops leave, an element a thread, may be reduced by blocks: a part of the elements each.
  for (const Instruction* value : outputs) {
    const std::optional<RowExtents> rows = row_extents(*value);
    if (rows && rows->inner == 1 && rows->columns > 1) offer({squeezed_dims({rows->rows, rows->columns}), 1});
  }
  std::stable_partition(result.begin(), result.end(), fills_warps);
  return result;
}

// Nodes that a thread computes one after the other, in a step of its loops: those of a function that it calls, those of
// a reduction as often as that has steps, and, where it waits for its block, as many as are computed meanwhile. Scopes
// are set where there are reductions.
int64_t nodes_of(const DemandGraph& graph) {
  constexpr int64_t kWait = 20, kMost = int64_t{1} << 40;
  std::vector<int64_t> times(graph.scopes.size(), 1);
  for (size_t scope = 1; scope < times.size(); ++scope) {
    bool in_loop = false;
    for (int around = static_cast<int>(scope); around > 0 && !in_loop; around = graph.scopes[around].parent) {
      in_loop = graph.scopes[around].kind == DemandScope::Kind::kLoop;
      if (graph.scopes[around].kind == DemandScope::Kind::kReduce)
        times[scope] *= std::clamp<int64_t>(graph.steps_in(around), 1, kMost / times[scope]);
    }
    if (!in_loop) times[scope] = 1;
  }
  int64_t count = 0;
  for (const DemandNode& node : graph.nodes) {
    int64_t own = 1;
    if (node.kind == DemandNode::Kind::kBlockReduce || node.kind == DemandNode::Kind::kExchanged) own += kWait;
    if (node.kind == DemandNode::Kind::kCall) own += count_operations(**node.instruction->attributes->to_apply);
    count = std::min(kMost, count + own * std::min(times[node.scope], kMost / own));
  }
  return count;
}

// Nodes that are computed one after the other where `threads` compute so many each.
int64_t time_of(int64_t threads, int64_t nodes) {
  return nodes * std::max<int64_t>(ceil_div(threads, kThreadsAtOnce), 1);
}

// Nodes a thread that a domain of `threads` may have, to be taken over `best`: more threads only where that saves a
// quarter of the time, since neighbours that share much of what they compute are better off as one thread.
int64_t tolerable_nodes(int64_t threads, const MapDemand& best) {
  const int64_t time = time_of(best.threads, nodes_of(*best.graph));
  const int64_t most = threads > best.threads   ? time - ceil_div(time, 4)
                       : threads < best.threads ? time + ceil_div(time, 3) - 1
                                                : time - 1;
  return most / time_of(threads, 1);
}

bool stands_in_loop(const DemandGraph& graph, const DemandReduce& reduce) {
  int scope = reduce.scope;
  while (scope > 0 && graph.scopes[scope].kind != DemandScope::Kind::kLoop) scope = graph.scopes[scope].parent;
  return scope > 0;
}

// A reduction in a loop that keeps a thread, or with others a block, longer than launching kernels for each step would
// take (some microseconds), where there are too few threads to keep a GPU busy; nullptr if there is none. A block's
// threads all read what they reduce: at 64 bytes a cycle, a megabyte takes as long as that.
const Instruction* serial_reduction(const MapDemand& demand) {
  constexpr int64_t kMostOfBlock = 262144;
  // A few threads leave more of the GPU idle than many.
  const int64_t most_steps = 1024 + 32 * std::min(demand.threads, kThreadsAtOnce);
  if (demand.threads >= kThreadsAtOnce && demand.block == 0) return nullptr;
  const DemandGraph& graph = *demand.graph;
  int64_t together = 0;
  for (const DemandReduce& reduce : graph.reduces) {
    if (!stands_in_loop(graph, reduce)) continue;
    const int64_t steps = graph.nested_steps(reduce);
    together = std::min(together, kMostOfBlock) + steps;
    if (steps > most_steps || together * demand.block > kMostOfBlock) return reduce.instruction;
  }
  return nullptr;
}

// As nodes_of; as many times as a multiprocessor's lanes are short of a block's threads, and multiprocessors of blocks.
int64_t block_time(const MapDemand& demand) {
  constexpr int64_t kLanes = 128;
  return nodes_of(*demand.graph) * ceil_div(demand.block, kLanes) *
         ceil_div(demand.threads / demand.block, kMultiprocessors);
}

// Whether threads carry rows of a matrix through a loop, which are longer than what any loop writes out.
bool carries_rows(const MapDemand& demand) {
  return std::ranges::any_of(demand.graph->reduces, [](const DemandReduce& reduce) {
    return reduce.scope < 0 && std::ssize(reduce.terms) > kShortReduction;
  });
}

// Nodes that a warp computes one after the other for each of its lanes that has an element of its own.
int64_t turns_in_warps(const MapDemand& demand) {
  const int64_t lanes = demand.block == 0 ? 1 : ceil_div(demand.block, kWarp) * kWarp;
  return nodes_of(*demand.graph) * lanes / std::max<int64_t>(demand.block, 1);
}

// Whether what a thread has side by side is stored by whole accesses, alone or with its neighbours', or is much.
bool stores_whole(const MapDemand& demand, const std::vector<const Instruction*>& plain, int64_t pieces) {
  // So few are chosen from as fast as they are stored one by one.
  constexpr int64_t kFewPieces = 8;
  const auto is_whole = [&](const Instruction* output) {
    return pieces % (kAccessBytes / dtype_bytes(output->shape.dtype)) == 0;
  };
  return pieces > kFewPieces || std::ranges::all_of(plain, is_whole) || widest_vector(demand) > 1;
}

// Puts a thread that computes all values which are side by side in the place of one for each of them, where these have
// so much in common that it takes a quarter less time. Of a thread for each, one piece of its nodes is what it
// computes; where its neighbours have the others, what these compute too, one after the other.
void take_stacks_whole(const KernelValues& kernel, const std::vector<const Instruction*>& plain, bool maps,
                       int64_t limit, std::optional<MapDemand>* best) {
  std::optional<size_t> stacked = stacked_dimension(kernel, plain);
  const bool of_records = !stacked;
  if (of_records) stacked = record_dimension(plain);
  if (!stacked) return;
  std::vector<int64_t> extents = plain[0]->shape.dims;
  const int64_t pieces = extents[*stacked];
  extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(*stacked));
  std::optional<DemandGraph::Failure> why;
  std::optional<MapDemand> whole =
      try_map(kernel, {.extents = squeezed_dims(extents), .maps_loops = maps}, limit, &why);
  if (!whole) return;
  const auto loops = [](const DemandReduce& reduce) { return reduce.scope >= 0; };
  if (of_records && (!*best || std::ranges::any_of(whole->graph->reduces, loops) || widest_vector(*whole) == 1)) return;
  if (*best) {
    const bool are_neighbours = *stacked + 1 == plain[0]->shape.dims.size();
    if (are_neighbours && !stores_whole(*whole, plain, pieces)) return;
    const int64_t at_once = are_neighbours ? std::min(pieces, kWarp) : 1;
    const int64_t apart = time_of((*best)->threads, ceil_div(nodes_of(*(*best)->graph) * at_once, pieces));
    if (4 * time_of(whole->threads, nodes_of(*whole->graph)) > 3 * apart) return;
  }
  *best = std::move(whole);
}

// Likewise of values that are put side by side along several dimensions, in steps: two by two phases of an image, of
// each of which a thread computes an element, a cell of the image.
void take_cells_whole(const KernelValues& kernel, int64_t limit, std::optional<MapDemand>* best) {
  constexpr int64_t kMostPieces = 16;
  if (!*best) return;
  std::set<std::vector<int64_t>> tried;
  for (const Instruction* value : kernel.context.computed) {
    const std::optional<size_t> dim = stacked_along(*value);
    if (!dim) continue;
    const std::vector<int64_t> extents = squeezed_dims(value->operand(0)->shape.dims);
    const int64_t threads = product(extents), pieces = threads > 0 ? (*best)->threads / threads : 0;
    if (pieces < 2 || pieces > kMostPieces || threads * pieces != (*best)->threads) continue;
    if (!tried.insert(extents).second) continue;
    std::optional<DemandGraph::Failure> why;
    std::optional<MapDemand> whole = try_map(kernel, {.extents = extents}, limit, &why);
    if (!whole) continue;
    // Lanes of a warp differ along the last dimension, warps along the others.
    const bool are_neighbours = *dim + 1 == value->shape.dims.size();
    const int64_t at_once = are_neighbours ? std::min(value->shape.dims[*dim], pieces) : 1;
    const int64_t apart = time_of((*best)->threads, ceil_div(nodes_of(*(*best)->graph) * at_once, pieces));
    if (4 * time_of(whole->threads, nodes_of(*whole->graph)) <= 3 * apart) *best = std::move(whole);
  }
}

std::optional<MapDemand> choose_map(const KernelValues& kernel, bool maps, std::optional<DemandGraph::Failure>* failure,
                                    int64_t limit) {
  // In whatever order outputs were found, the domain is the same.
  const std::vector<const Instruction*> outputs = in_text_order(kernel.outputs);
  const std::vector<const Instruction*> plain = outputs_of_threads(kernel, maps);
  bool loops = false;
  for (const Instruction* value : kernel.context.computed) {
    loops |= value->opcode == Opcode::kWhile && !(maps && is_map_loop(*value));
  }
  std::optional<MapDemand> best;
  std::optional<DemandGraph::Failure> first_failure;
  const bool stores = std::any_of(kernel.outputs.begin(), kernel.outputs.end(), [](const Instruction* output) {
    return output->shape.is_array() && output->shape.element_count() > 0;
  });
  const auto attempt = [&](const std::vector<int64_t>& domain, size_t of_block) -> std::optional<MapDemand> {
    // A loop's stacks need threads where a carry has no elements.
    if (stores && product(domain) == 0) return std::nullopt;
    std::optional<DemandGraph::Failure> why;
    const int64_t most_nodes = best ? std::min(tolerable_nodes(product(domain), *best), limit) : limit;
    const MapDomain as = {.extents = domain, .of_block = of_block, .maps_loops = maps};
    std::optional<MapDemand> tried = try_map(kernel, as, most_nodes, &why);
    if (!tried && !first_failure) first_failure = why;
    if (tried && loops && !tried->graph->reduces.empty()) tried->graph->set_scopes();
    if (tried && nodes_of(*tried->graph) > most_nodes) tried.reset();
    return tried;
  };
  const auto try_all = [&](const std::vector<std::vector<int64_t>>& domains) {
    for (const std::vector<int64_t>& domain : domains) {
      if (std::optional<MapDemand> tried = attempt(domain, 0)) best = std::move(tried);
      if (best && !loops) return;
    }
  };
  // Drops what takes too long.
  const auto settle = [&](std::optional<MapDemand>* demand) {
    if (!*demand) return;
    finish_map(&**demand, nullptr);
    const Instruction* serial = serial_reduction(**demand);
    if (serial == nullptr) return;
    first_failure = DemandGraph::Failure{serial, "loop-serial"};
    demand->reset();
  };
  try_all(candidates(kernel, outputs, plain, loops, maps));
  if (!loops) take_stacks_whole(kernel, plain, maps, limit, &best);
  if (!loops && !maps) take_cells_whole(kernel, limit, &best);
  if (!best && loops) try_all(inner_candidates(kernel, outputs, maps));
  settle(&best);
  if (best && carries_rows(*best)) {
    const MapDomain alone = best->domain;
    for (size_t of_block = 1; of_block <= alone.extents.size(); ++of_block) {
      std::optional<MapDemand> tried =
          fits_block({alone.extents, of_block}) ? attempt(alone.extents, of_block) : std::nullopt;
      settle(&tried);
      if (tried && turns_in_warps(*tried) < turns_in_warps(*best)) best = std::move(tried);
    }
  }
  if (loops && (!best || best->threads < kThreadsAtOnce)) {
    std::optional<MapDemand> fastest;
    const auto costs = [](const MapDemand& demand) { return std::pair(block_time(demand), demand.threads); };
    for (const BlockCandidate& candidate : block_candidates(kernel, outputs, maps)) {
      std::optional<MapDemand> tried = attempt(candidate.domain, candidate.of_block);
      settle(&tried);
      if (tried && (!fastest || costs(*tried) < costs(*fastest))) fastest = std::move(tried);
    }
    // A thread that has a whole row waits for nobody.
    const bool keeps_rows = fastest && best && carries_rows(*best) &&
                            time_of(best->threads, nodes_of(*best->graph)) <= block_time(*fastest);
    if (fastest && !keeps_rows) best = std::move(fastest);
  }
  // What the threads of few elements wait for in each step one that has all of them computes sooner.
  constexpr int64_t kFewElements = 16, kFewNodes = 160;
  const bool waits = loops && best && (best->domain.of_block > 0 || stacked_bytes(*best->graph) > 0);
  if (waits && best->threads <= kFewElements && !choose_otherwise) {
    std::optional<MapDemand> waiting = std::exchange(best, std::nullopt);
    best = attempt({}, 0);
    settle(&best);
    if (!best || nodes_of(*best->graph) > kFewNodes) best = std::move(waiting);
  }
  // What was given up for its size alone has failed too.
  if (!best) *failure = first_failure.value_or(DemandGraph::Failure{kernel.outputs[0], "statement-limit"});
  return best;
}

// Whether a thread makes reductions that would keep a block busy.
bool reduces_much(const MapDemand& demand) {
  return std::ranges::any_of(demand.graph->reduces, [&](const DemandReduce& reduce) {
    return demand.graph->nested_steps(reduce) > kMostThreads;
  });
}

}  // namespace

bool stacks_pieces(const Instruction& value) { return stacked_along(value).has_value(); }

bool stacks_sums(const Instruction& value) {
  constexpr int64_t kMostSums = 64;
  const Instruction* stack = &value;
  while (stack->opcode == Opcode::kReshape) stack = stack->operand(0);
  const std::vector<int64_t>& dims = stack->shape.dims;
  if (stacked_along(*stack) != dims.size() - 1 || dims.back() > kMostSums) return false;
  const std::optional<RowExtents> rows = rows_reduced_to(*stack->operand(0));
  const auto is_of_these = [&](const Instruction* piece) { return rows_reduced_to(*piece) == rows; };
  return rows && std::ranges::all_of(stack->operands(), is_of_these);
}

std::optional<MapDemand> choose_map(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure,
                                    int64_t most_nodes) {
  const std::set<const Instruction*>& values = kernel.context.computed;
  const bool maps = std::any_of(values.begin(), values.end(), [](const Instruction* value) {
    return value->opcode == Opcode::kWhile && is_map_loop(*value);
  });
  std::optional<MapDemand> mapped = maps ? choose_map(kernel, true, failure, most_nodes) : std::nullopt;
  if (mapped && !reduces_much(*mapped)) return mapped;
  // More threads may go through the steps together, and reduce what they have of each.
  std::optional<DemandGraph::Failure> why;
  std::optional<MapDemand> together = choose_map(kernel, false, mapped ? &why : failure, most_nodes);
  const bool better =
      !mapped || (together && stacked_bytes(*together->graph) > 0 && together->threads > mapped->threads);
  return better ? std::move(together) : std::move(mapped);
}

}  // namespace sinter
