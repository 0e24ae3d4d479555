// Which dimensions of each value have a size that is known when the program runs, and what must be masked so that
// nothing depends on elements beyond it.
//
// Sizes come in with parameters of the entry whose dimensions are bounded, and with set-dimension-size. They follow the
// data: an elementwise operation has the sizes of its operands, a product those of its rows, and so on. Two that meet
// in one dimension are one size, where the run gives both. A dimension that meets a bounded one and is not bounded
// itself has elements to spare: those of the size are taken. An operation that mixes elements along such a dimension
// either gives the same with something neutral in place of what is beyond the size (a sum and zeros), or is refused.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// Of an array the size of each dimension, a number of SizeFlow's; of a tuple those of its elements.
struct Sizes {
  static constexpr int kStatic = -1;
  std::vector<int> dims;
  std::vector<Sizes> elements;
  bool operator==(const Sizes&) const = default;
};

bool is_bounded(const Sizes& sizes);
// What the shape says, in every dimension.
Sizes fixed_sizes(const Instruction& instruction);

class SizeFlow {
 public:
  // A dimension of a value, and the size it has.
  struct Dimension {
    int64_t dimension;
    int size;
  };

  // What `user` reads of an operand beyond the sizes of `dimensions` has to be neutral.
  struct Mask {
    enum class Neutral {
      kZero,       // of a product
      kReduced,    // of what `user` reduces with
      kNowhere,    // of indices: out of bounds
      kLastPlace,  // the operand is an index, and has to be that of a place that is there
    };
    Instruction* user = nullptr;
    size_t operand = 0;
    std::vector<Dimension> dimensions;
    Neutral neutral = Neutral::kZero;
  };

  // Dimensions that the text bounds: of parameters of the entry, and of what has no operand to take a size from.
  using Bounded = std::unordered_map<const Instruction*, std::vector<int64_t>>;
  SizeFlow(Module& module, const Bounded& bounded, Diagnostics& diagnostics)
      : module_(module), bounded_(bounded), diagnostics_(diagnostics) {}

  // False, with a diagnostic for each operation that does not go with such sizes.
  bool run();

  // The size of a dimension, not an open one; kStatic: what the shape says. Of functions on scalars nothing is known.
  int at(const Instruction& value, int64_t dimension) const;
  const std::vector<Mask>& masks() const { return masks_; }

  struct Size {
    int64_t bound;
    Instruction* value;  // the s32[] that set-dimension-size is given; nullptr: the run gives it
    std::string text;    // where it is from: "x[0]"
    // Nothing but the text says that a dimension is bounded: it has the size that it meets, or, where that matters
    // before it meets one, that of the only parameters with this bound.
    bool is_open = false;
  };
  int count() const { return static_cast<int>(sizes_.size()); }
  const Size& size(int number) const { return sizes_[static_cast<size_t>(number)]; }

 private:
  int add_size(Size size);
  int find(int number) const;
  Sizes settled(Sizes sizes) const;
  // What has both sizes.
  int join(int a, int b, const Instruction& where);
  Sizes join(const Sizes& a, const Sizes& b, const Instruction& where);

  const Sizes& of(const Instruction& value) const { return of_.at(&value); }
  Sizes walk(Computation& computation, const std::vector<Sizes>& arguments);
  Sizes rule(Instruction& instruction);
  Sizes structured(Instruction& instruction);
  Sizes control(Instruction& instruction);

  Sizes bounded_by_text(const Instruction& instruction, Sizes sizes);
  // The size that an open one stands for where it matters; kStatic, refused, if that is not clear.
  int closed(int number, const Instruction& where);
  Sizes elementwise(const Instruction& instruction);
  Sizes moved(Instruction& instruction);
  Sizes reshape(const Instruction& instruction);
  Sizes slice_or_pad(const Instruction& instruction);
  Sizes dynamic_slice(Instruction& instruction);
  Sizes dynamic_update_slice(Instruction& instruction);
  Sizes gather(const Instruction& instruction);
  Sizes scatter(Instruction& instruction);
  Sizes dot(Instruction& instruction);
  Sizes convolution(Instruction& instruction);
  Sizes reduce(Instruction& instruction);
  Sizes windows(Instruction& instruction);
  Sizes apart_from(const Instruction& instruction, const std::vector<int64_t>& dimensions);
  Sizes call(const Instruction& instruction);
  Sizes custom_call(const Instruction& instruction);
  Sizes loop(Instruction& instruction);
  Sizes set_size(Instruction& instruction);
  Sizes refuse_operands(const Instruction& instruction);

  void at_place(Instruction& instruction, size_t index, int64_t dimension, int size);
  void mask(Instruction& user, size_t operand, std::vector<Dimension> dimensions, Mask::Neutral neutral);
  void refuse(const Instruction& instruction, const std::string& what, int size, const std::string& instead);

  Module& module_;
  const Bounded& bounded_;
  Diagnostics& diagnostics_;
  std::vector<Size> sizes_;
  std::vector<int> same_as_;  // of each size: itself, or a smaller number
  std::unordered_map<const Instruction*, Sizes> of_;
  std::unordered_map<const Instruction*, int> made_;            // by set-dimension-size
  std::map<std::pair<const Instruction*, int64_t>, int> open_;  // only looked up
  std::vector<Mask> masks_;
  std::unordered_set<const Instruction*> refused_;
  bool changed_ = false;
  bool last_ = false;  // sizes are as they stay: masks and refusals are noted
};

}  // namespace sinter
