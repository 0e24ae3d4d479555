// A random contraction with everything that checks it: a form that its seed draws, inputs, and what the evaluator makes
// of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "ir/values/literal.h"
#include "tests/stages/contractions/contraction_text.h"
#include "tests/stages/contractions/forms.h"

namespace sinter {

struct ContractionCase {
  RandomContraction program;
  std::vector<Literal> inputs, expected;
  CompileOptions options;  // name, and the plan that pins the form
  CompiledInForm compiled;
};

// The same for a seed on every machine; `only`: of such forms (forms.h). "" or what is wrong with it.
std::string draw_contraction(uint64_t seed, const std::string& only, ContractionCase& item);

// How far the result `number` may be from what is expected, absolutely; 0: the same bits.
double distance_allowed(const ContractionCase& item, size_t number);

}  // namespace sinter
