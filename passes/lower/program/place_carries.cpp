// Where the state of a host loop is. A value that the body computes has a ring of places: iteration t writes place
// t mod n, so that what is older stays readable for as long as a carry holds it. The ring has one place, written over
// what is read, where no thread reads an element after another wrote it. Carries that only move are pointers that
// change; nothing is copied. Where the trip count is known, the last iterations write to the places of the results.
#include <algorithm>
#include <functional>

#include "ir/support/diagnostics.h"
#include "passes/analysis/loops/loop_starts.h"
#include "passes/lower/program/lowering.h"
#include "passes/names/listed.h"
#include "passes/schedule/groups/updates_in_place.h"

namespace sinter {

namespace {

constexpr size_t kNone = HostLoop::kNone;

bool uses(const HostPlan& plan, const HostStep& step, size_t buffer) {
  bool found = false;
  for_each_step({step}, [&](const HostStep& inner) {
    for (const size_t used : inner.buffers) found |= may_be(plan, used, buffer);
  });
  return found;
}

HostStep step_of(HostStep::Kind kind, size_t first, size_t second) {
  HostStep step;
  step.kind = kind;
  step.buffers = {first, second};
  return step;
}

bool is_copy_of(const HostStep& step, size_t from, size_t to) {
  return step.kind == HostStep::Kind::kCopy && step.buffers[0] == from && step.buffers[1] == to;
}

}  // namespace

size_t Lowering::add_pointer(const Instruction* value, const std::string& name, bool constant) {
  const size_t pointer = add_buffer(Buffer::Kind::kPointer, value, name);
  program_.plan.buffers[pointer].constant = constant;
  return pointer;
}

void Lowering::replace_buffer(size_t from, size_t to, std::vector<HostStep>* steps) {
  for_each_step(steps, [&](HostStep* step) { std::ranges::replace(step->buffers, from, to); });
  for (auto& [value, buffer] : location_) {
    if (buffer == from) buffer = to;
  }
  for (Buffer& buffer : program_.plan.buffers) {
    std::replace(buffer.targets.begin(), buffer.targets.end(), from, to);
  }
}

// True if iterations may write the ring's value over what its only carry held: one launch writes it, reading the old
// value at most element by element, and nothing reads the old value later. Or it begins as a copy of the old value.
bool Lowering::is_in_place(const HostLoop& loop, size_t number, size_t* writer) const {
  const CarryFlow::Ring& ring = loop.flow.rings[number];
  if (ring.oldest > 0) return false;
  for (size_t k = 0; k < loop.flow.carries.size(); ++k) {
    const CarryFlow::Element& element = loop.flow.carries[k];
    if (k != ring.carry && element.source == CarryFlow::Source::kComputed && element.ring == number) return false;
    if (element.source == CarryFlow::Source::kMoved && element.from == ring.carry) return false;
  }
  const size_t old = loop.current[ring.carry];
  const size_t next = loop.next[number];
  std::optional<size_t> place;
  for (size_t i = 0; i < loop.step.body.size(); ++i) {
    const HostStep& step = loop.step.body[i];
    if (place && uses(program_.plan, step, old)) return false;
    if (place || !uses(program_.plan, step, next)) continue;
    if (step.kind != HostStep::Kind::kLaunch && !is_copy_of(step, old, next)) return false;
    place = i;
    if (step.kind == HostStep::Kind::kCopy) continue;
    for (size_t a = 0; a < step.buffers.size(); ++a) {
      if (!may_be(program_.plan, step.buffers[a], old)) continue;
      for (size_t b = 0; b < step.buffers.size(); ++b) {
        if (step.buffers[b] != next) continue;
        const auto pair = std::make_pair(a, b);
        if (std::find(step.may_share.begin(), step.may_share.end(), pair) == step.may_share.end()) return false;
      }
    }
  }
  if (place) *writer = *place;
  return place.has_value();
}

// Carries of a launch that begin as zeros which no kernel makes: it clears an array for each.
void Lowering::clear_starts(HostLoop* loop) {
  loop->cleared.assign(loop->flow.carries.size(), kNone);
  if (!together_ && !loop->opens_launch) return;
  for (const size_t k : cleared_starts(*loop->loop)) {
    const Instruction* initial = loop->initial[k];
    if (location_.count(initial) > 0) continue;
    loop->cleared[k] = add_buffer(Buffer::Kind::kArena, initial,
                                  result_name(loop->after[k].empty() ? initial : loop->after[k].back()));
    program_.plan.buffers[loop->cleared[k]].reason = "host-loop-carry";
    HostStep step;
    step.kind = HostStep::Kind::kClear;
    step.buffers = {loop->cleared[k]};
    step.comment = initial->name;
    loop->starts.push_back(std::move(step));
  }
}

// Where what a carry begins as is.
size_t Lowering::start_of(const HostLoop& loop, size_t k) {
  return loop.cleared[k] == kNone ? buffer_of(loop.initial[k]) : loop.cleared[k];
}

// True if the initial value is made for this carry alone: its memory is the loop's to write.
bool Lowering::has_own_start(const HostLoop& loop, size_t k) const {
  if (loop.cleared[k] != kNone) return true;
  const Instruction* initial = loop.initial[k];
  const auto place = location_.find(initial);
  if (place == location_.end() || program_.plan.buffers[place->second].kind != Buffer::Kind::kArena) return false;
  if (program_.plan.buffers[place->second].value != initial) return false;
  if (std::count(loop.initial.begin(), loop.initial.end(), initial) != 1) return false;
  // Seen through tuples and barriers, the loop must be all there is.
  std::vector<const Instruction*> left = {initial};
  while (!left.empty()) {
    const Instruction* value = left.back();
    left.pop_back();
    for (const Instruction* user : value->users()) {
      if (user == loop.loop) continue;
      if (user->opcode != Opcode::kTuple && user->opcode != Opcode::kOptBarrier) return false;
      if (user == user->parent()->root()) return false;
      left.push_back(user);
    }
  }
  return true;
}

bool Lowering::place_ring(HostLoop* loop, size_t number) {
  const CarryFlow::Ring& ring = loop->flow.rings[number];
  const std::optional<int64_t> trip = loop->info.trip_count;
  size_t writer = 0;
  const bool in_place = is_in_place(*loop, number, &writer);
  const auto said = carry_updates_.find(ring.value);
  const bool is_said = said != carry_updates_.end();
  const Instruction* first = ring.value;  // what updates in place write over
  while (first->opcode == Opcode::kDynamicUpdateSlice) first = first->operand(0);
  const bool begins_anew = ring.value->opcode != Opcode::kScatter && first->opcode == Opcode::kScatter;
  const bool writes_part = !begins_anew && (is_said || updates_in_place(*loop->loop).contains(ring.value));
  if (writes_part && !in_place) {
    plan_error(is_said ? said->second : tree_.loc, "E0406",
               "'" + ring.value->name + "' is updated in place, and what is updated is read later",
               "kernels that read it have to come first");
    return false;
  }
  const int64_t full = in_place ? 1 : ring.oldest + 2;
  const int64_t count = trip ? std::clamp<int64_t>(*trip, 1, full) : full;
  std::vector<size_t>& slots = loop->slots[number];
  slots.assign(count, kNone);
  const auto slot_of = [&](int64_t iteration) -> size_t& { return slots[((iteration % count) + count) % count]; };
  const auto is_taken = [&](size_t buffer) { return std::find(slots.begin(), slots.end(), buffer) != slots.end(); };

  // Results: the iteration that computes one writes it where it is wanted. Without a trip count, the last iteration
  // is not known: half of the time the result is in its place.
  for (size_t k = 0; k < loop->flow.carries.size(); ++k) {
    for (const Instruction* user : loop->after[k]) {
      const auto wanted = location_.find(user);
      if (wanted == location_.end() || is_taken(wanted->second)) continue;
      if (trip) {
        const CarryFlow::Held held = loop->flow.after(k, *trip);
        if (held.kind != CarryFlow::Held::Kind::kComputed || held.ring != number) continue;
        if (slot_of(held.iteration) == kNone) slot_of(held.iteration) = wanted->second;
      } else if (k == ring.carry && ring.oldest == 0 && slots[0] == kNone) {
        slots[0] = wanted->second;
      }
    }
  }
  // Initial values that nobody else needs are in the ring, as if earlier iterations had computed them. Not that of a
  // carry which takes from one whose initial value is elsewhere: the first turn of the ring would not hand that on.
  if (count == full) {
    std::set<size_t> started;
    const auto start_in_ring = [&](size_t k) {
      const CarryFlow::Element& element = loop->flow.carries[k];
      const auto drawn = loop->flow.drawn_from(k);
      if (loop->in_ring[k] || !drawn || drawn->first != number || !has_own_start(*loop, k)) return false;
      if (element.source == CarryFlow::Source::kMoved && !loop->in_ring[element.from]) return false;
      const size_t place = static_cast<size_t>((((-1 - drawn->second) % count) + count) % count);
      if (!started.insert(place).second) return false;
      const size_t initial = start_of(*loop, k);
      if (slots[place] == kNone) {
        slots[place] = initial;
      } else {
        replace_buffer(initial, slots[place], loop->cleared[k] == kNone ? loop->before : &loop->starts);
      }
      loop->in_ring[k] = true;
      return true;
    };
    for (bool more = true; more;) {
      more = false;
      for (size_t k = 0; k < loop->flow.carries.size(); ++k) more |= start_in_ring(k);
    }
  }
  for (size_t& slot : slots) {
    if (slot != kNone) continue;
    const std::vector<const Instruction*>& after = loop->after[ring.carry];
    slot = add_buffer(Buffer::Kind::kArena, ring.value, result_name(after.empty() ? ring.value : after.back()));
    program_.plan.buffers[slot].reason = "host-loop-carry";
  }
  const bool begins_as_copy = in_place && loop->step.body[writer].kind == HostStep::Kind::kCopy;
  if (writes_part || begins_as_copy) {  // the body writes a part of the array: the rest is there from the start
    if (!loop->in_ring[ring.carry] && !overwrites_start(*loop->loop, loop->info, ring.carry)) {
      const Instruction* initial = loop->initial[ring.carry];
      copy(start_of(*loop, ring.carry), slots[0], initial->name, "host-loop-carry", &loop->starts);
    }
    loop->in_ring[ring.carry] = true;
  }
  if (begins_as_copy) {
    loop->step.body.erase(loop->step.body.begin() + static_cast<std::ptrdiff_t>(writer));
  } else if (in_place && count == 1) {
    // Where the old value is read, two parameters are one array.
    const HostStep& step = loop->step.body[writer];
    const auto is_old = [&](size_t buffer) { return may_be(program_.plan, buffer, loop->current[ring.carry]); };
    const bool reads_old = std::any_of(step.buffers.begin(), step.buffers.end(), is_old);
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (!reads_old || (!is_old(step.buffers[i]) && step.buffers[i] != loop->next[number])) continue;
      program_.kernels[step.kernel].parameters[i].variable->type.is_restrict = false;
    }
  }

  if (count == 1) {
    replace_buffer(loop->next[number], slots[0], &loop->step.body);
    loop->next[number] = slots[0];
    if (loop->in_ring[ring.carry]) {
      replace_buffer(loop->current[ring.carry], slots[0], &loop->step.body);
      replace_buffer(loop->current[ring.carry], slots[0], &loop->step.condition);
      std::replace(loop->step.buffers.begin(), loop->step.buffers.end(), loop->current[ring.carry], slots[0]);
      loop->current[ring.carry] = slots[0];
    }
    return true;
  }
  // The pointers turn once an iteration: the first is written, the last was written by the iteration before.
  std::vector<size_t> pointers(count, kNone);
  pointers[0] = loop->next[number];
  for (size_t k = 0; k < loop->flow.carries.size(); ++k) {
    const auto drawn = loop->flow.drawn_from(k);
    if (!loop->in_ring[k] || drawn->first != number) continue;
    pointers[count - 1 - drawn->second] = loop->current[k];
    program_.plan.buffers[loop->current[k]].constant = false;
  }
  const std::string name = names_.at(ring.value);
  for (int64_t i = 0; i < count; ++i) {
    if (pointers[i] == kNone) pointers[i] = add_pointer(ring.value, name + "_spare", false);
    program_.plan.buffers[pointers[i]].targets = slots;
    loop->starts.push_back(step_of(HostStep::Kind::kPoint, pointers[i], slots[i]));
  }
  loop->turns.push_back(std::move(pointers));
  return true;
}

// Carries that are no place of a ring start at their initial value, wherever that is.
void Lowering::start_carries(HostLoop* loop) {
  const size_t count = loop->flow.carries.size();
  std::vector<HostStep> starts;
  for (size_t k = 0; k < count; ++k) {
    const CarryFlow::Source source = loop->flow.carries[k].source;
    if (source == CarryFlow::Source::kCounter || source == CarryFlow::Source::kUnchanged || loop->in_ring[k]) continue;
    const size_t initial = start_of(*loop, k);
    if (loop->info.trip_count == 1) {
      replace_buffer(loop->current[k], initial, &loop->step.body);
      loop->current[k] = initial;
      continue;
    }
    starts.push_back(step_of(HostStep::Kind::kPoint, loop->current[k], initial));
    // All it may hold: initial values and rings of those it takes from.
    std::vector<size_t> targets;
    size_t from = k;
    for (size_t moves = 0; moves <= count; ++moves) {
      const CarryFlow::Element& element = loop->flow.carries[from];
      targets.push_back(start_of(*loop, from));
      if (element.source == CarryFlow::Source::kComputed) {
        const std::vector<size_t>& slots = loop->slots[element.ring];
        targets.insert(targets.end(), slots.begin(), slots.end());
      } else if (element.source == CarryFlow::Source::kOutside) {
        targets.push_back(buffer_of(element.next));
      }
      if (element.source != CarryFlow::Source::kMoved) break;
      from = element.from;
    }
    // Only now: buffers that are met for the first time have been added.
    std::vector<size_t>& all = program_.plan.buffers[loop->current[k]].targets;
    all.insert(all.end(), targets.begin(), targets.end());
  }
  loop->starts.insert(loop->starts.begin(), starts.begin(), starts.end());
}

// The end of an iteration: what was computed becomes what is read. All carries take their values at once, so one is
// assigned when nobody else needs what it held; where they only change places, pointers are swapped.
void Lowering::advance_carries(HostLoop* loop) {
  if (loop->info.trip_count == 1) return;
  std::vector<HostStep>& body = loop->step.body;
  std::map<size_t, size_t> pending;  // pointer -> what it becomes
  for (size_t k = 0; k < loop->flow.carries.size(); ++k) {
    const CarryFlow::Element& element = loop->flow.carries[k];
    if (loop->in_ring[k] || element.source == CarryFlow::Source::kCounter ||
        element.source == CarryFlow::Source::kUnchanged) {
      continue;
    }
    if (element.source == CarryFlow::Source::kComputed) pending[loop->current[k]] = loop->next[element.ring];
    if (element.source == CarryFlow::Source::kMoved) pending[loop->current[k]] = loop->current[element.from];
    if (element.source == CarryFlow::Source::kOutside) pending[loop->current[k]] = buffer_of(element.next);
  }
  while (!pending.empty()) {
    const auto is_needed = [&](size_t pointer) {
      return std::any_of(pending.begin(), pending.end(), [&](const auto& move) { return move.second == pointer; });
    };
    const auto free =
        std::find_if(pending.begin(), pending.end(), [&](const auto& move) { return !is_needed(move.first); });
    if (free != pending.end()) {
      body.push_back(step_of(HostStep::Kind::kPoint, free->first, free->second));
      pending.erase(free);
      continue;
    }
    // Only circles are left: a <- b <- c <- a.
    const size_t first = pending.begin()->first;
    for (size_t place = first; pending.at(place) != first;) {
      const size_t from = pending.at(place);
      body.push_back(step_of(HostStep::Kind::kSwap, place, from));
      pending.erase(place);
      place = from;
    }
    std::erase_if(pending, [&](const auto& move) { return move.second == first; });
  }
  for (const std::vector<size_t>& pointers : loop->turns) {
    for (size_t i = 0; i + 1 < pointers.size(); ++i) {
      body.push_back(step_of(HostStep::Kind::kSwap, pointers[i], pointers[i + 1]));
    }
  }
}

void Lowering::place_results(HostLoop* loop) {
  std::vector<std::string> last_written;  // buffers
  for (size_t k = 0; k < loop->flow.carries.size(); ++k) {
    const CarryFlow::Element& element = loop->flow.carries[k];
    size_t settled = kNone;  // where it is for all who read it after the launch
    for (const Instruction* user : loop->after[k]) {
      const auto wanted = location_.find(user);
      size_t target = wanted == location_.end() ? kNone : wanted->second;
      if (target != kNone) location_.erase(wanted);
      size_t held = loop->current[k];
      if (element.source == CarryFlow::Source::kCounter) {
        const Carry& counter = loop->info.carries[k];
        finished_counters_[user] = counter.start + counter.step * *loop->info.trip_count;
        if (target == kNone) continue;
        held = buffer_of(user);
      } else if (loop->info.trip_count && element.source != CarryFlow::Source::kUnchanged) {
        const CarryFlow::Held last = loop->flow.after(k, *loop->info.trip_count);
        if (last.kind == CarryFlow::Held::Kind::kComputed) {
          const std::vector<size_t>& slots = loop->slots[last.ring];
          held = slots[last.iteration % std::ssize(slots)];
          // Else a reader of the program would have to count the swaps.
          if (slots.size() > 1) last_written.push_back(program_.plan.buffers[held].name);
        } else {
          held = last.kind == CarryFlow::Held::Kind::kInitial ? start_of(*loop, last.carry)
                                                              : buffer_of(loop->flow.carries[last.carry].next);
        }
      }
      // Which of its places a pointer of a launch points to in the end, the host does not know.
      if (loop->opens_launch && target == kNone && program_.plan.buffers[held].kind == Buffer::Kind::kPointer) {
        if (settled != kNone) {
          location_[user] = settled;
          names_[user] = program_.plan.buffers[settled].name;
          continue;
        }
        target = settled = add_buffer(Buffer::Kind::kArena, user, result_name(user));
        program_.plan.buffers[target].reason = "host-loop-result";
      }
      location_[user] = target == kNone ? held : target;
      if (const Buffer& place = program_.plan.buffers[location_[user]]; place.kind != Buffer::Kind::kPointer)
        names_[user] = place.name;
      if (target == kNone || target == held) continue;
      const size_t before = loop->results.size();
      copy(held, target, result_name(user), "host-loop-result", &loop->results);
      const bool moves = program_.plan.buffers[held].kind == Buffer::Kind::kPointer ||
                         program_.plan.buffers[target].kind == Buffer::Kind::kPointer;
      if (moves && loop->results.size() > before) loop->results.back().unless_same = true;
    }
  }
  if (last_written.empty()) return;
  constexpr size_t kMostNamed = 3;
  loop->step.comment += "; its last step writes " + listed(last_written, "and", kMostNamed);
}

}  // namespace sinter
