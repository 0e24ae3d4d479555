// What the documentation shows is so: reason codes and moves are explained as they are declared, and a kernel is as it
// is emitted.
#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "driver/compile/plan_report.h"
#include "driver/system/files.h"
#include "passes/reasons/reasons.h"
#include "passes/schedule/tree/moves.h"

namespace sinter {
namespace {

// The tables of the pages, as what is declared makes them.
std::string table_of_reasons() {
  std::string table = "| code | what it says | what may help |\n|---|---|---|\n";
  for (const Reason& reason : kReasons) {
    table +=
        "| " + std::string(reason.code) + " | " + std::string(reason.what) + " | " + std::string(reason.help) + " |\n";
  }
  return table;
}

std::string table_of_moves() {
  std::string table = "| move | what it does |\n|---|---|\n";
  for (const MoveName& move : kMoveNames)
    table += "| " + std::string(move.name) + " | " + std::string(move.what) + " |\n";
  return table;
}

// The page has the table, up to its next empty line. SINTER_BLESS=1 writes it.
void expect_table(const std::string& file, const std::string& table) {
  const std::string path = std::string(SINTER_SOURCE_DIR) + "/docs/" + file;
  std::string error;
  const std::string page = read_file(path, error).value_or("");
  const size_t begin = page.find(table.substr(0, table.find('\n')));
  ASSERT_NE(begin, std::string::npos) << error;
  const size_t blank = page.find("\n\n", begin), end = blank == std::string::npos ? page.size() : blank + 1;
  if (std::getenv("SINTER_BLESS") != nullptr) {
    ASSERT_TRUE(write_file(path, page.substr(0, begin) + table + page.substr(end), error)) << error;
  } else {
    EXPECT_EQ(page.substr(begin, end - begin), table);
  }
}

TEST(Reasons, AreDocumented) { expect_table("reasons.md", table_of_reasons()); }

TEST(Moves, AreDocumented) { expect_table("schedule.md", table_of_moves()); }

TEST(Reasons, AreAllThatPlansGive) {
  std::string error;
  int plans = 0;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(SINTER_SOURCE_DIR) + "/samples")) {
    const std::filesystem::path file = folder.path() / (folder.path().filename().string() + ".hlo");
    if (!std::filesystem::exists(file)) continue;
    const Source source = {.name = file.filename().string(), .text = read_file(file.string(), error).value_or("")};
    Diagnostics diagnostics(source);
    const std::optional<Artifact> artifact = compile({}, diagnostics);
    ASSERT_TRUE(artifact) << diagnostics.render();
    ++plans;
    for (const PlanReport::Boundary& boundary : report_plan(*artifact).boundaries) {
      EXPECT_NE(find_reason(boundary.reason), nullptr)
          << source.name << ": " << boundary.value << ": '" << boundary.reason << "'";
    }
  }
  EXPECT_GE(plans, 15);
}

// A reason that nothing gives any more has no place in the table.
TEST(Reasons, AreGivenSomewhere) {
  std::string sources, error;
  for (const char* folder : {"/passes", "/driver"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(std::string(SINTER_SOURCE_DIR) + folder)) {
      if (file.path().extension() != ".cpp") continue;
      sources += read_file(file.path().string(), error).value_or("");
    }
  }
  for (const Reason& reason : kReasons) {
    EXPECT_NE(sources.find("\"" + std::string(reason.code) + "\""), std::string::npos) << reason.code;
  }
}

void collect_keys(const llvm::json::Value& value, std::set<std::string>& keys) {
  if (const llvm::json::Object* object = value.getAsObject()) {
    for (const auto& [key, inner] : *object) {
      keys.insert(key.str());
      collect_keys(inner, keys);
    }
  }
  if (const llvm::json::Array* array = value.getAsArray()) {
    for (const llvm::json::Value& inner : *array) collect_keys(inner, keys);
  }
}

TEST(Explain, NamesOfJsonAreDocumented) {
  PlanReport report;
  report.unfused = PlanReport::Unfused();
  report.loops.emplace_back();
  report.kernels.emplace_back().slow = PlanReport::Slow{};
  report.boundaries.emplace_back();
  report.boundaries[0].alternative.emplace();
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(plan_report_json(report));
  ASSERT_TRUE(static_cast<bool>(json));
  std::set<std::string> keys;
  collect_keys(*json, keys);
  std::string error;
  const std::string page = read_file(std::string(SINTER_SOURCE_DIR) + "/docs/schedule.md", error).value_or("");
  const size_t begin = page.find("\n## explain --json");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  EXPECT_GE(keys.size(), 25u);
  for (const std::string& key : keys) EXPECT_NE(section.find("`" + key + "`"), std::string::npos) << key;
}

// What the page shows of editing a plan is what text tests expect.
TEST(Plans, ExamplesAreTested) {
  const std::string root = SINTER_SOURCE_DIR;
  std::string error;
  const std::string page = read_file(root + "/docs/schedule.md", error).value_or("");
  const std::string tests = read_file(root + "/tests/text/plans/docs_example.txt", error).value_or("") +
                            read_file(root + "/tests/text/plans/docs_wrong_edit.txt", error).value_or("");
  const size_t begin = page.find("\n## Editing a plan");
  ASSERT_NE(begin, std::string::npos) << error;
  const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  const std::string fence = "\n```\n";
  int blocks = 0;
  for (size_t at = section.find(fence); at != std::string::npos; at = section.find(fence, at)) {
    const size_t end = section.find(fence, at + fence.size());
    ASSERT_NE(end, std::string::npos);
    const std::string block = section.substr(at + fence.size(), end + 1 - at - fence.size());
    EXPECT_NE(tests.find(block), std::string::npos) << block;
    at = end + fence.size() - 1;
    ++blocks;
  }
  EXPECT_GE(blocks, 4);
}

TEST(Readme, ShowsTheKernelOfTheSample) {
  const std::filesystem::path root = SINTER_SOURCE_DIR;
  std::string error;
  const std::string page = read_file((root / "README.md").string(), error).value_or("");
  const std::string kernel = read_file((root / "samples/softmax/out/kernels/softmax.cu").string(), error).value_or("");
  ASSERT_FALSE(kernel.empty()) << error;
  EXPECT_NE(page.find(kernel), std::string::npos) << "README.md shows another kernel than samples/softmax";
}

}  // namespace
}  // namespace sinter
