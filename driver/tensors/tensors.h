// Tensors in and out of files, as the flattened inputs and outputs of a module.
//
// A file is safetensors with tensors "0", "1", ..., a .npy file (one tensor), or HLO text of a module without
// parameters, whose result is taken (.hlo).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/grain/parse_grain.h"
#include "ir/module/module.h"
#include "ir/values/literal.h"
#include "runtime/tensor_file.h"

namespace sinter {

// The array shapes of a module's parameters, tuples flattened, in order; and those of its result.
std::vector<Shape> input_shapes(const Module& module);
std::vector<Shape> output_shapes(const Module& module);

// Flat arrays to one literal a parameter, and a result to flat arrays.
std::vector<Literal> pack_arguments(const Module& module, const std::vector<Literal>& arrays);
std::vector<Literal> flatten(const Literal& value);

// Reads tensors of these shapes, and smaller ones where dimensions are dynamic; nullopt with `error` set, which calls
// the program's arrays `role`: "input".
std::optional<std::vector<Literal>> read_tensors(const std::vector<std::string>& paths,
                                                 const std::vector<Shape>& shapes, const std::string& role,
                                                 std::string& error);

// The tensors of these names and shapes, of a file's content; where the first is not there, "0", "1", ... in their
// order. The one tensor of a .npy file has no name: it is the only one that is wanted. nullopt with `error` set.
std::optional<std::vector<Literal>> named_tensors(const std::string& path, const std::string& content,
                                                  const std::vector<NamedShape>& wanted, std::string& error);

// What safetensors calls an element type, and an array as a tensor of such a file and back: false if the tensor is not
// of that shape.
std::string file_type(DType dtype);
tensor_file::Tensor file_tensor(const std::string& name, const Literal& array);
bool to_literal(const tensor_file::Tensor& tensor, const Shape& shape, Literal& literal);

// Format by the name: .npy (one tensor), .hlo, else safetensors.
bool write_tensors(const std::string& path, const std::vector<Literal>& arrays, std::string& error);

// The same on every machine: floats are the sum of twelve uniform numbers minus six (close to standard normal),
// integers are 0 to 7 (so that they serve as indices; less where the type is narrower), booleans are fair, both parts
// of a complex number are drawn. SplitMix64, a stream a tensor.
std::vector<Literal> random_tensors(const std::vector<Shape>& shapes, uint64_t seed);

}  // namespace sinter
