// Grain programs, compiled and interpreted:
//   grain_programs --examples FOLDER      the programs of a folder, with small dims
//   grain_programs --random N             random ones
//   grain_programs --mutations N FOLDER   those of the folder with one token changed
// --first SEED says where seeds begin, --show SEED prints that random program, --save FILE keeps the text being tried.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/grain/compare.h"
#include "tests/grain/generate.h"
#include "tests/grain/mutate.h"

namespace sinter::grain_test {
namespace {

// Weights whatever a file holds; asked for none, those that were made last, for the interpreter.
std::optional<std::vector<Literal>> make_weights(const std::string& /*path*/, const std::vector<NamedShape>& tensors,
                                                 std::string& /*error*/) {
  static std::vector<Literal> made;
  if (tensors.empty()) return made;
  std::vector<Shape> shapes;
  for (const NamedShape& tensor : tensors) shapes.push_back(tensor.shape);
  return made = generate_inputs(shapes, 3);
}

// A text is compiled, evaluated and interpreted in this many seconds, or it hangs.
constexpr unsigned kSeconds = 60;

struct Tally {
  int agree = 0, refused = 0, unknown = 0, differ = 0;
  std::map<std::string, int> why;  // of those refused and unknown
};

void count(Tally& tally, const Comparison& comparison, const std::string& what, bool is_quiet) {
  switch (comparison.outcome) {
    case Outcome::kAgrees:
      ++tally.agree;
      return;
    case Outcome::kRefused:
      ++tally.refused;
      ++tally.why[comparison.detail.substr(0, is_quiet ? 5 : std::string::npos)];
      return;
    case Outcome::kUnknown:
      ++tally.unknown;
      ++tally.why[comparison.detail];
      return;
    case Outcome::kDiffers:
      ++tally.differ;
      std::printf("%s: %s\n", what.c_str(), comparison.detail.c_str());
  }
}

int report(const Tally& tally, bool shows_why) {
  if (shows_why) {
    for (const auto& [reason, times] : tally.why) std::printf("%6d  %s\n", times, reason.c_str());
  }
  std::printf("%d agree, %d refused, %d not interpreted, %d differ\n", tally.agree, tally.refused, tally.unknown,
              tally.differ);
  return tally.differ == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  int random_programs = 0, mutations = 0;
  uint64_t first = 1;
  bool examples = false, shows_why = false;
  std::string folder, save;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto next = [&] { return ++i < argc ? std::string(argv[i]) : std::string("0"); };
    if (argument == "--examples") {
      examples = true;
    } else if (argument == "--random") {
      random_programs = std::stoi(next());
    } else if (argument == "--mutations") {
      mutations = std::stoi(next());
    } else if (argument == "--first") {
      first = std::stoull(next());
    } else if (argument == "--why") {
      shows_why = true;
    } else if (argument == "--save") {
      save = next();
    } else if (argument == "--show") {
      std::fputs(generate_program(std::stoull(next())).c_str(), stdout);
      return 0;
    } else {
      folder = argument;
    }
  }
  Tally tally;
  int wrongly_refused = 0;
  const auto try_text = [&](const std::string& name, const std::string& text, const ComparisonOptions& options) {
    if (!save.empty()) std::ofstream(save) << text;
    alarm(kSeconds);
    const Comparison comparison = compare(name, text, options);
    alarm(0);
    return comparison;
  };
  // Until so many are no error, or three times as many were tried.
  for (uint64_t seed = first; seed < first + 3 * static_cast<uint64_t>(random_programs); ++seed) {
    if (tally.agree + tally.differ >= random_programs) break;
    ComparisonOptions options;
    options.seed = seed;
    options.is_exact = true;
    const Comparison comparison = try_text("random.grain", generate_program(seed), options);
    count(tally, comparison, "seed " + std::to_string(seed), !shows_why);
    // What is generated is of the grammar.
    if (comparison.outcome != Outcome::kRefused || !comparison.detail.starts_with("E0600")) continue;
    ++wrongly_refused;
    std::printf("seed %s: %s\n", std::to_string(seed).c_str(), comparison.detail.c_str());
  }
  if (tally.agree + tally.differ < random_programs) {
    ++wrongly_refused;
    std::printf("only %d of %d random programs are no error\n", tally.agree + tally.differ, random_programs);
  }
  if (examples || mutations > 0) {
    const std::vector<Program> programs = read_folder(folder);
    const auto options_of = [&](const Program& program, uint64_t seed) {
      ComparisonOptions options;
      options.grain.dims = program.dims;
      options.grain.entry = program.entry;
      options.grain.read_file = read_import;
      options.grain.read_tensors = make_weights;
      options.seed = seed;
      return options;
    };
    for (const Program& program : programs) {
      if (!examples) break;
      const Comparison comparison = try_text(program.path, program.text, options_of(program, first));
      count(tally, comparison, program.path + " " + program.entry, false);
      if (comparison.outcome != Outcome::kRefused) continue;
      ++wrongly_refused;
      std::printf("%s %s: %s\n", program.path.c_str(), program.entry.c_str(), comparison.detail.c_str());
    }
    for (uint64_t seed = first; seed < first + static_cast<uint64_t>(mutations); ++seed) {
      std::mt19937_64 random(seed);
      const Program& program = programs[random() % programs.size()];
      const std::string text = mutate_token(program.text, random);
      const std::string what = "seed " + std::to_string(seed) + ", " + program.path;
      const Comparison comparison = try_text(program.path, text, options_of(program, seed));
      count(tally, comparison, what, true);
      if (comparison.outcome != Outcome::kDiffers) continue;
      // The line that was changed.
      std::istringstream old_lines(program.text), new_lines(text);
      for (std::string a, b; std::getline(old_lines, a) && std::getline(new_lines, b);) {
        if (a != b) std::printf("  - %s\n  + %s\n", a.c_str(), b.c_str());
      }
    }
  }
  const int status = report(tally, shows_why);
  return wrongly_refused > 0 ? 1 : status;
}

}  // namespace
}  // namespace sinter::grain_test

int main(int argc, char** argv) { return sinter::grain_test::run(argc, argv); }
