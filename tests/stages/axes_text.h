// Programs that reduce: over any dimensions, by one operation or by a function of their own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/stages/stage_programs.h"

namespace sinter {

struct Combiner {
  DType dtype;
  const char* operation;
  const char* initial;
};

inline constexpr std::array kCombiners = {
    Combiner{DType::kF32, "add", "0"},        Combiner{DType::kS32, "add", "3"},
    Combiner{DType::kF32, "maximum", "-inf"}, Combiner{DType::kBF16, "add", "0"},
    Combiner{DType::kPred, "or", "false"},    Combiner{DType::kF64, "minimum", "inf"},
    Combiner{DType::kU8, "xor", "0"},         Combiner{DType::kF32, "add", "-1.5"},
    Combiner{DType::kC64, "add", "(0, 0)"},   Combiner{DType::kS32, "multiply", "1"},
    Combiner{DType::kF16, "maximum", "-2"},   Combiner{DType::kPred, "and", "true"},
    Combiner{DType::kU32, "minimum", "4"},
};

// What stands beside a reduction: nothing; an operation before it; one after it, of every element with its result; an
// operation before it on a transposed array.
enum class Place { kAlone, kBefore, kAfter, kTransposed };

// A reduction over the dimensions whose bits are set.
StageProgram axes_program(const std::string& name, const Combiner& combiner, const std::vector<int64_t>& dims,
                          uint64_t axes, Place place);

// A function of its own: of (a, i, ..., b, j, ...), its results; i, j, ... are 0, 1, ... along the first reduced
// dimension where `places` says so.
struct Fold {
  const char* name;
  std::vector<DType> types;
  std::vector<const char*> initials;
  bool places;
  bool in_parts;         // gives the same in parts
  const char* function;  // @ stands for the first type
};

extern const std::vector<Fold> kFolds;

// The same by such a function.
StageProgram fold_program(const std::string& name, const Fold& fold, const std::vector<int64_t>& dims, uint64_t axes);

}  // namespace sinter
