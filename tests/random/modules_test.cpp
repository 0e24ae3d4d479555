// Short modules in which operations meet in odd ways, from modules/: each is kept by every pass and computed by the
// emitted code, by bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "driver/system/files.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/verify/verify.h"
#include "tests/random/batch.h"
#include "tests/random/check_module.h"
#include "tests/random/operations/draft.h"

namespace sinter {
namespace {

// Small integers of either sign: every sum is exact.
std::vector<Literal> draw(const Module& module) {
  Random random(1);
  std::vector<Literal> inputs;
  for (const Shape& shape : input_shapes(module)) {
    inputs.push_back(random_literal(random, shape.dtype, shape.dims, {.magnitude = 4, .integral = true}));
  }
  return inputs;
}

TEST(Modules, AreRight) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SINTER_SOURCE_DIR "/tests/random/modules")) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<CheckedProgram> items;
  for (const std::string& path : paths) {
    std::string error;
    const std::optional<std::string> text = read_file(path, error);
    ASSERT_TRUE(text) << error;
    const Source source = {.name = path, .text = *text};
    Diagnostics diagnostics(source);
    const std::unique_ptr<Module> module = parse_hlo(diagnostics);
    ASSERT_TRUE(module && verify(*module, diagnostics)) << diagnostics.render();
    CheckedProgram item;
    item.program = {.name = module->name, .text = *text, .inputs = {}};
    item.inputs = draw(*module);
    const std::optional<std::vector<Literal>> expected = results_of(*module, item.inputs, error);
    ASSERT_TRUE(expected) << path << ": " << error;
    EXPECT_EQ(check_round_trip(*module), "") << path;
    EXPECT_EQ(check_passes(*module, item.inputs, *expected), "") << path;
    items.push_back(std::move(item));
  }
  check_batch(items, {.one_kernel = false, .verify = true, .orders = {"", "reverse", "7"}});
  for (const CheckedProgram& item : items) EXPECT_EQ(item.problem, "") << item.program.name << ": " << item.detail;
}

}  // namespace
}  // namespace sinter
