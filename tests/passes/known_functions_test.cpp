// Functions that emitted code has a header for are known by what they compute.
#include "passes/analysis/functions/known_functions.h"

#include <gtest/gtest.h>

#include "tests/passes/parse_module.h"

namespace sinter {
namespace {

// Writes threefry2x32 on 8 elements, as HLO text.
struct Threefry {
  std::string name = "threefry2x32";
  int last_rotation = 6;
  bool key_first = false;      // k + (x + group) in place of (x + k) + group
  bool swap_operands = false;  // of sums and exclusive ors
  bool swap_results = false;
  std::string text = {};
  int count = 0;

  std::string add(const std::string& op, std::string left, std::string right) {
    if (swap_operands && op != "shift-left" && op != "shift-right-logical") std::swap(left, right);
    const std::string value = "v" + std::to_string(count++);
    text += value + " = u32[8] " + op + "(" + left + ", " + right + ")\n";
    return value;
  }

  std::string constant(int64_t number) {
    const std::string value = "v" + std::to_string(count++);
    text += value + "_one = u32[] constant(" + std::to_string(number) + ")\n" + value + " = u32[8] broadcast(" + value +
            "_one), dimensions={}\n";
    return value;
  }

  std::string module() {
    const int rotations[2][4] = {{13, 15, 26, last_rotation}, {17, 29, 16, 24}};
    text = "HloModule m\nENTRY " + name + " {\n";
    for (const char* key : {"0", "1"}) {
      text += std::string("k") + key + "_one = u32[] parameter(" + key + ")\n";
      text += std::string("k") + key + " = u32[8] broadcast(k" + key + "_one), dimensions={}\n";
    }
    text += "c0 = u32[8] parameter(2)\nc1 = u32[8] parameter(3)\n";
    const std::string keys[3] = {"k0", "k1", add("xor", "k0", add("xor", "k1", constant(466688986)))};
    std::string x0 = add("add", "c0", keys[0]);
    std::string x1 = add("add", "c1", keys[1]);
    for (int group = 1; group <= 5; ++group) {
      for (const int amount : rotations[(group - 1) % 2]) {
        x0 = add("add", x0, x1);
        const std::string up = add("shift-left", x1, constant(amount));
        const std::string down = add("shift-right-logical", x1, constant(32 - amount));
        x1 = add("xor", x0, add("or", up, down));
      }
      x0 = add("add", x0, keys[group % 3]);
      const std::string& key = keys[(group + 1) % 3];
      x1 = key_first ? add("add", key, add("add", x1, constant(group)))
                     : add("add", add("add", x1, key), constant(group));
    }
    const std::string results = swap_results ? x1 + ", " + x0 : x0 + ", " + x1;
    return text + "ROOT r = (u32[8], u32[8]) tuple(" + results + ")\n}\n";
  }
};

std::optional<KnownFunction> known(const std::string& text) { return known_function(*parse_module(text)->entry()); }

TEST(KnownFunctions, ThreefryHoweverItIsWritten) {
  for (Threefry threefry :
       {Threefry{}, Threefry{.name = "hash"}, Threefry{.key_first = true}, Threefry{.swap_operands = true}}) {
    const std::optional<KnownFunction> function = known(threefry.module());
    ASSERT_TRUE(function) << threefry.text;
    EXPECT_EQ(function->name, "threefry2x32");
  }
}

TEST(KnownFunctions, NearlyThreefryIsNot) {
  EXPECT_FALSE(known(Threefry{.last_rotation = 7}.module()));
  EXPECT_FALSE(known(Threefry{.swap_results = true}.module()));
}

TEST(KnownFunctions, OtherFunctionsAreNot) {
  const std::string head =
      "HloModule m\nENTRY f {\na = u32[4] parameter(0)\nb = u32[4] parameter(1)\n"
      "c = u32[4] parameter(2)\nd = u32[4] parameter(3)\n";
  for (const char* body : {
           "s = u32[4] add(a, b)\nROOT r = (u32[4], u32[4]) tuple(s, c)",
           "s = u32[4] shift-left(a, b)\nROOT r = (u32[4], u32[4]) tuple(s, c)",
           "s = u32[4] or(a, b)\nROOT r = (u32[4], u32[4]) tuple(s, c)",
           "s = u32[4] xor(a, a)\nROOT r = (u32[4], u32[4]) tuple(s, c)",
           "s = u32[4] multiply(a, b)\nROOT r = (u32[4], u32[4]) tuple(s, c)",
           "s = f32[4] convert(a)\nROOT r = (f32[4], u32[4]) tuple(s, c)",
           "ROOT s = u32[4] add(a, d)",
       }) {
    EXPECT_FALSE(known(head + body + "\n}\n")) << body;
  }
}

}  // namespace
}  // namespace sinter
