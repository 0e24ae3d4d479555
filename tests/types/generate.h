// Programs that apply every elementwise op, conversion and reduction to every element type it is legal for, with
// inputs that hold the edges of the type.
#pragma once

#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter {

struct TypeProgram {
  std::string name;  // "elementwise_f8e4m3fn"
  std::string text;
  std::vector<Literal> inputs;
};

std::vector<TypeProgram> type_programs();

}  // namespace sinter
