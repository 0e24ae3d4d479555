// Small edits of a model change few files of what is emitted: for each edit of edits.txt the files under kernels/ that
// change, appear or go are those that it names. SINTER_BLESS=1 writes what is so instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "driver/compile/compile.h"
#include "driver/system/files.h"

namespace sinter {
namespace {

const std::string kFolder = std::string(SINTER_SOURCE_DIR) + "/tests/stability/";

std::string read(const std::string& path) {
  std::string error;
  const std::optional<std::string> text = read_file(path, error);
  if (!text) throw std::runtime_error(error);
  return *text;
}

// The files under kernels/ by name, without folder and ending.
std::map<std::string, std::string> kernels_of(const std::string& model, const std::string& edit) {
  const std::string path = kFolder + "texts/" + model + "/" + edit + ".hlo";
  const Source source = {.name = path, .text = read(path)};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile({}, diagnostics);
  if (!artifact) throw std::runtime_error(diagnostics.render());
  const std::string prefix = "kernels/", suffix = ".cu";
  std::map<std::string, std::string> kernels;
  for (const auto& [name, text] : artifact->files) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
    kernels[name.substr(prefix.size(), name.size() - prefix.size() - suffix.size())] = text;
  }
  return kernels;
}

// "loss_1, +dense_6, -sub" or "nothing".
std::string changes(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after) {
  std::vector<std::string> names;
  for (const auto& [name, text] : before) {
    const auto found = after.find(name);
    if (found == after.end()) {
      names.push_back("-" + name);
    } else if (found->second != text) {
      names.push_back(name);
    }
  }
  for (const auto& [name, text] : after) {
    if (before.count(name) == 0) names.push_back("+" + name);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "nothing" : list;
}

TEST(Stability, EditsChangeWhatTheyMust) {
  std::istringstream lines(read(kFolder + "edits.txt"));
  std::map<std::string, std::map<std::string, std::string>> bases;
  std::string blessed, line;
  int edits = 0;
  for (bool first = true; std::getline(lines, line); first = line.empty()) {
    const size_t colon = line.find(':'), slash = line.find('/');
    if (!first || line.empty() || line[0] == '#' || colon == std::string::npos || slash > colon) {
      blessed += line + "\n";
      continue;
    }
    const std::string model = line.substr(0, slash), edit = line.substr(slash + 1, colon - slash - 1);
    if (bases.count(model) == 0) bases[model] = kernels_of(model, "base");
    const std::string heading = line.substr(0, colon) + ": ";
    const std::string actual = heading + changes(bases[model], kernels_of(model, edit));
    if (std::getenv("SINTER_BLESS") == nullptr) {
      EXPECT_EQ(line, actual);
    }
    blessed += actual + "\n";
    ++edits;
  }
  EXPECT_GE(edits, 40);
  if (std::getenv("SINTER_BLESS") == nullptr) return;
  std::string error;
  ASSERT_TRUE(write_file(kFolder + "edits.txt", blessed, error)) << error;
}

}  // namespace
}  // namespace sinter
