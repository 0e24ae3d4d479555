#include "passes/lower/host/carries.h"

#include <algorithm>

#include "passes/schedule/groups/group_values.h"

namespace sinter {

CarryFlow carry_flow(const Instruction& loop, const WhileInfo& info) {
  const Instruction* root = (*loop.attributes->body)->root();
  const bool tuple = loop.shape.is_tuple();
  const auto is_counter = [&](size_t k) { return info.carries[k].kind == CarryKind::kInduction && info.trip_count; };
  CarryFlow flow;
  for (size_t k = 0; k < info.carries.size(); ++k) {
    CarryFlow::Element element;
    element.next = array_value(tuple ? root->operand(k) : root);
    const bool is_state =
        element.next->opcode == Opcode::kGetTupleElement && element.next->operand(0)->opcode == Opcode::kParameter;
    if (is_counter(k) && element.next->shape.is_scalar()) {
      element.source = CarryFlow::Source::kCounter;
    } else if (info.carries[k].kind == CarryKind::kInvariant) {
      element.source = CarryFlow::Source::kUnchanged;
    } else if (is_state && !is_counter(static_cast<size_t>(*element.next->attributes->tuple_index))) {
      element.source = CarryFlow::Source::kMoved;
      element.from = *element.next->attributes->tuple_index;
    } else if (is_plumbing(*element.next) && element.next->opcode != Opcode::kGetTupleElement) {
      element.source = CarryFlow::Source::kOutside;
    } else {
      const auto known = std::find_if(flow.rings.begin(), flow.rings.end(),
                                      [&](const CarryFlow::Ring& ring) { return ring.value == element.next; });
      element.ring = static_cast<size_t>(known - flow.rings.begin());
      if (known == flow.rings.end()) flow.rings.push_back({.value = element.next, .carry = k});
    }
    flow.carries.push_back(element);
  }
  // What a carry that stays as it is hands on is a value from outside.
  for (CarryFlow::Element& element : flow.carries) {
    if (element.source != CarryFlow::Source::kMoved) continue;
    if (flow.carries[element.from].source == CarryFlow::Source::kUnchanged) {
      element.source = CarryFlow::Source::kOutside;
    }
  }
  for (size_t k = 0; k < flow.carries.size(); ++k) {
    if (const auto drawn = flow.drawn_from(k)) {
      flow.rings[drawn->first].oldest = std::max(flow.rings[drawn->first].oldest, drawn->second);
    }
  }
  return flow;
}

std::optional<std::pair<size_t, int64_t>> CarryFlow::drawn_from(size_t k) const {
  // A chain of moves visits each carry at most once, or is a circle that no computed value enters.
  for (int64_t age = 0; age <= std::ssize(carries); ++age) {
    const Element& element = carries[k];
    if (element.source == Source::kComputed) return std::make_pair(element.ring, age);
    if (element.source != Source::kMoved) return std::nullopt;
    k = element.from;
  }
  return std::nullopt;
}

CarryFlow::Held CarryFlow::after(size_t k, int64_t iterations) const {
  // More moves than carries: the chain is a circle. Whole turns of it change nothing.
  if (iterations > std::ssize(carries)) {
    size_t place = k;
    int64_t length = 0;
    while (carries[place].source == Source::kMoved && length <= std::ssize(carries)) {
      place = carries[place].from;
      ++length;
      if (place == k) {
        iterations %= length;
        break;
      }
    }
  }
  for (; iterations > 0; --iterations) {
    const Element& element = carries[k];
    if (element.source == Source::kComputed) {
      return {.kind = Held::Kind::kComputed, .ring = element.ring, .iteration = iterations - 1, .carry = k};
    }
    if (element.source == Source::kOutside) return {.kind = Held::Kind::kOutside, .carry = k};
    if (element.source != Source::kMoved) break;
    k = element.from;
  }
  return {.kind = Held::Kind::kInitial, .carry = k};
}

}  // namespace sinter
