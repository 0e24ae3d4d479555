// Shape rules of transforms, factorisations and normalisations of whole arrays.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeResult infer_fft(const Instruction& instruction);
ShapeResult infer_cholesky(const Instruction& instruction);
ShapeResult infer_triangular_solve(const Instruction& instruction);
ShapeResult infer_batch_norm_training(const Instruction& instruction);
ShapeResult infer_batch_norm_inference(const Instruction& instruction);
ShapeResult infer_batch_norm_grad(const Instruction& instruction);

}  // namespace sinter
