// The comments at the head of the samples' kernels: every name that a formula reads is one of the arrays, of another
// formula, of the code under it, or said not to be shown.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace sinter {
namespace {

namespace fs = std::filesystem;

struct Formula {
  std::string name;  // several where an operation has several results
  std::string text;
};

struct Header {
  std::set<std::string> names;  // of arrays, formulas and the code
  std::vector<Formula> formulas;
};

void add_identifiers(const std::string& text, std::set<std::string>* result) {
  static const std::regex identifier("[A-Za-z_]\\w*");
  for (std::sregex_iterator i(text.begin(), text.end(), identifier), end; i != end; ++i) result->insert(i->str());
}

// "a_0 .. a_3" stands for the four.
void add_array(const std::string& text, std::set<std::string>* names) {
  static const std::regex run("(\\w+?_)(\\d+)(\\w*) \\.\\. \\w+?_(\\d+)\\w*");
  std::smatch match;
  if (!std::regex_match(text, match, run)) {
    names->insert(text);
    return;
  }
  for (int i = std::stoi(match[2]); i <= std::stoi(match[4]); ++i) {
    names->insert(match[1].str() + std::to_string(i) + match[3].str());
  }
}

Header read_header(const fs::path& path) {
  static const std::regex array("//   (in |out)  (.*?) {3,}\\S+"), formula("//   (\\w[\\w, ]*?) += (.*)");
  static const std::regex continued("// {8,}(\\S.*)");
  Header header;
  std::ifstream in(path);
  bool in_header = true;
  for (std::string line; std::getline(in, line);) {
    in_header &= line.rfind("//", 0) == 0;
    std::smatch match;
    if (in_header && line.rfind("//   Not shown: ", 0) == 0) {
      add_identifiers(line.substr(line.find(':')), &header.names);
    } else if (!in_header) {
      add_identifiers(line.substr(0, line.find("//")), &header.names);
    } else if (std::regex_match(line, match, array)) {
      add_array(match[2], &header.names);
    } else if (std::regex_match(line, match, formula)) {
      header.formulas.push_back({match[1], match[2]});
      add_identifiers(match[1], &header.names);
    } else if (std::regex_match(line, match, continued) && !header.formulas.empty()) {
      header.formulas.back().text += " " + match[1].str();
    }
  }
  return header;
}

// The names of values alone: without attributes ("to_apply=add"), operations, results of a name, numbers and words.
std::set<std::string> names_read(std::string text) {
  for (const char* other : {"\\w+=(\\{[^}]*\\}|[^\\s)]*)", "[A-Za-z_][\\w-]*\\(", "\\.(first|second|result_\\d+)\\b",
                            "\\b\\d+(\\.\\d+)?(e[+-]?\\d+)?"}) {
    text = std::regex_replace(text, std::regex(other), " ");
  }
  std::set<std::string> names;
  add_identifiers(text, &names);
  for (const char* word : {"and", "or", "with", "replaced", "by", "inf", "nan", "true", "false"}) names.erase(word);
  return names;
}

TEST(KernelHeaders, FormulasReadKnownNames) {
  size_t formulas = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINTER_SOURCE_DIR) / "samples")) {
    if (entry.path().extension() != ".cu" || entry.path().parent_path().filename() != "kernels") continue;
    const Header header = read_header(entry.path());
    for (const Formula& formula : header.formulas) {
      ++formulas;
      for (const std::string& name : names_read(formula.text)) {
        EXPECT_TRUE(header.names.count(name) > 0)
            << entry.path().string() << ": " << name << " of " << formula.name << " = " << formula.text;
      }
    }
  }
  EXPECT_GT(formulas, 100u);
}

// A variable that says where an array is read is not what stands there.
TEST(KernelHeaders, StartsArePlaces) {
  static const std::regex start("start(_\\d+)?");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINTER_SOURCE_DIR) / "samples")) {
    if (entry.path().extension() != ".cu" || entry.path().parent_path().filename() != "kernels") continue;
    for (const Formula& formula : read_header(entry.path()).formulas) {
      if (!std::regex_match(formula.name, start)) continue;
      EXPECT_EQ(formula.text.rfind("clamp(0, ", 0), 0u) << entry.path().string() << ": " << formula.text;
    }
  }
}

}  // namespace
}  // namespace sinter
