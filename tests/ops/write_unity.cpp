// Writes what is emitted for the op tests as a few CUDA sources of many programs each, so that nvcc can be asked about
// all of them (build_with_nvcc.sh).
//
//   write_unity tests/ops FOLDER      FOLDER/00.cu, FOLDER/01.cu, ... and the headers they include
#include <exception>
#include <filesystem>
#include <iostream>
#include <vector>

#include "driver/build/unity_source.h"
#include "driver/compile/compile.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "tests/conformance/corpus.h"

namespace sinter {
namespace {

constexpr size_t kPrograms = 48;  // of one source

int write_all(const std::string& tests, const std::string& folder) {
  const std::vector<CorpusCase> cases = read_op_tests(tests, {});
  std::vector<FileSet> emitted(cases.size());
  std::vector<std::string> names(cases.size());
  for_each_parallel(cases.size(), [&](size_t i) {
    if (cases[i].is_refused) return;
    CompileOptions options;
    options.name = "case_" + std::to_string(i);
    Diagnostics diagnostics(cases[i].source);
    std::optional<Artifact> artifact = compile(options, diagnostics);
    if (!artifact) return;  // emitted_corpus tells of it
    names[i] = artifact->program.name;
    emitted[i] = std::move(artifact->files);
  });
  std::vector<LibraryProgram> programs;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!names[i].empty()) programs.push_back({names[i], &emitted[i]});
  }
  FileSet files = unity_headers();
  int number = 0;
  for (size_t begin = 0; begin < programs.size(); begin += kPrograms, ++number) {
    const size_t end = std::min(begin + kPrograms, programs.size());
    files[std::to_string(number) + ".cu"] =
        "#include \"head.h\"\n" + unity_source({programs.begin() + static_cast<std::ptrdiff_t>(begin),
                                                programs.begin() + static_cast<std::ptrdiff_t>(end)});
  }
  std::cout << programs.size() << " programs in " << number << " sources\n";
  std::string error;
  for (const auto& [path, text] : files) {
    std::filesystem::create_directories(std::filesystem::path(folder + "/" + path).parent_path());
    if (!write_file(folder + "/" + path, text, error)) {
      std::cerr << error << "\n";
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: write_unity FOLDER-OF-OP-TESTS FOLDER\n";
    return 2;
  }
  try {
    return sinter::write_all(argv[1], argv[2]);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
