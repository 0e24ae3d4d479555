// Broken Grain texts against the parser, the formatter and the compiler:
//   grain_fuzz MINUTES FOLDER [FILE [SEED]]
// Texts are the folder's programs with several changes each. None may crash or take longer than kSeconds, and each is a
// module that is valid or has an error. FILE keeps the text that is tried, which is there after a crash; seeds
// begin at SEED, or 1.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>

#include "frontend/grain/parse_grain.h"
#include "frontend/grain/text/format.h"
#include "ir/verify/verify.h"
#include "tests/grain/mutate.h"

namespace sinter::grain_test {
namespace {

constexpr unsigned kSeconds = 20;

// What is wrong, or empty.
std::string check_text(const std::string& path, const std::string& text, const GrainOptions& options, int& modules) {
  const Source source{path, text};
  try {
    Diagnostics diagnostics(source);
    if (const std::optional<std::string> formatted = format_grain(diagnostics)) {
      const Source again{path, *formatted};
      Diagnostics none(again);
      const std::optional<std::string> twice = format_grain(none);
      if (!twice) return "what is formatted does not parse: " + none.render();
      if (*twice != *formatted) return "formatting again changes the text";
    } else if (diagnostics.ok()) {
      return "not formatted, and no error";
    }
    Diagnostics of_compile(source);
    const std::unique_ptr<Module> module = parse_grain(of_compile, options);
    if ((module == nullptr) == of_compile.ok()) return "neither a module nor an error, or both";
    of_compile.render();
    if (!module) return "";
    ++modules;
    Diagnostics of_module(source);
    if (!verify(*module, of_module)) return "the module is not valid: " + of_module.render();
  } catch (const std::exception& error) {
    return std::string("thrown: ") + error.what();
  }
  return "";
}

int run(double minutes, const std::string& folder, const std::string& save, uint64_t first) {
  const std::vector<Program> programs = read_folder(folder);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(minutes * 60);
  int tried = 0, modules = 0, wrong = 0;
  double slowest = 0;
  for (uint64_t seed = first; std::chrono::steady_clock::now() < end; ++seed, ++tried) {
    std::mt19937_64 random(seed);
    const Program& program = programs[random() % programs.size()];
    const std::string text = mutate_much(program.text, programs[random() % programs.size()].text, random);
    if (!save.empty()) std::ofstream(save) << text;
    GrainOptions options;
    options.dims = program.dims;
    options.entry = program.entry;
    options.read_file = read_import;
    alarm(kSeconds);
    const auto begin = std::chrono::steady_clock::now();
    const std::string problem = check_text(program.path, text, options, modules);
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    alarm(0);
    if (problem.empty()) continue;
    ++wrong;
    std::printf("seed %llu, %s: %s\n", static_cast<unsigned long long>(seed), program.path.c_str(), problem.c_str());
    if (!save.empty()) std::ofstream(save + "." + std::to_string(wrong)) << text;
  }
  std::printf("%d texts, %d of them modules, %d wrong; the slowest took %.2f s\n", tried, modules, wrong, slowest);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sinter::grain_test

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "grain_fuzz MINUTES FOLDER [FILE [SEED]]\n");
    return 2;
  }
  return sinter::grain_test::run(std::stod(argv[1]), argv[2], argc > 3 ? argv[3] : "",
                                 argc > 4 ? std::stoull(argv[4]) : 1);
}
