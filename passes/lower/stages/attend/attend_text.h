// The text of attention that is the same whatever is scaled and masked: products on tensor cores, softmax.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "passes/stages/attend/attend_form.h"

namespace sinter {

struct AttendText {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  std::string element;               // "__nv_bfloat16"
  std::string mma;                   // of templates/device/mma.cuh
  std::string narrow;                // a float to an element: "to_bfloat16"
  std::string raw_keys, raw_values;  // as they are in memory, where others are computed of these; empty: they are not
  bool by_keys = false;              // warps divide keys, not rows
  int64_t parts = 1;                 // of the keys, which blocks have
  bool keeps_queries = true;         // in registers; else each tile's products read them again
  enum class Sink : uint8_t { kNone, kInLargest, kApart };
  Sink sink = Sink::kNone;  // that queries have one, and whether scores are shifted by it too where it is larger

  bool converts() const { return !raw_keys.empty(); }
  std::string shared() const;
  std::string load_queries() const;  // to registers, after the copies
  std::string products() const;      // of a tile of keys: `scores`
  std::string softmax() const;       // scores to weights
  std::string add_values() const;    // weights times values, onto `results`
  std::string results_to_shared() const;
  // Where warps divide keys: what each has, to shared memory; what the block has of them, which is divided if it is
  // all, or stored as a part; what the last block makes of the parts.
  std::string warps_to_shared() const;
  std::string combine_warps() const;
  std::string combine_parts() const;

 private:
  std::string raw_tile() const;
  // Of row tile `i` and a step along features, from shared memory.
  std::string queries_of(const std::string& to, const std::string& step, const std::string& indent) const;
  bool splits() const { return product == TensorCoreForm::Product::k3xTf32; }
  bool is_float() const { return product != TensorCoreForm::Product::k16Bits; }
  // Beside keys the sum is of the sink, whose weight is beside the row's largest score, too.
  std::string add_sink(const std::string& largest, const std::string& indent) const;
  // exp(difference): as exact as what follows, products of 16 bits and TF32 take less of a weight.
  std::string weight_of(const std::string& difference) const {
    return splits() ? "expf(" + difference + ")" : "exp2_approx((" + difference + ") * kLog2E)";
  }
  std::string first_row() const { return by_keys ? "" : "warp_row + "; }
};

// What the text calls its variables; parameters have other names.
const std::set<std::string>& attend_names();

}  // namespace sinter
