// A plan file that says what would have been chosen changes nothing, and one with a mistake is refused where it is
// made.
#include <gtest/gtest.h>

#include <filesystem>

#include "driver/compile/compile.h"
#include "driver/compile/known_plans.h"
#include "driver/system/files.h"
#include "frontend/hlo/parse_hlo.h"
#include "passes/stages/domain/choose_domain.h"

namespace sinter {
namespace {

std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(SINTER_SOURCE_DIR) + "/samples")) {
    const std::filesystem::path file = folder.path() / (folder.path().filename().string() + ".hlo");
    if (std::filesystem::exists(file)) files.push_back(file);
  }
  return files;
}

// Of a text test, what stands before its expectation.
Source read_source(const std::filesystem::path& file) {
  std::string error, text = read_file(file.string(), error).value_or("");
  return {.name = file.filename().string(), .text = text.substr(0, text.find("// ===="))};
}

// The samples, programs of each kind of row and stage, and loops of threads.
std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> files = samples();
  for (const char* folder : {"loops", "rows", "stages"}) {
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(SINTER_SOURCE_DIR) + "/tests/text/kernels/" + folder)) {
      if (file.path().extension() == ".hlo") files.push_back(file.path());
    }
  }
  return files;
}

// The samples, and programs that were planned badly once.
TEST(Plan, OfItsOwnChangesNothing) {
  std::vector<std::filesystem::path> files = samples();
  for (const auto& file : std::filesystem::directory_iterator(std::string(SINTER_SOURCE_DIR) + "/bench/slow"))
    files.push_back(file.path());
  int count = 0;
  for (const std::filesystem::path& file : files) {
    const Source source = read_source(file);
    Diagnostics diagnostics(source);
    std::optional<Artifact> chosen = compile({}, diagnostics);
    ASSERT_TRUE(chosen) << diagnostics.render();
    CompileOptions options;
    options.schedule.plan = std::make_shared<const Source>(Source{"plan.txt", chosen->files.at("plan.txt")});
    std::optional<Artifact> planned = compile(options, diagnostics);
    ASSERT_TRUE(planned) << source.name << "\n" << diagnostics.render();
    // The manifest says that there was a plan.
    chosen->files.erase("manifest.json");
    planned->files.erase("manifest.json");
    ASSERT_EQ(chosen->files.size(), planned->files.size()) << source.name;
    for (const auto& [path, text] : chosen->files)
      EXPECT_EQ(planned->files.at(path), text) << source.name << " " << path;
    ++count;
  }
  EXPECT_GE(count, 40);
}

// Each file of a program but its manifest, which says that there was a plan, and fusion.json, whose reasons are those
// that the scheduler has today.
FileSet files_of(const CompileOptions& options, const Source& source) {
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile(options, diagnostics);
  EXPECT_TRUE(artifact) << diagnostics.render();
  if (!artifact) return {};
  artifact->files.erase("manifest.json");
  artifact->files.erase("fusion.json");
  return std::move(artifact->files);
}

// Wherever the search is asked, it now answers otherwise: a plan of before says all that it said.
TEST(Plan, MeansTheSameWhateverWouldBeChosen) {
  int different = 0;
  for (const std::filesystem::path& file : programs()) {
    const Source source = read_source(file);
    const FileSet before = files_of({}, source);
    choose_otherwise = true;
    const FileSet now = files_of({}, source);
    CompileOptions options;
    options.schedule.plan = std::make_shared<const Source>(Source{"plan.txt", before.at("plan.txt")});
    const FileSet planned = files_of(options, source);
    choose_otherwise = false;
    EXPECT_EQ(planned.size(), before.size()) << source.name;
    for (const auto& [path, text] : before) EXPECT_EQ(planned.at(path), text) << source.name << " " << path;
    if (now.at("plan.txt") != before.at("plan.txt")) ++different;
  }
  EXPECT_GE(different, 15);
}

// A form of a program that is planned already is known by all that a plan may depend on.
TEST(Plan, IsKnownByTextAndUsers) {
  const Source source = {.name = "m.hlo", .text = R"(HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  a = f32[4] negate(x)
  b = f32[4] add(x, y)
  ROOT c = f32[4] multiply(a, b)
}
)"};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> first = parse_hlo(diagnostics), other = parse_hlo(diagnostics);
  ASSERT_TRUE(first && other) << diagnostics.render();
  EXPECT_EQ(plan_key(*first), plan_key(*other));
  // The same text, but `x` has its users in another order.
  const std::vector<Instruction*> parameters = other->entry()->parameters();
  Instruction* user = parameters[0]->users()[0];
  user->set_operand(0, parameters[1]);
  EXPECT_NE(plan_key(*first), plan_key(*other));
  user->set_operand(0, parameters[0]);
  EXPECT_NE(plan_key(*first), plan_key(*other));
}

}  // namespace
}  // namespace sinter
