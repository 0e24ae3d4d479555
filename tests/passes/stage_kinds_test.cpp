// The table of stages: which kind a value asks for, how kinds meet in one kernel, and that each kind is lowered.
#include <gtest/gtest.h>

#include <algorithm>

#include "passes/lower/stages/stage_lowerings.h"
#include "passes/stages/stage_kind.h"
#include "tests/passes/parse_module.h"

namespace sinter {
namespace {

const std::string kStagesProgram =
    "HloModule test\n\n"
    "add {\n p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, q)\n}\n\n"
    "ENTRY main {\n"
    " x = f32[512,512] parameter(0)\n zero = f32[] constant(0)\n"
    " elements = f32[512,512] exponential(x)\n"
    " rows = f32[512] reduce(x, zero), dimensions={1}, to_apply=add\n"
    " few = f32[512,128] reduce(parts, zero), dimensions={2}, to_apply=add\n"
    " dot = f32[512,512] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    " sums = f32[512,512] reduce-window(x, zero), window={size=1x512 pad=0_0x511_0}, to_apply=add\n"
    " waves = c64[512,512] fft(waves_in), fft_type=FFT, fft_length={512}\n"
    " ROOT all = (f32[512,512], f32[512], f32[512,128], f32[512,512], f32[512,512], c64[512,512]) "
    "tuple(elements, rows, few, dot, sums, waves)\n}\n";

class StageKinds : public testing::Test {
 protected:
  StageKinds() {
    std::string text = kStagesProgram;
    text.insert(text.find(" few ="), " parts = f32[512,128,4] reshape(x)\n");
    text.insert(text.find(" waves ="), " waves_in = c64[512,512] complex(x, x)\n");
    module_ = parse_module(text);
  }
  const Instruction& value(const std::string& name) const {
    const auto& all = module_->entry()->instructions();
    return *std::find_if(all.begin(), all.end(), [&](const Instruction& other) { return other.name == name; });
  }
  std::string_view kind(const std::string& name) const { return form_of(value(name)).kind->word; }

  std::unique_ptr<Module> module_;
};

TEST_F(StageKinds, AValueAsksForAKind) {
  EXPECT_EQ(kind("elements"), "map");
  EXPECT_EQ(kind("rows"), "row");
  EXPECT_EQ(kind("few"), "map");
  EXPECT_EQ(kind("dot"), "contract");
  EXPECT_EQ(kind("sums"), "scan");
  EXPECT_EQ(kind("waves"), "fft");
  EXPECT_EQ(form_of(value("rows")).rows, (RowExtents{512, 512, 1}));
  EXPECT_EQ(form_of(value("dot")).rows, std::nullopt);
}

TEST_F(StageKinds, TwoKindsAreNotOneKernel) {
  const StageForm rows = form_of(value("rows")), dot = form_of(value("dot"));
  EXPECT_EQ(with_value(plain_form(), value("elements")), plain_form());
  EXPECT_EQ(with_value(plain_form(), value("dot")), dot);
  EXPECT_EQ(with_value(dot, value("elements")), dot);
  EXPECT_EQ(with_value(rows, value("rows")), rows);
  EXPECT_EQ(with_value(rows, value("dot")), std::nullopt);
  EXPECT_EQ(with_value(dot, value("dot")), std::nullopt);
}

TEST_F(StageKinds, ValuesTogetherHaveTheFormOfOneOfThem) {
  const std::optional<RowExtents> rows = form_of(value("rows")).rows;
  EXPECT_EQ(form_of({&value("elements"), &value("rows")}, rows), form_of(value("rows")));
  EXPECT_EQ(form_of({&value("elements"), &value("rows")}, std::nullopt), plain_form());
  EXPECT_EQ(form_of({&value("elements"), &value("dot")}, std::nullopt), form_of(value("dot")));
}

TEST(StageTables, HaveTheSameWords) {
  std::vector<std::string_view> kinds, lowerings;
  for (const StageKind& kind : stage_kinds()) kinds.push_back(kind.word);
  for (const StageLowering& lowering : stage_lowerings()) lowerings.push_back(lowering.word);
  EXPECT_EQ(kinds, lowerings);
}

TEST(StageTables, AreReadFromTheTree) {
  EXPECT_EQ(stage_kind("row(across)")->word, "row");
  EXPECT_EQ(stage_kind("contract(mma 128x128x32, stages 4)")->word, "contract");
  EXPECT_EQ(stage_kind("map")->word, "map");
  EXPECT_EQ(stage_kind("mop"), nullptr);
  EXPECT_EQ(stage_kind(""), nullptr);
}

}  // namespace
}  // namespace sinter
