#include "ir/kernel/work.h"

namespace sinter {

void add(Work* sum, const Work& one, double times) {
  sum->f32 += one.f32 * times;
  sum->f64 += one.f64 * times;
  sum->integer += one.integer * times;
  sum->special += one.special * times;
  sum->memory += one.memory * times;
  sum->turns += one.turns * times;
  sum->tensor += one.tensor * times;
  sum->flops += one.flops * times;
}

}  // namespace sinter
