// Names of a kernel's variables: parameter names kept, carries after the parameters that start them, a value that is
// the result of a Python function after the function, others after their op, numbered where there are several.
#pragma once

#include "ir/kernel/kernel.h"
#include "passes/demand/demand.h"
#include "passes/lower/arrange/items.h"
#include "passes/lower/text/expressions.h"

namespace sinter {

// What a pointer's array is called: "state_0_out" and "x" -> "state_0" and "x".
std::string without_direction(std::string name);

// Sets Variable::name of every variable declared in `block`, in the order of the text.
void name_variables(const DemandGraph& graph, const Items& items, Expressions& expressions, Block& block);

}  // namespace sinter
