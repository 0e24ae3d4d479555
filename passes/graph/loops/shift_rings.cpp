// shift_rings: a ring buffer of a loop, of which each step reads and writes places that count on with the steps, is
// turned with the steps instead, so that each of these places is the same in all of them: a shift register.
//
//   body:  %place = s32[] remainder(%t, 8)                          body:  %old = f32[1,4096] slice(%ring), place 0
//          %old = f32[1,4096] dynamic-slice(%ring, %place, 0)  =>          %next = f32[8,4096] concatenate(
//          %next = dynamic-update-slice(%ring, %new, %place, 0)                slice(%ring), places 1 to 7, %new)
//
// A thread that has all places of a ring has them in registers then: none is at an index that is known only when the
// program runs. What runs a step in kernels of its own would move the whole ring in each: the scheduler plans without
// it, too.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Places of a ring that a thread may hold.
constexpr int64_t kMostPlaces = kFewElements;
// Operations between a counter and an index.
constexpr int kMostIndexOperations = 12;
// Counters and what is made of them stay far from where int64_t ends.
constexpr int64_t kMostCounted = int64_t{1} << 40;

int64_t modulo(int64_t value, int64_t n) { return ((value % n) + n) % n; }

// An integer that is first + t * step in step t, modulo the places of a ring, and within [low, high] in all of them.
struct Counted {
  int64_t first = 0, step = 0;
  int64_t low = 0, high = 0;
};

std::optional<Counted> within(const Counted& counted, DType dtype) {
  const bool fits = counted.low >= std::max(integer_min(dtype), -kMostCounted) &&
                    counted.high <= std::min(integer_max(dtype), kMostCounted);
  return fits ? std::optional(counted) : std::nullopt;
}

class Counters {
 public:
  Counters(const CarriedLoop& loop, const WhileInfo& info, int64_t places)
      : loop_(loop), info_(info), places_(places) {}

  std::optional<Counted> of(const Instruction& value, int depth = 0) const {
    if (depth > kMostIndexOperations || !value.shape.is_array() || !is_integer(value.shape.dtype)) return std::nullopt;
    if (const std::optional<int64_t> number = splat_integer(value))
      return within({modulo(*number, places_), 0, *number, *number}, value.shape.dtype);
    if (const std::optional<size_t> carry = carry_read(value)) return of_carry(*carry, value.shape.dtype, depth);
    if (value.shape.element_count() != 1) return std::nullopt;
    switch (value.opcode) {
      case Opcode::kReshape:
      case Opcode::kBroadcast:
      case Opcode::kConvert: {
        const std::optional<Counted> counted = of(*value.operand(0), depth + 1);
        return counted ? within(*counted, value.shape.dtype) : std::nullopt;
      }
      case Opcode::kDynamicSlice:
        return of_index(value, depth);
      case Opcode::kAdd:
      case Opcode::kSubtract:
        return of_sum(value, depth);
      case Opcode::kRemainder:
      case Opcode::kAnd:
        return of_remainder(value, depth);
      default:
        return std::nullopt;
    }
  }

 private:
  std::optional<Counted> of_carry(size_t number, DType dtype, int depth) const {
    const Carry& carry = info_.carries[number];
    const int64_t steps = *info_.trip_count;
    if (carry.kind == CarryKind::kInduction) {
      if (wraps_within(carry, dtype, steps) || std::abs(carry.step) > kMostCounted / steps) return std::nullopt;
      const int64_t last = carry.start + (steps - 1) * carry.step;
      return within({modulo(carry.start, places_), modulo(carry.step, places_), std::min(carry.start, last),
                     std::max(carry.start, last)},
                    dtype);
    }
    return carry.kind == CarryKind::kGeneral ? of_turning(number, dtype, depth) : std::nullopt;
  }

  // A carry that counts around the ring itself: (place + 1) % 8.
  std::optional<Counted> of_turning(size_t number, DType dtype, int depth) const {
    const Instruction* initial = loop_.init(number);
    const Instruction* next = loop_.next(number);
    if (initial == nullptr || next == nullptr || next->opcode != Opcode::kRemainder) return std::nullopt;
    const std::optional<int64_t> start = splat_integer(*initial), around = splat_integer(*next->operand(1));
    if (!start || !around || *around < 1 || *around % places_ != 0 || *start < 0 || *start >= *around)
      return std::nullopt;
    const Instruction& sum = *next->operand(0);
    if (sum.opcode != Opcode::kAdd || depth > kMostIndexOperations) return std::nullopt;
    for (const size_t side : {0, 1}) {
      const std::optional<size_t> read = carry_read(*sum.operand(side));
      const std::optional<int64_t> step = splat_integer(*sum.operand(1 - side));
      if (read != number || !step || *step < 0 || *step > kMostCounted) continue;
      if (!within({0, 0, 0, *around - 1 + *step}, dtype)) return std::nullopt;
      return Counted{modulo(*start, places_), modulo(*step, places_), 0, *around - 1};
    }
    return std::nullopt;
  }

  // An element of 0, 1, 2, ...
  std::optional<Counted> of_index(const Instruction& slice, int depth) const {
    const Instruction& numbers = *slice.operand(0);
    if (numbers.opcode != Opcode::kIota) return std::nullopt;
    const auto dimension = static_cast<size_t>(*numbers.attributes->iota_dimension);
    const std::optional<Counted> index = of(*slice.operand(1 + dimension), depth + 1);
    const bool inside = index && index->low >= 0 && index->high < numbers.shape.dims[dimension];
    return inside ? within(*index, slice.shape.dtype) : std::nullopt;
  }

  std::optional<Counted> of_sum(const Instruction& value, int depth) const {
    const std::optional<Counted> x = of(*value.operand(0), depth + 1);
    const std::optional<Counted> y = x ? of(*value.operand(1), depth + 1) : std::nullopt;
    if (!y) return std::nullopt;
    const bool adds = value.opcode == Opcode::kAdd;
    return within({modulo(adds ? x->first + y->first : x->first - y->first, places_),
                   modulo(adds ? x->step + y->step : x->step - y->step, places_), x->low + (adds ? y->low : -y->high),
                   x->high + (adds ? y->high : -y->low)},
                  value.shape.dtype);
  }

  // By a multiple of the places; x & 7 is x % 8.
  std::optional<Counted> of_remainder(const Instruction& value, int depth) const {
    const bool masks = value.opcode == Opcode::kAnd;
    std::optional<int64_t> around = splat_integer(*value.operand(1));
    if (!around || *around < 1 || *around >= kMostCounted) return std::nullopt;
    if (masks) ++*around;
    if ((masks && (*around & (*around - 1)) != 0) || *around % places_ != 0) return std::nullopt;
    std::optional<Counted> x = of(*value.operand(0), depth + 1);
    if (!x || x->low < 0) return std::nullopt;
    if (x->high < *around) return x;
    return Counted{x->first, x->step, 0, *around - 1};
  }

  const CarriedLoop& loop_;
  const WhileInfo& info_;
  const int64_t places_;
};

// A part of a ring that a step reads or writes: in step t the place first + t * step, modulo the places.
struct Access {
  Instruction* instruction = nullptr;  // dynamic-slice or dynamic-update-slice
  int64_t first = 0;
};

struct Ring {
  size_t carry = 0;
  size_t dimension = 0;
  int64_t places = 0;
  int64_t step = 0;
  std::vector<Access> accesses;  // in the order in which they see each other
};

// The one dimension of which a part is read or written, one place of it.
std::optional<size_t> part_dimension(const std::vector<int64_t>& whole, const std::vector<int64_t>& part) {
  std::optional<size_t> result;
  for (size_t d = 0; d < whole.size(); ++d) {
    if (whole[d] == part[d]) continue;
    if (result || part[d] != 1) return std::nullopt;
    result = d;
  }
  return result;
}

// What reads and writes a carry, first what reads it as it was; empty if anything but such parts is read.
std::vector<Instruction*> accesses_of(const CarriedLoop& loop, size_t carry) {
  Instruction* array = only_read(loop, carry);
  std::vector<Instruction*> result;
  while (array != nullptr && array != loop.next(carry)) {
    Instruction* update = nullptr;
    for (Instruction* user : array->users()) {
      const bool reads = user->opcode == Opcode::kDynamicSlice, writes = user->opcode == Opcode::kDynamicUpdateSlice;
      if ((!reads && !writes) || user->operand(0) != array) return {};
      const std::vector<Instruction*>& operands = user->operands();
      if (std::ranges::count(operands, array) != 1 || (writes && update != nullptr)) return {};
      if (reads) result.push_back(user);
      if (writes) update = user;
    }
    if (update == nullptr) return {};
    result.push_back(update);
    array = update;
  }
  if (array == nullptr || result.empty()) return {};
  // What the next step is given is read for nothing else, unless as the parts that it has.
  for (Instruction* user : array->users()) {
    if (user == loop.body().root()) continue;
    if (user->opcode != Opcode::kDynamicSlice || std::ranges::count(user->operands(), array) != 1 ||
        user->operand(0) != array)
      return {};
    result.push_back(user);
  }
  const std::vector<Instruction*>& next = loop.body().root()->operands();
  return std::ranges::count(next, array) == 1 ? result : std::vector<Instruction*>();
}

std::optional<Ring> find_ring(const CarriedLoop& loop, const WhileInfo& info, size_t carry) {
  if (info.carries[carry].kind != CarryKind::kGeneral || loop.next(carry) == nullptr) return std::nullopt;
  if (!loop.next(carry)->shape.is_array() || loop.next(carry)->opcode != Opcode::kDynamicUpdateSlice)
    return std::nullopt;
  const std::vector<Instruction*> accesses = accesses_of(loop, carry);
  const bool is_read =
      std::ranges::any_of(accesses, [](const Instruction* access) { return access->opcode == Opcode::kDynamicSlice; });
  if (!is_read) return std::nullopt;
  const std::vector<int64_t>& dims = loop.next(carry)->shape.dims;
  Ring ring{.carry = carry};
  for (Instruction* access : accesses) {
    const bool writes = access->opcode == Opcode::kDynamicUpdateSlice;
    const Shape& part = writes ? access->operand(1)->shape : access->shape;
    const std::optional<size_t> dimension = part_dimension(dims, part.dims);
    if (!dimension || dims[*dimension] > kMostPlaces) return std::nullopt;
    if (access != accesses[0] && *dimension != ring.dimension) return std::nullopt;
    ring.dimension = *dimension;
    ring.places = dims[*dimension];
    const Instruction& index = *access->operand((writes ? 2 : 1) + *dimension);
    const std::optional<Counted> counted = Counters(loop, info, ring.places).of(index);
    // Indices beyond the ends would be those of the ends.
    if (!counted || counted->low < 0 || counted->high >= ring.places) return std::nullopt;
    if (access != accesses[0] && counted->step != ring.step) return std::nullopt;
    ring.step = counted->step;
    ring.accesses.push_back({access, counted->first});
  }
  // Of one that does not turn all places are known as they are.
  return ring.step != 0 ? std::optional(std::move(ring)) : std::nullopt;
}

// The ring with place `first` as the first one.
Value turned(GraphBuilder& at, Value ring, const Ring& of, int64_t first) {
  const auto along = static_cast<int64_t>(of.dimension);
  return at.concatenate({at.slice(ring, along, first, of.places), at.slice(ring, along, 0, first)}, along);
}

// What the next step has: place `step` of this one as its first. `written`: what was written to each place, if so.
Value next_ring(GraphBuilder& at, Value ring, const Ring& of, const std::vector<Value>& written) {
  const auto along = static_cast<int64_t>(of.dimension);
  const auto place_of = [&](int64_t next) { return (next + of.step) % of.places; };
  std::vector<Value> pieces;
  for (int64_t next = 0; next < of.places;) {
    const int64_t first = place_of(next);
    if (const Value value = written[static_cast<size_t>(first)]) {
      pieces.push_back(value);
      ++next;
      continue;
    }
    int64_t end = first;
    while (next < of.places && place_of(next) == end && written[static_cast<size_t>(end)] == nullptr) ++next, ++end;
    pieces.push_back(at.slice(ring, along, first, end));
  }
  return pieces.size() == 1 ? pieces[0] : at.concatenate(pieces, along);
}

void shift(const CarriedLoop& loop, const Ring& ring, int64_t steps) {
  const auto along = static_cast<int64_t>(ring.dimension);
  Value array = only_read(loop, ring.carry);
  std::vector<Value> written(static_cast<size_t>(ring.places), nullptr);
  for (const Access& access : ring.accesses) {
    Value& value = written[static_cast<size_t>(access.first)];
    if (access.instruction->opcode == Opcode::kDynamicUpdateSlice) {
      value = access.instruction->operand(1);
      continue;
    }
    GraphBuilder at(*access.instruction);
    access.instruction->replace_all_uses_with(
        value != nullptr ? value : at.slice(array, along, access.first, access.first + 1));
  }
  Instruction* root = loop.body().root();
  GraphBuilder at(*root);
  root->set_operand(ring.carry, next_ring(at, array, ring, written));

  const std::vector<Instruction*> reads = loop.reads_after(ring.carry);
  const int64_t begin = modulo(-modulo(steps, ring.places) * ring.step, ring.places);
  if (reads.empty() || begin == 0) return;
  GraphBuilder after(behind(loop.loop()));
  const Value result = turned(after, after.tuple_element(&loop.loop(), static_cast<int64_t>(ring.carry)), ring, begin);
  for (Instruction* read : reads) read->replace_all_uses_with(result);
}

}  // namespace

bool shift_rings(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* instruction : instructions_of(module, Opcode::kWhile)) {
    const WhileInfo info = analyze_while(*instruction);
    const CarriedLoop loop(*instruction);
    if (info.trip_count.value_or(0) < 1 || !loop.is_taken_apart()) continue;
    if (loop.body().root()->opcode != Opcode::kTuple || instruction->users().empty()) continue;
    for (size_t i = 0; i < loop.count(); ++i) {
      const std::optional<Ring> ring = find_ring(loop, info, i);
      if (!ring) continue;
      shift(loop, *ring, *info.trip_count);
      changed = true;
    }
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
