// Shape rules of random numbers, collectives and host transfers.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeError verify_rng(const Instruction& instruction);
ShapeError verify_rng_bit_generator(const Instruction& instruction);
ShapeError verify_rng_state(const Instruction& instruction);

// Results that depend on the number of devices are stated by the text and checked for their structure only.
ShapeError verify_all_gather(const Instruction& instruction);  // reduce-scatter too
ShapeError verify_all_gather_start(const Instruction& instruction);
ShapeError verify_all_to_all(const Instruction& instruction);
ShapeError verify_collective_permute(const Instruction& instruction);
ShapeError verify_collective_permute_start(const Instruction& instruction);
ShapeResult infer_collective_broadcast(const Instruction& instruction);
ShapeResult infer_ragged_all_to_all(const Instruction& instruction);
ShapeResult infer_device_id(const Instruction& instruction);

ShapeResult infer_send(const Instruction& instruction);
ShapeError verify_recv(const Instruction& instruction);
ShapeResult infer_recv_done(const Instruction& instruction);
ShapeError verify_infeed(const Instruction& instruction);
ShapeResult infer_token(const Instruction& instruction);

}  // namespace sinter
