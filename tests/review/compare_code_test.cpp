// compare_builds on edits of small kernels. A file of edits/ is a kernel file, a line "==== edits", and paragraphs
//
//   NAME: VERDICT DETAILS
//   - a piece of the kernel's text, which stands there once
//   + what it becomes ("\n" is a new line)
//
// SINTER_BLESS=1 writes what is so; each verdict is one to look at.
#include "review/diff/compare_builds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sinter {
namespace {

const std::string kSource = SINTER_SOURCE_DIR;

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void replace_all(std::string* text, const std::string& from, const std::string& to) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

FileSet project_of(const std::string& kernel) {
  FileSet files = {{"kernels/k.cu", kernel}};
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/templates/device")) {
    files["device/" + entry.path().filename().string()] = read(entry.path());
  }
  return files;
}

std::string verdict_on(const std::string& before, const std::string& after) {
  std::string error;
  const std::string path = "kernels/k.cu";
  const FileSet files = project_of(before), files_after = project_of(after);
  const FolderReader reader(files), reader_after(files_after);
  const std::optional<Code> a = reader.read(path, error);
  if (!a) return "unreadable base: " + error;
  const std::optional<Code> b = reader_after.read(path, error);
  if (!b) return "unknown clang does not take it";
  const CodeComparison comparison = compare_builds({files, reader, path, *a}, {files_after, reader_after, path, *b});
  std::string text = verdict_name(comparison.verdict);
  if (!comparison.reason.empty()) text += " " + comparison.reason;
  for (const NumberChange& change : comparison.numbers) {
    text += (&change == comparison.numbers.data() ? " " : ", ") + change.name + (change.name.empty() ? "" : " ");
    text += change.from + " -> " + change.to;
  }
  for (const Rename& rename : comparison.renames) {
    text += (&rename == comparison.renames.data() ? " " : ", ") + rename.from + " => " + rename.to;
  }
  return text;
}

// The file with the verdicts that hold; `changed` counts those that do not.
std::string check(const std::string& text, int* edits) {
  const std::string mark = "==== edits\n";
  const size_t at = text.find(mark);
  if (at == std::string::npos) return "no line ==== edits";
  const std::string base = text.substr(0, at);
  std::string result = text.substr(0, at + mark.size());
  std::istringstream rest(text.substr(at + mark.size()));
  std::string line, name, edited, body;
  const auto finish = [&] {
    if (name.empty()) return;
    result += name + ": " + verdict_on(base, edited) + "\n" + body;
    name.clear();
    body.clear();
    ++*edits;
  };
  std::string from;
  while (std::getline(rest, line)) {
    if (line.starts_with("- ") || line.starts_with("+ ")) {
      body += line + "\n";
      std::string piece = line.substr(2);
      replace_all(&piece, "\\n", "\n");
      if (line[0] == '-') {
        from = piece;
        continue;
      }
      const size_t place = edited.find(from);
      EXPECT_TRUE(place != std::string::npos && edited.find(from, place + 1) == std::string::npos)
          << name << ": " << from;
      if (place != std::string::npos) edited.replace(place, from.size(), piece);
    } else if (line.empty() || line[0] == '#') {
      finish();
      result += line + "\n";
    } else {
      finish();
      name = line.substr(0, line.find(':'));
      edited = base;
    }
  }
  finish();
  return result;
}

TEST(CompareCode, Edits) {
  int edits = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/tests/review/edits")) {
    const std::string text = read(entry.path());
    const std::string result = check(text, &edits);
    if (std::getenv("SINTER_BLESS") != nullptr) {
      std::ofstream(entry.path()) << result;
    } else {
      EXPECT_EQ(result, text) << entry.path();
    }
  }
  EXPECT_GE(edits, 80);
}

}  // namespace
}  // namespace sinter
