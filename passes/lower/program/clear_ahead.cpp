// In a loop of one launch, an array that each step clears before it adds to it is two, which take turns: a step clears
// the one that the next step adds to, where it has waited anyway.
//
//   clear_elements(sums_current, 65536);
//   for (int t = 0; t < kSteps; ++t) {
//     barrier.wait_for_all();  // until rank is stored, sums_next is read
//     clear_elements(sums_next, 65536);
//     for (...) sums::run(block, rank, sums_current);
//     barrier.wait_for_all();  // until sums_current is stored
//     for (...) rank::run(block, sums_current, rank);
//     swap_pointers(sums_current, sums_next);
//   }
//
// With one array all blocks would wait once more, between clearing and adding.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "passes/lower/host/waits.h"
#include "passes/lower/program/lowering.h"

namespace sinter {

namespace {

// Twice as much is in the cache still.
constexpr int64_t kMostBytes = int64_t{4} << 20;

// The array that a step of the loop clears, if nothing but what that step does later knows it.
std::optional<size_t> cleared_alone(const HostPlan& plan, const HostStep& loop, size_t clear) {
  const HostStep& step = loop.body[clear];
  if (step.kind != HostStep::Kind::kClear) return std::nullopt;
  const size_t array = step.buffers[0];
  const Buffer& buffer = plan.buffers[array];
  if (buffer.kind != Buffer::Kind::kArena || buffer.shape.bytes() > kMostBytes) return std::nullopt;
  const auto points = [&](const Buffer& other) { return std::ranges::count(other.targets, array) > 0; };
  if (std::ranges::any_of(plan.buffers, points)) return std::nullopt;
  int64_t everywhere = 0, later = 0;
  for_each_step(plan.steps, [&](const HostStep& user) { everywhere += std::ranges::count(user.buffers, array); });
  for (size_t i = clear + 1; i < loop.body.size(); ++i) later += std::ranges::count(loop.body[i].buffers, array);
  return later > 0 && everywhere == later + 1 ? std::optional(array) : std::nullopt;
}

HostStep step_of(HostStep::Kind kind, std::vector<size_t> buffers) {
  HostStep step;
  step.kind = kind;
  step.buffers = std::move(buffers);
  return step;
}

}  // namespace

bool Lowering::clear_ahead(size_t loop, size_t clear, std::vector<HostStep>* steps) {
  const std::optional<size_t> array = cleared_alone(program_.plan, (*steps)[loop], clear);
  if (!array) return false;
  std::vector<HostStep> before = *steps;
  const std::vector<Buffer> buffers = program_.plan.buffers;
  const size_t waits = find_waits(program_, *steps).before.size();
  const Buffer cleared = buffers[*array];
  const size_t other = add_buffer(Buffer::Kind::kArena, cleared.value, cleared.name + "_other");
  const size_t current = add_pointer(cleared.value, cleared.name + "_current", false);
  const size_t next = add_pointer(cleared.value, cleared.name + "_next", false);
  for (const size_t buffer : {other, current, next}) program_.plan.buffers[buffer].shape = cleared.shape;
  program_.plan.buffers[other].reason = cleared.reason;
  for (const size_t pointer : {current, next}) program_.plan.buffers[pointer].targets = {*array, other};
  program_.plan.buffers[current].turn = next;
  program_.plan.buffers[next].turn = current;

  std::vector<HostStep>& body = (*steps)[loop].body;
  for (size_t i = clear; i < body.size(); ++i)
    std::ranges::replace(body[i].buffers, *array, i == clear ? next : current);
  HostStep first = body[clear];
  first.buffers = {current};
  body.push_back(step_of(HostStep::Kind::kSwap, {current, next}));
  const auto place = steps->begin() + static_cast<std::ptrdiff_t>(loop);
  steps->insert(place, {step_of(HostStep::Kind::kPoint, {current, *array}),
                        step_of(HostStep::Kind::kPoint, {next, other}), std::move(first)});
  if (find_waits(program_, *steps).before.size() < waits) return true;
  *steps = std::move(before);
  program_.plan.buffers = buffers;
  return false;
}

void Lowering::clear_ahead() {
  for_each_step(&program_.plan.steps, [&](HostStep* together) {
    if (together->kind != HostStep::Kind::kTogether || has_one_block(program_, together->body)) return;
    for (size_t loop = 0; loop < together->body.size(); ++loop) {
      if (!is_loop(together->body[loop])) continue;
      constexpr size_t kPlaced = 3;  // steps before the loop
      for (size_t clear = 0; clear < together->body[loop].body.size(); ++clear) {
        if (clear_ahead(loop, clear, &together->body)) loop += kPlaced;
      }
    }
    order_steps(program_, &together->body);
  });
}

}  // namespace sinter
