// What every contract kernel without tensor cores says, whatever it computes: where elements of a tile are in shared
// memory, what part of them each thread loads and multiplies, and the loop that multiplies them. Text, with constants
// by name.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "passes/stages/products/simt_form.h"

namespace sinter {

struct SimtText {
  SimtForm form;
  SimtThreads threads;
  // A tile in shared memory.
  struct Tile {
    size_t side = 0;
    std::string type;
    std::string name = {};     // "lhs"
    std::string element = {};  // of it, as a thread multiplies it: "a"
    std::string number = {};   // of several of a side; the first has none
    // Constants: elements of a load, loads of a row, those of a thread.
    std::string chunk() const { return (side == 0 ? "kLhsChunk" : "kRhsChunk") + number; }
    std::string chunks() const { return (side == 0 ? "kLhsChunks" : "kRhsChunks") + number; }
    std::string loads() const { return (side == 0 ? "kLhsLoads" : "kRhsLoads") + number; }
  };
  // Of several values of each result, those beside the first.
  struct Value {
    std::string type, name;  // "sums_2"
    bool stored = true;      // in shared memory, since something reads it
  };
  std::string sum;          // the type that is summed in: "float"
  std::vector<Tile> tiles;  // of operands by number, which names follow from
  std::vector<Value> values = {};
  std::string product = {};  // "fmaf"; empty: `sum += a * b`

  void add_tile(size_t side, const std::string& type);
  std::set<std::string> names() const;                // that the text declares: parameters may not have them
  std::string shared(const std::string& more) const;  // struct Shared; `more` members after the tiles
  std::string places() const;                         // lhs_row, lhs_k, rhs_k, rhs_column, sum_at
  std::string coordinates() const;                    // of a thread's sums, beside those of the tile
  std::string main_loop() const;                      // declares `sums`
  std::string fragments() const;                      // of the k loop's step: what of the tiles a thread needs
  std::string sums_to_shared() const;
  std::string sums_in_shared() const;  // what stands before their names: "shared."

 private:
  std::string value_to_shared(const std::string& type, const std::string& name) const;
};

}  // namespace sinter
