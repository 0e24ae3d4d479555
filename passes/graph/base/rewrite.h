// Small edits and questions that several graph passes share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/effects.h"
#include "ir/module/module.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

// Turns an instruction into another operation with the same result type; name, place and origin stay.
void become(Instruction& instruction, Opcode opcode, const std::vector<Instruction*>& operands,
            Rare<Attributes> attributes = {});
// The same for a value known at compile time. `scalar` has the instruction's element type; an array becomes a
// broadcast of a new scalar constant.
void become_splat(Instruction& instruction, Literal scalar);
void become_constant(Instruction& instruction, Literal literal);

// New instructions before `position`, with its origin (metadata, place in the text); an empty name means the opcode.
Instruction* insert_like(Instruction& position, Opcode opcode, Shape shape, const std::vector<Instruction*>& operands,
                         Rare<Attributes> attributes = {}, std::string name = "");
Instruction* insert_scalar(Instruction& position, Literal scalar);
Instruction* insert_reshape(Instruction& position, Instruction* operand, const std::vector<int64_t>& dims);
Instruction* insert_tuple_element(Instruction& position, Instruction* tuple, int64_t index);

// `scalar` where a value of `like`'s shape is needed: itself, or a broadcast of it before `position`.
Instruction* insert_broadcast_like(Instruction& position, Instruction* scalar, const Shape& like);

// Every instruction of the module with this opcode, callees first.
std::vector<Instruction*> instructions_of(Module& module, Opcode opcode);

// Whether what the instruction is computed from has any of `values` among it, itself included.
bool depends_on(const Instruction& instruction, const std::vector<Instruction*>& values);

// Removes these, which nothing outside the list uses, users before what they use; control edges to them end.
void remove_instructions(Computation& computation, const std::vector<Instruction*>& instructions);

// Removes what no result depends on; parameters and effects stay. True if anything went.
bool remove_dead_instructions(Computation& computation, const ComputationSet& computations_with_effects);
// The same for every computation of the module, and computations nothing calls.
bool remove_dead_code(Module& module);

// A copy of `original` appended to its module (Module::sort_computations is the caller's business).
Computation* clone_computation(const Computation& original);

// Copies the body of `callee` before `position`, with `arguments` for its parameters; returns what the root became.
// With `take_names` the copies get the names and the originals, about to die, get the fresh ones.
Instruction* inline_before(Instruction& position, Computation& callee, const std::vector<Instruction*>& arguments,
                           bool take_names);

// True for a computation on scalars of elementwise operations only.
bool is_elementwise_function(const Computation& computation);
// Such a computation as arrays: every operation gets the dimensions of `shape`, which the arguments have. nullptr,
// with nothing inserted, for another computation.
Instruction* inline_elementwise(Instruction& position, const Computation& callee,
                                const std::vector<Instruction*>& arguments, const Shape& shape);

}  // namespace sinter
