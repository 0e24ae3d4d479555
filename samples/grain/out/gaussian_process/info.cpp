// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "cholesky_solve/cholesky_solve.h"

#include "launcher/architectures.cuh"

const CholeskySolveInfo* cholesky_solve_info() {
  static const CholeskySolveInfo info = {
      .size = sizeof(CholeskySolveInfo),
      .kernels = 5,
      .launches = 5,
      .interface_hash = CHOLESKY_SOLVE_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "9f7f7fe318791668025555e46a2383d56d978cc6dc006b3f67d2e387d3c743ab",
      .architectures = kBuiltFor,
      .workspace_bytes = 21504,
      .weights_bytes = 0,
      .can_capture = kCholeskySolveCanCapture,
  };
  return &info;
}
