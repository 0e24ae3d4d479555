// Element types: lookups in the list of dtype.def.
#include "ir/values/dtype.h"

#include <array>

namespace sinter {
namespace {

struct DTypeRow {
  std::string_view name;
  DTypeClass dtype_class;
  int bits;
  std::string_view cuda;
};

constexpr std::array kRows = {
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) DTypeRow{hlo_name, DTypeClass::dtype_class, bits, cuda},
#include "ir/values/dtype.def"
#undef DTYPE
};

const DTypeRow& row(DType dtype) { return kRows[static_cast<size_t>(dtype)]; }

}  // namespace

std::string_view dtype_name(DType dtype) { return row(dtype).name; }

std::optional<DType> dtype_from_name(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

DTypeClass dtype_class(DType dtype) { return row(dtype).dtype_class; }
int dtype_bits(DType dtype) { return row(dtype).bits; }
int dtype_bytes(DType dtype) { return (row(dtype).bits + 7) / 8; }
std::string_view dtype_cuda_name(DType dtype) { return row(dtype).cuda; }

}  // namespace sinter
