// The state of a `while`, one tuple element (carry) at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// True of a tuple that nothing but get-tuple-elements reads.
bool is_only_taken_apart(const Instruction& tuple);

// The first that reads element i of a tuple; nullptr: none does.
const Instruction* first_read_of(const Instruction& tuple, int64_t i);

// A while whose state is a tuple that is only ever taken apart: in its body, its condition and after it. Other
// loops are left as they are.
class CarriedLoop {
 public:
  explicit CarriedLoop(Instruction& loop) : loop_(loop) {}

  // False if the state is no tuple, or is used as a whole somewhere.
  bool is_taken_apart() const;

  Instruction& loop() const { return loop_; }
  Computation& body() const { return *loop_.attributes->body.value(); }
  Computation& condition() const { return *loop_.attributes->condition.value(); }
  // What the body or condition is given.
  static Instruction* state(const Computation& computation);
  size_t count() const { return loop_.shape.elements.size(); }

  // Element i before the first iteration and as the body returns it; nullptr where that tuple comes as a whole.
  Instruction* init(size_t i) const;
  Instruction* next(size_t i) const;

  // Every get-tuple-element of carry i: of the state in `computation` (body or condition), or after the loop.
  std::vector<Instruction*> reads(Computation& computation, size_t i) const;
  std::vector<Instruction*> reads_after(size_t i) const;

  // The carries some result depends on.
  std::vector<bool> live() const;

 private:
  Instruction& loop_;
};

// The carry that an instruction in the body or condition of such a loop reads, if it does.
std::optional<size_t> carry_read(const Instruction& instruction);

}  // namespace sinter
