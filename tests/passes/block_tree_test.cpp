// What lowering counts of device/block_tree.cuh is what stands there.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "passes/stages/domain/launch_shape.h"

namespace sinter {
namespace {

TEST(BlockTree, GroupsHaveAsManyBlocksAsLoweringCounts) {
  std::ostringstream text;
  text << std::ifstream(SINTER_SOURCE_DIR "/templates/device/block_tree.cuh").rdbuf();
  EXPECT_NE(text.str().find("kGroup = " + std::to_string(kBlocksAGroup) + ";"), std::string::npos);
}

}  // namespace
}  // namespace sinter
