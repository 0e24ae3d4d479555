// Tables of the values of narrow float dtypes.
#include "ir/evaluate/elements/evaluate_elements.h"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace sinter::elements {

const float* float_table(DType dtype) {
  static std::mutex mutex;
  static std::array<std::vector<float>, 256> tables;
  const std::lock_guard lock(mutex);
  std::vector<float>& table = tables[static_cast<size_t>(dtype)];
  if (table.empty()) {
    const size_t size = size_t{1} << dtype_bits(dtype);
    table.reserve(size);
    for (size_t bits = 0; bits < size; ++bits) table.push_back(static_cast<float>(float_from_bits(dtype, bits)));
  }
  return table.data();
}

}  // namespace sinter::elements
