// sinter new: a project that builds, around a program in Grain (templates/new).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/system/files.h"
#include "driver/tensors/tensors.h"
#include "emitter/host/emit_template.h"
#include "emitter/text/emit_names.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

// What templates/new/program.grain takes for n = 8, and gives.
constexpr int kElements = 8;

std::vector<Literal> inputs() {
  Literal x(Shape::array(DType::kF32, {kElements}));
  for (int i = 0; i < kElements; ++i) x.set_real(i, i * i);
  return {x};
}

std::vector<Literal> outputs(const Literal& x) {
  Literal y(Shape::array(DType::kF32, {kElements})), total(Shape::scalar(DType::kF32));
  double sum = 0;
  for (int i = 0; i < kElements; ++i) {
    const int before = std::max(i - 1, 0), after = std::min(i + 1, kElements - 1);
    y.set_real(i, (x.real_at(before) + x.real_at(i) + x.real_at(after)) / 3);
    sum += y.real_at(i);
  }
  total.set_real(0, sum);
  return {y, total};
}

int run(const std::string& folder) {
  const fs::path path = fs::path(folder).lexically_normal();
  const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  if (!is_program_name(name))
    return fail("'" + name + "' names functions and files, too: a C identifier that starts with a letter and is no " +
                "reserved word");
  std::error_code status;
  if (fs::exists(path, status) && !fs::is_empty(path, status)) return fail(folder + " exists, and is not empty");
  fs::create_directories(path, status);
  if (status) return fail("cannot create " + folder + ": " + status.message());
  const TemplateValues values = {.texts = {{"name", name}, {"Name", upper_camel(name)}}, .flags = {}, .lists = {}};
  std::string error;
  const auto write = [&](const std::string& file, std::string_view text) {
    return write_file((path / file).string(), fill_template(text, values), error);
  };
  const std::vector<Literal> x = inputs();
  const bool written = write("CMakeLists.txt", "new/CMakeLists.txt.mustache") &&
                       write("README.md", "new/README.md.mustache") && write("test.cpp", "new/test.cpp.mustache") &&
                       write(name + ".grain", "new/program.grain.mustache") &&
                       write_tensors((path / "inputs.safetensors").string(), x, error) &&
                       write_tensors((path / "expected.safetensors").string(), outputs(x[0]), error);
  if (!written) return fail(error);
  std::cout << folder << " has " << name << ".grain, a test, and the CMake project of both: see its README.md\n";
  return kOk;
}

}  // namespace

void add_new_command(CLI::App& app, int& status) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("new", "a project around a program in Grain: CMake, a test");
  command->add_option("NAME", *folder, "the folder to make; its last part names library and files")->required();
  add_example(*command, "sinter new blur");
  command->callback([folder, &status] { status = run(*folder); });
}

}  // namespace sinter
