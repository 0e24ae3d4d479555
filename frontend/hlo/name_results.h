// Names of results, which HLO text has none for: the entry's root says them where whoever wrote the text knows them.
//
//   ROOT %tuple.3 = (s32[4], f32[4]) tuple(%a, %b), frontend_attributes={sinter_results="action,value"}
#pragma once

#include "ir/module/module.h"

namespace sinter {

// Sets the module's result_names, and the variables (ir/module/variable.h) of the values that are results. An empty
// name names nothing, nor does one of other characters than a variable's. Parameters keep their names, and a value that
// is two results goes by the first.
void name_results(Module& module);

}  // namespace sinter
