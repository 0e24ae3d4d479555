// Moving array elements about, for the evaluator: strided copies, permutations and walks over index spaces.
// Internal to ir/evaluate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/values/literal.h"

namespace sinter::elements {

using Dims = std::vector<int64_t>;

// target[sum index_d * target_strides_d] = source[sum index_d * source_strides_d] for every index within dims.
// Strides count elements and may be negative or (of the source) zero.
void copy_strided(std::byte* target, const Dims& target_strides, const std::byte* source, const Dims& source_strides,
                  const Dims& dims, int64_t element_bytes);

// Steps `index` to the next one in row-major order; false after the last. Also false for an empty index.
bool next_index(Dims& index, const Dims& dims);

int64_t product(const Dims& dims);
int64_t linear_index(const Dims& index, const Dims& strides);
// dims[which[0]], dims[which[1]], ...
Dims pick(const Dims& dims, const Dims& which);
// The dimensions below `rank` that are not in `listed`, ascending.
Dims other_dimensions(int64_t rank, const Dims& listed);

// An array with dimension i of the result being dimension permutation[i] of `literal`. No copy if that is the
// identity.
Literal permute(const Literal& literal, const Dims& permutation);
// The same elements with another shape (equal element count and dtype size).
Literal reshape(Literal literal, const Shape& shape);

// One element, as a scalar.
Literal element_at(const Literal& literal, int64_t linear);
// The bytes of all elements set to those of the first element of `scalar`.
void fill(Literal& target, const Literal& scalar);

// Index operands of dynamic-slice and its kin: scalars, or one rank-1 vector. Unsigned values above the largest
// int64_t become that.
Dims read_indices(std::span<const Literal> operands);
int64_t read_index(const Literal& literal, int64_t linear);

}  // namespace sinter::elements
