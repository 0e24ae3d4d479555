// Runs text tests (text_case.h): filetest --sinter PATH [--bless] FILE_OR_FOLDER...
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/filetest/text_case.h"

namespace {

// The folder of the samples in the tree that holds the case.
std::filesystem::path samples_beside(const std::filesystem::path& path) {
  std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  while (!std::filesystem::exists(folder / "samples/manifest.json") && folder.has_relative_path())
    folder = folder.parent_path();
  return folder / "samples";
}

namespace fs = std::filesystem;
using namespace sinter::filetest;

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void spill(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

constexpr const char* kPlanFile = "plan.txt";

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// Runs sinter with the input on standard input; -1 as exit status if it was killed.
RunResult run_sinter(const std::string& sinter, const TextCase& test, const fs::path& scratch) {
  const std::string plan = (scratch / kPlanFile).string();
  spill(plan, test.plan);
  const std::string in = (scratch / "in").string(), out = (scratch / "out").string(), err = (scratch / "err").string();
  spill(in, standard_input(test));
  spill(out, "");  // a redirection does not shorten what is there
  spill(err, "");
  std::vector<llvm::StringRef> arguments = {sinter};
  for (const std::string& argument : test.arguments) arguments.push_back(argument);
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(in), llvm::StringRef(out), llvm::StringRef(err)};
  std::string problem;
  RunResult result;
  result.exit_status = llvm::sys::ExecuteAndWait(sinter, arguments, std::nullopt, redirects, 120, 0, &problem);
  result.out = slurp(out);
  result.err = slurp(err) + problem;
  replace_all(result.err, plan, kPlanFile);
  return result;
}

std::vector<fs::path> find_tests(const std::vector<std::string>& arguments) {
  std::vector<fs::path> tests;
  for (const std::string& argument : arguments) {
    if (!fs::is_directory(argument)) {
      tests.push_back(argument);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argument)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".hlo" || extension == ".grain" || extension == ".txt" || extension == ".tree")
        tests.push_back(entry.path());
    }
  }
  std::sort(tests.begin(), tests.end());
  return tests;
}

}  // namespace

int main(int argc, char** argv) {
  std::string sinter;
  std::vector<std::string> arguments;
  bool bless = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--bless") {
      bless = true;
    } else if (argument == "--sinter" && i + 1 < argc) {
      sinter = argv[++i];
    } else {
      arguments.push_back(argument);
    }
  }
  if (sinter.empty() || arguments.empty()) {
    std::cerr << "usage: filetest --sinter PATH [--bless] FILE_OR_FOLDER...\n";
    return 2;
  }
  llvm::SmallString<128> scratch;
  if (llvm::sys::fs::createUniqueDirectory("filetest", scratch)) return 2;

  int failed = 0, count = 0;
  for (const fs::path& path : find_tests(arguments)) {
    ++count;
    const std::string content = slurp(path);
    TextCase test;
    std::string problem;
    const fs::path plan = fs::path(scratch.str().str()) / kPlanFile;
    const Places places = {path.parent_path().string(), samples_beside(path).string(), plan.string()};
    if (!parse_case(content, places, test, problem)) {
      std::cout << "FAIL " << path.string() << "\n  " << problem << "\n";
      ++failed;
      continue;
    }
    RunResult result = run_sinter(sinter, test, scratch.str().str());
    replace_all(result.err, places.samples, "%s");
    replace_all(result.err, places.folder, "%d");
    const std::string wrong = judge(test, result, bless);
    if (!wrong.empty()) {
      std::cout << "FAIL " << path.string() << "\n" << wrong;
      ++failed;
    } else if (bless) {
      const std::string text = blessed(content, test, result);
      if (text != content) {
        spill(path, text);
        std::cout << "blessed " << path.string() << "\n";
      }
    }
  }
  llvm::sys::fs::remove_directories(scratch);
  std::cout << count - failed << " of " << count << " text tests pass\n";
  return failed == 0 && count > 0 ? 0 : 1;
}
