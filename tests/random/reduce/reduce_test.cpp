// The reducer: text in, text out.
#include <gtest/gtest.h>

#include <algorithm>

#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/text/print.h"
#include "ir/verify/verify.h"
#include "tests/random/reduce/reduce_module.h"

namespace sinter {
namespace {

bool has(const Module& module, Opcode opcode) {
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == opcode) return true;
    }
  }
  return false;
}

// The text of what is left when every step has to keep an instruction of this opcode.
std::string reduced_to(const std::string& text, Opcode opcode) {
  const Source source = {.name = "test.hlo", .text = text};
  Diagnostics diagnostics(source);
  ModuleCase original{parse_hlo(diagnostics), {}};
  EXPECT_TRUE(original.module && verify(*original.module, diagnostics)) << diagnostics.render();
  original.inputs = random_tensors(input_shapes(*original.module), 1);
  const ModuleCase reduced =
      reduce_module(original, [&](const ModuleCase& candidate) { return has(*candidate.module, opcode); });
  EXPECT_EQ(reduced.inputs.size(), input_shapes(*reduced.module).size());
  return print(*reduced.module);
}

TEST(Reduce, KeepsWhatTheProblemNeeds) {
  EXPECT_EQ(reduced_to(R"(HloModule test, input_output_alias={ {0}: (0, {}, may-alias) }

ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  sine = f32[8] sine(x), metadata={op_name="jit(f)/sin"}
  reverse = f32[8] reverse(sine), dimensions={0}
  add = f32[8] add(reverse, y)
  multiply = f32[8] multiply(add, x)
  ROOT tuple = (f32[8], f32[8]) tuple(multiply, y)
}
)",
                       Opcode::kReverse),
            R"(HloModule test

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8] parameter(0)
  ROOT %reverse = f32[8] reverse(%x), dimensions={0}
}
)");
}

TEST(Reduce, Loops) {
  EXPECT_EQ(reduced_to(R"(HloModule test

body {
  state = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  a = f32[4] get-tuple-element(state), index=1
  b = f32[4] get-tuple-element(state), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  sum = f32[4] add(a, b)
  cosine = f32[4] cosine(sum)
  ROOT out = (s32[], f32[4], f32[4]) tuple(next, cosine, a)
}

condition {
  state.1 = (s32[], f32[4], f32[4]) parameter(0)
  i.1 = s32[] get-tuple-element(state.1), index=0
  n = s32[] constant(5)
  ROOT less = pred[] compare(i.1, n), direction=LT
}

ENTRY main {
  x = f32[4] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[4], f32[4]) tuple(zero, x, x)
  loop = (s32[], f32[4], f32[4]) while(init), condition=condition, body=body
  ROOT result = f32[4] get-tuple-element(loop), index=1
}
)",
                       Opcode::kCosine),
            R"(HloModule test

%body (state: (s32[], f32[4], f32[4])) -> (s32[], f32[4], f32[4]) {
  %state = (s32[], f32[4], f32[4]) parameter(0)
  %i = s32[] constant(0)
  %constant = f32[] constant(0)
  %a = f32[4] broadcast(%constant), dimensions={}
  %cosine = f32[4] cosine(%a)
  ROOT %out = (s32[], f32[4], f32[4]) tuple(%i, %cosine, %a)
}

%condition (state.1: (s32[], f32[4], f32[4])) -> pred[] {
  %state.1 = (s32[], f32[4], f32[4]) parameter(0)
  ROOT %less = pred[] constant(false)
}

ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4] parameter(0)
  %zero = s32[] constant(0)
  %init = (s32[], f32[4], f32[4]) tuple(%zero, %x, %x)
  %loop = (s32[], f32[4], f32[4]) while(%init), condition=%condition, body=%body
  ROOT %result = f32[4] get-tuple-element(%loop), index=1
}
)");
}

}  // namespace
}  // namespace sinter
