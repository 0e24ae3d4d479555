// The attributes of an instruction, all opcodes together: one struct, every member optional, so that each
// attribute is declared once (attributes.def) and parser, printer, clone and equality are loops over that list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "ir/support/boxed.h"

namespace sinter {

class Computation;

struct SliceBounds {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
  bool operator==(const SliceBounds&) const = default;
};

// lo_hi_interior of one dimension; lo and hi may be negative.
struct PadBounds {
  int64_t low = 0;
  int64_t high = 0;
  int64_t interior = 0;
  bool operator==(const PadBounds&) const = default;
};

struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t pad_low = 0;
  int64_t pad_high = 0;
  int64_t lhs_dilate = 1;  // base dilation
  int64_t rhs_dilate = 1;  // window dilation
  bool reversal = false;
  bool operator==(const WindowDimension&) const = default;
};

// dim_labels of a convolution: which dimension number is batch, feature, and each spatial axis.
struct ConvolutionDims {
  int64_t lhs_batch = 0, lhs_feature = 0;
  int64_t rhs_input_feature = 0, rhs_output_feature = 0;
  int64_t output_batch = 0, output_feature = 0;
  std::vector<int64_t> lhs_spatial, rhs_spatial, output_spatial;
  bool operator==(const ConvolutionDims&) const = default;
};

// Values of the kinds in attributes.def.
namespace attribute_kind {
using IntList = std::vector<int64_t>;
using Int = int64_t;
using Bool = bool;
using Real = double;
using SliceList = std::vector<SliceBounds>;
using Padding = std::vector<PadBounds>;
using Window = std::vector<WindowDimension>;
using DimLabels = ConvolutionDims;
using Word = std::string;                   // an identifier: LT, FFT, rng_default
using WordList = std::vector<std::string>;  // {highest,default}
using String = std::string;                 // quoted in the text, unescaped here
using Raw = std::string;                    // text up to the balancing brace, kept as written
using Computation = sinter::Computation*;
using ComputationList = std::vector<sinter::Computation*>;
}  // namespace attribute_kind

// An instruction has one or two of some eighty attributes, so an absent one should cost little.
template <class T>
using AttributeValue = std::conditional_t<sizeof(std::optional<T>) < sizeof(Boxed<T>), std::optional<T>, Boxed<T>>;

struct Attributes {
#define ATTRIBUTE(hlo_name, member, kind) AttributeValue<attribute_kind::kind> member;
#include "ir/module/attributes.def"
#undef ATTRIBUTE
  bool operator==(const Attributes&) const = default;
};

// One value for each line of attributes.def: AttributeId::k_dimensions, ...
enum class AttributeId : uint8_t {
#define ATTRIBUTE(hlo_name, member, kind) k_##member,
#include "ir/module/attributes.def"
#undef ATTRIBUTE
};

enum class AttributeKind : uint8_t {
  IntList,
  Int,
  Bool,
  Real,
  SliceList,
  Padding,
  Window,
  DimLabels,
  Word,
  WordList,
  String,
  Raw,
  Computation,
  ComputationList
};

}  // namespace sinter
