// Convolutions: any number of spatial dimensions, any order of labels, strides, dilation, padding, reversal, groups.
#include <algorithm>

#include "tests/stages/contractions/contraction_writer.h"

namespace sinter {

namespace {

// "1" or "x1", of the numbers of a window one after the other.
void append(std::string* list, const std::string& number) { *list += (list->empty() ? "" : "x") + number; }

}  // namespace

std::string ContractionWriter::labels(const std::string& characters, const Dims& sizes, Dims* dims) {
  std::string text;
  for (const size_t i : shuffled(characters.size())) {
    text += characters[i];
    dims->push_back(sizes[i]);
  }
  return text;
}

void ContractionWriter::convolution() {
  const int64_t rank = random_.pick<int64_t>({0, 1, 1, 2, 2, 2, 2, 3});
  const int64_t groups = one_in(4) ? one_in(2) ? 4 : 3 : 1;
  const bool of_batch = groups > 1 && one_in(3);
  const int64_t features = one_in(4) ? 1 : one_in(2) ? 8 * between(1, 3) : between(1, 9);  // of a group
  const int64_t outputs = groups > 1  ? groups * (one_in(3) ? 8 * between(1, 2) : between(1, 5))
                          : one_in(2) ? 8 * between(1, 5)
                                      : between(1, 20);
  const int64_t batch = one_in(30) ? 0 : between(1, 3);
  Dims input_sizes = {of_batch ? batch * groups : batch, of_batch ? features : features * groups};
  Dims kernel_sizes = {outputs, features}, output_sizes = {batch, outputs};
  std::string size, stride, pad, dilation, base, reversal, places;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t w = between(1, rank == 1 ? 7 : 3), s = between(1, 3), low = between(-1, 2), high = between(0, 2);
    const int64_t n = rank == 3 ? between(2, 5) : rank == 1 ? between(5, 40) : between(5, 10);
    const int64_t rhs = one_in(4) ? 2 : 1;
    int64_t lhs = one_in(6) ? between(2, 3) : 1;
    // A tap in padding is a product with zero (docs/numerics.md).
    if (special_) low = std::min<int64_t>(low, 0), high = 0, lhs = 1;
    const int64_t padded = (n - 1) * lhs + 1 + low + high;
    if (padded < (w - 1) * rhs + 1) w = 1;
    places += std::to_string(d);
    input_sizes.push_back(n);
    kernel_sizes.push_back(w);
    output_sizes.push_back((padded - ((w - 1) * rhs + 1)) / s + 1);
    append(&size, std::to_string(w));
    append(&stride, std::to_string(s));
    append(&pad, std::to_string(low) + "_" + std::to_string(high));
    append(&dilation, std::to_string(rhs));
    append(&base, std::to_string(lhs));
    append(&reversal, one_in(6) ? "1" : "0");
  }
  Dims input, kernel, dims;
  const std::string of_input = labels("bf" + places, input_sizes, &input);
  const std::string of_kernel = labels("oi" + places, kernel_sizes, &kernel);
  const std::string of_output = labels("bf" + places, output_sizes, &dims);
  double magnitude = 1, of_kernel_magnitude = 1;
  const std::string lhs = operand("x", operand_[0], input, &magnitude);
  const std::string rhs = operand("w", operand_[1], kernel, &of_kernel_magnitude);
  std::string attributes;
  if (rank > 0) {
    attributes = ", window={size=" + size + " stride=" + stride + " pad=" + pad + " lhs_dilate=" + base +
                 " rhs_dilate=" + dilation + " rhs_reversal=" + reversal + "}";
  }
  attributes += ", dim_labels=" + of_input + "_" + of_kernel + "->" + of_output;
  if (groups > 1)
    attributes += std::string(of_batch ? ", batch_group_count=" : ", feature_group_count=") + std::to_string(groups);
  line("product", result_, dims, "convolution(" + lhs + ", " + rhs + ")" + attributes);
  products_.push_back({"product", result_, dims});
  kernel_sizes[0] = 1;
  set_bound(magnitude * of_kernel_magnitude, static_cast<double>(product(kernel_sizes)));
}

}  // namespace sinter
