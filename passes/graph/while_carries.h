// Editing the state of a `while`, one tuple element (carry) at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module.h"

namespace sinter {

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
  size_t count() const { return loop_.shape.elements.size(); }

  // Element i before the first iteration and as the body returns it; nullptr where that tuple comes as a whole.
  Instruction* init(size_t i) const;
  Instruction* next(size_t i) const;

  // Every get-tuple-element of carry i: of the state in `computation` (body or condition), or after the loop.
  std::vector<Instruction*> reads(Computation& computation, size_t i) const;
  std::vector<Instruction*> reads_after(size_t i) const;

  // The carries some result depends on.
  std::vector<bool> live() const;
  // Begins carry `i`, whose next value has been given another shape, with a value of that shape; reads are of that
  // shape from here on. There is an init(i) and a next(i).
  void replace(size_t i, Instruction* init) const;
  // Carries these values of the computation around the loop too, unchanged by its steps; how the body reads them. Both
  // state and next state are tuples that are built here.
  std::vector<Instruction*> add_invariants(const std::vector<Instruction*>& values);
  // Keeps these carries, which must include the live ones. False if that is all of them.
  bool keep_only(const std::vector<bool>& keep);

 private:
  Instruction& loop_;
};

// The carry that an instruction in the body or condition of such a loop reads, if it does.
std::optional<size_t> carry_read(const Instruction& instruction);

}  // namespace sinter
