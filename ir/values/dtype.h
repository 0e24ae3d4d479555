// Element types of HLO arrays. The list, with spellings and widths, is dtype.def.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter {

enum class DType : uint8_t {
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) enumerator,
#include "ir/values/dtype.def"
#undef DTYPE
};

enum class DTypeClass : uint8_t { kPredicate, kSigned, kUnsigned, kFloat, kComplex };

// "f32", as HLO text spells it.
std::string_view dtype_name(DType dtype);
std::optional<DType> dtype_from_name(std::string_view name);
DTypeClass dtype_class(DType dtype);
int dtype_bits(DType dtype);
// Bytes of one element in a Literal and in emitted buffers (sub-byte types take a whole byte).
int dtype_bytes(DType dtype);
// "float", as emitted CUDA C++ spells it.
std::string_view dtype_cuda_name(DType dtype);

inline bool is_integer(DType dtype) {
  return dtype_class(dtype) == DTypeClass::kSigned || dtype_class(dtype) == DTypeClass::kUnsigned;
}
inline bool is_float(DType dtype) { return dtype_class(dtype) == DTypeClass::kFloat; }
inline bool is_complex(DType dtype) { return dtype_class(dtype) == DTypeClass::kComplex; }
inline bool is_signed_integer(DType dtype) { return dtype_class(dtype) == DTypeClass::kSigned; }

}  // namespace sinter
