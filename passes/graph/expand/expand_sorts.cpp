// expand_sorts: rows of a few elements are sorted by comparing neighbours, element by element: what reads them, and
// what they are made of, can be in the same kernel.
//
//   %s = s32[1024,2] sort(%x), dimensions={1}, to_apply=%less
//                                        =>
//   %a = s32[1024,1] slice(%x), slice={[0:1024], [0:1]}
//   %b = s32[1024,1] slice(%x), slice={[0:1024], [1:2]}
//   %swaps = pred[1024,1] compare(%b, %a), direction=LT
//   %s = s32[1024,2] concatenate(select(%swaps, %b, %a), select(%swaps, %a, %b)), dimensions={1}
//
// A row of n elements takes n rounds, each of which compares every second pair of neighbours: equal elements never pass
// each other, so the order is stable, and what else an operand moves is moved alike. The comparator is the program's.
// Integers alone are sorted by Batcher's merge exchange, which takes fewer steps, by minimum and maximum; so are
// floats, by comparing, where not all of a row is read (docs/numerics.md). Of a row that slices read, as a median does,
// what the elements read depend on is compared. Where a sort's elements lie side by side and are read whole, rows that
// fill a vector alone: a thread that stores some of a row would sort all of it. Sorts stay that have a stage of their
// own anyway, of longer rows or long comparators.
#include <algorithm>
#include <bit>
#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;

constexpr int64_t kLongestNetwork = 64;
// Operations of all comparisons of a row.
constexpr int64_t kLargestNetwork = 800;
constexpr int64_t kVectorBytes = 16;

// What is read of a sort: its arrays, or elements of its tuple. False where the tuple is read otherwise.
bool results_of(const Instruction& sort, std::vector<const Instruction*>* results) {
  const auto is_root = [](const Instruction& value) { return value.parent()->root() == &value; };
  if (!sort.shape.is_tuple()) {
    results->push_back(&sort);
    return true;
  }
  results->insert(results->end(), sort.users().begin(), sort.users().end());
  return !is_root(sort) && std::ranges::all_of(*results, [](const Instruction* user) {
    return user->opcode == Opcode::kGetTupleElement;
  });
}

// Whether every reader of an array takes one element of each row, whose place is known.
bool is_read_one_by_one(const Instruction& result, size_t dimension) {
  return result.parent()->root() != &result && std::ranges::all_of(result.users(), [&](const Instruction* user) {
           return user->opcode == Opcode::kSlice && user->shape.dims[dimension] == 1;
         });
}

// How the elements of a row are compared: by minimum and maximum of integers; by the comparator, where it tells apart
// all but zeros of either sign and NaNs; or by one that may call any elements equal.
enum class RowOrder { kIntegers, kNumbers, kAny };

bool compares(const Instruction& value, std::string_view direction, const Instruction* left, const Instruction* right) {
  return value.opcode == Opcode::kCompare && *value.attributes->direction == direction && value.operand(0) == left &&
         value.operand(1) == right;
}

// a < b of floats, a NaN behind all: as `simplify` leaves what jax.numpy.sort compares by.
bool is_less_of_numbers(const Computation& comparator) {
  const Instruction *a = comparator.parameters()[0], *b = comparator.parameters()[1], *root = comparator.root();
  if (root->opcode != Opcode::kAnd) return false;
  const auto is_not_greater = [&](const Instruction& value) {
    return value.opcode == Opcode::kNot && compares(*value.operand(0), "GE", a, b);
  };
  const auto is_number = [&](const Instruction& value) { return compares(value, "EQ", a, a); };
  return (is_not_greater(*root->operand(0)) && is_number(*root->operand(1))) ||
         (is_not_greater(*root->operand(1)) && is_number(*root->operand(0)));
}

RowOrder order_of(const Instruction& sort) {
  const Computation& comparator = **sort.attributes->to_apply;
  const Shape& shape = sort.operand(0)->shape;
  if (sort.operands().size() != 1 || is_complex(shape.dtype)) return RowOrder::kAny;
  if (is_float(shape.dtype)) return is_less_of_numbers(comparator) ? RowOrder::kNumbers : RowOrder::kAny;
  const Instruction &root = *comparator.root(), &a = *comparator.parameters()[0], &b = *comparator.parameters()[1];
  const bool plain = is_integer(shape.dtype) && (compares(root, "LT", &a, &b) || compares(root, "GT", &a, &b));
  return plain ? RowOrder::kIntegers : RowOrder::kAny;
}

// Two elements, of which the first is not behind the second after the exchange; which of them anything reads then.
struct Exchange {
  size_t first = 0, second = 0;
  bool reads_first = true, reads_second = true;
};

std::vector<Exchange> neighbours_in_turn(size_t count) {
  std::vector<Exchange> all;
  for (size_t round = 0; round < count; ++round) {
    for (size_t place = round % 2; place + 1 < count; place += 2) all.push_back({place, place + 1});
  }
  return all;
}

std::vector<Exchange> merge_exchange(size_t count) {
  std::vector<Exchange> all;
  const size_t half = std::bit_ceil(count) / 2;
  for (size_t part = half; part > 0; part /= 2) {
    size_t distance = part, rest = 0;
    for (size_t next = half;; next /= 2) {
      for (size_t place = 0; place + distance < count; ++place) {
        if ((place & part) == rest) all.push_back({place, place + distance});
      }
      if (next == part) break;
      distance = next - part;
      rest = part;
    }
  }
  return all;
}

// Which elements of a row anything reads.
std::vector<bool> elements_read(const std::vector<const Instruction*>& results, size_t dimension, size_t count) {
  std::vector<bool> read(count, false);
  for (const Instruction* result : results) {
    const bool sliced =
        result->parent()->root() != result &&
        std::ranges::all_of(result->users(), [](const Instruction* user) { return user->opcode == Opcode::kSlice; });
    if (!sliced) return std::vector<bool>(count, true);
    for (const Instruction* user : result->users()) {
      const SliceBounds& bounds = (*user->attributes->slice)[dimension];
      for (int64_t i = bounds.start; i < bounds.limit; i += bounds.stride) read[static_cast<size_t>(i)] = true;
    }
  }
  return read;
}

// Without exchanges that change nothing that is read.
std::vector<Exchange> exchanges_of(RowOrder order, std::vector<bool> read) {
  std::vector<Exchange> all = order == RowOrder::kAny ? neighbours_in_turn(read.size()) : merge_exchange(read.size()),
                        needed;
  for (Exchange& exchange : std::views::reverse(all)) {
    exchange.reads_first = read[exchange.first];
    exchange.reads_second = read[exchange.second];
    if (!exchange.reads_first && !exchange.reads_second) continue;
    read[exchange.first] = read[exchange.second] = true;
    needed.push_back(exchange);
  }
  std::ranges::reverse(needed);
  return needed;
}

// What becomes of a row: how its elements are compared, and which.
struct Network {
  RowOrder order = RowOrder::kAny;
  std::vector<Exchange> exchanges;
};

int64_t operations_of(const Instruction& sort, const Network& network) {
  const int64_t operands = std::ssize(sort.operands());
  const int64_t compares =
      std::ranges::count_if((*sort.attributes->to_apply)->instructions(), [](const Instruction& instruction) {
        return instruction.opcode != Opcode::kParameter && instruction.opcode != Opcode::kConstant;
      });
  int64_t operations = 0;
  for (const Exchange& exchange : network.exchanges) {
    operations += (exchange.reads_first ? operands : 0) + (exchange.reads_second ? operands : 0);
    if (network.order != RowOrder::kIntegers) operations += compares;
  }
  return operations;
}

// What becomes of a row, if that is better than a stage of its own.
std::optional<Network> better_network(const Instruction& sort) {
  const auto dimension = static_cast<size_t>(sort.attributes->dimensions->front());
  const Shape& shape = sort.operand(0)->shape;
  const int64_t columns = shape.dims[dimension];
  if (columns < 2 || columns > kLongestNetwork || shape.element_count() == 0 ||
      !gives_elements(**sort.attributes->to_apply))
    return std::nullopt;
  std::vector<const Instruction*> results;
  if (!results_of(sort, &results)) return std::nullopt;
  int64_t inner = 1;
  for (size_t d = dimension + 1; d < shape.dims.size(); ++d) inner *= shape.dims[d];
  const bool suits = inner >= kWarp || std::ranges::all_of(results, [&](const Instruction* result) {
                       const int64_t bytes = dtype_bytes((result == &sort ? shape : result->shape).dtype) * columns;
                       const bool is_vector = (columns & (columns - 1)) == 0 && bytes <= kVectorBytes;
                       return is_vector || is_read_one_by_one(*result, dimension);
                     });
  if (!suits) return std::nullopt;
  const std::vector<bool> read = elements_read(results, dimension, static_cast<size_t>(columns));
  RowOrder order = order_of(sort);
  // Who reads all elements sees in which order zeros of both signs come.
  if (order == RowOrder::kNumbers && std::ranges::count(read, false) == 0) order = RowOrder::kAny;
  Network network = {order, exchanges_of(order, read)};
  if (operations_of(sort, network) > kLargestNetwork) return std::nullopt;
  return network;
}

// By operand, the elements of a row in their order.
using Columns = std::vector<Values>;

void exchange_by_comparing(Instruction& sort, const Exchange& exchange, const std::vector<int64_t>& dims,
                           Columns* columns) {
  Values both;
  for (const Values& elements : *columns)
    both.insert(both.end(), {elements[exchange.second], elements[exchange.first]});
  const Value swaps = on_arrays(sort, **sort.attributes->to_apply, both, dims)[0];
  GraphBuilder build(sort);
  for (Values& elements : *columns) {
    const Value first = elements[exchange.first], second = elements[exchange.second];
    if (exchange.reads_first) elements[exchange.first] = build.select({swaps, second, first});
    if (exchange.reads_second) elements[exchange.second] = build.select({swaps, first, second});
  }
}

void exchange_integers(Instruction& sort, const Exchange& exchange, Values* elements) {
  GraphBuilder build(sort);
  const bool ascends = (*sort.attributes->to_apply)->root()->attributes->direction == "LT";
  const Value first = (*elements)[exchange.first], second = (*elements)[exchange.second];
  const auto made = [&](bool least) {
    return build.make(least == ascends ? Opcode::kMinimum : Opcode::kMaximum, {first, second});
  };
  if (exchange.reads_first) (*elements)[exchange.first] = made(true);
  if (exchange.reads_second) (*elements)[exchange.second] = made(false);
}

bool expand_sort(Instruction& sort) {
  const std::optional<Network> network = better_network(sort);
  if (!network) return false;
  const int64_t dimension = sort.attributes->dimensions->front();
  std::vector<int64_t> dims = sort.operand(0)->shape.dims;
  const int64_t count = dims[static_cast<size_t>(dimension)];
  dims[static_cast<size_t>(dimension)] = 1;
  GraphBuilder build(sort);
  Columns columns;
  for (const Value operand : sort.operands()) {
    columns.emplace_back();
    for (int64_t i = 0; i < count; ++i) columns.back().push_back(build.slice(operand, dimension, i, i + 1));
  }
  for (const Exchange& exchange : network->exchanges) {
    if (network->order == RowOrder::kIntegers)
      exchange_integers(sort, exchange, &columns[0]);
    else
      exchange_by_comparing(sort, exchange, dims, &columns);
  }
  if (!sort.shape.is_tuple()) {
    Attributes attributes;
    attributes.dimensions = std::vector<int64_t>{dimension};
    become(sort, Opcode::kConcatenate, columns[0], std::move(attributes));
    return true;
  }
  Values results;
  for (const Values& elements : columns) results.push_back(build.concatenate(elements, dimension));
  become(sort, Opcode::kTuple, results);
  return true;
}

}  // namespace

bool expand_sorts(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* sort : instructions_of(module, Opcode::kSort)) changed |= expand_sort(*sort);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
