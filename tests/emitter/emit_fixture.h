// Programs built by hand for tests of the emitted folder, and helpers to write, build and run one.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "emitter/host/emit_project.h"
#include "passes/lower/host/host_plan.h"

namespace sinter::testing {

// y[i] = x[i] + z[i], one element a thread; types as given.
inline Kernel add_kernel(const std::string& name, int64_t count, DType dtype = DType::kF32) {
  Kernel kernel;
  kernel.name = name;
  kernel.description = {name + ": adds."};
  kernel.constants = {{.name = "kElements", .value = std::to_string(count)}, {.name = "kThreads", .value = "32"}};
  kernel.launch = {
      .grid = {(count + 31) / 32, 1, 1}, .block = 32, .grid_spelling = {"(kElements + kThreads - 1) / kThreads"}};
  const CType in{.kind = CType::Kind::kConstPointer, .dtype = dtype},
      out{.kind = CType::Kind::kPointer, .dtype = dtype};
  Variable* x = kernel.variable("x", in);
  Variable* z = kernel.variable("z", in);
  Variable* y = kernel.variable("y", out);
  kernel.parameters = {{.variable = x}, {.variable = z}, {.variable = y, .output = true}};
  Variable* i = kernel.variable("i", CType::value(DType::kS32));
  const CType value = CType::value(dtype), index = CType::value(DType::kS32);
  const Expr* position =
      kernel.infix(kernel.infix(kernel.name_expr("blockIdx.x"), "*", kernel.name_expr("kThreads"), index), "+",
                   kernel.name_expr("threadIdx.x"), index);
  kernel.body.push_back({.kind = Statement::Kind::kLet, .variable = i, .value = position});
  const Expr* outside =
      kernel.infix(kernel.reference(i), ">=", kernel.name_expr("kElements"), CType::value(DType::kPred));
  Statement guard{.kind = Statement::Kind::kIf, .value = outside};
  guard.body.push_back({.kind = Statement::Kind::kReturn});
  kernel.body.push_back(guard);
  const auto at = [&](const Variable* array) {
    return kernel.subscript(kernel.reference(array), kernel.reference(i), value);
  };
  kernel.body.push_back({.kind = Statement::Kind::kAssign,
                         .target = at(y),
                         .value = kernel.infix(at(x), "+", at(z), value),
                         .text = "="});
  return kernel;
}

inline Buffer buffer(Buffer::Kind kind, const std::string& name, Shape shape, int64_t index_or_offset) {
  Buffer result;
  result.kind = kind;
  result.name = name;
  result.shape = std::move(shape);
  (kind == Buffer::Kind::kArena || kind == Buffer::Kind::kConstant ? result.offset : result.index) = index_or_offset;
  return result;
}

// sum = x + z in one launch.
inline Program add_program(int64_t count = 100) {
  const Shape shape = Shape::array(DType::kF32, {count});
  Program program;
  program.name = "add_two";
  program.kernels.push_back(add_kernel("add", count));
  program.inputs = {{.name = "x", .shape = shape}, {.name = "z", .shape = shape}};
  program.outputs = {{.name = "sum", .shape = shape}};
  program.plan.buffers = {buffer(Buffer::Kind::kInput, "x", shape, 0), buffer(Buffer::Kind::kInput, "z", shape, 1),
                          buffer(Buffer::Kind::kOutput, "sum", shape, 0)};
  program.plan.steps = {
      {.kind = HostStep::Kind::kLaunch, .kernel = 0, .buffers = {0, 1, 2}, .comment = "add.3 (add.py:7)"}};
  return program;
}

// A folder below the temporary directory, removed at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sinter-emit-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  void write(const FileSet& files) const {
    for (const auto& [name, content] : files) {
      std::filesystem::create_directories((path_ / name).parent_path());
      std::ofstream(path_ / name, std::ios::binary) << content;
    }
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Runs a shell command in the folder; what it printed is in `output`.
  int shell(const std::string& command) {
    const int status = std::system(("cd '" + path_.string() + "' && (" + command + ") > shell.log 2>&1").c_str());
    output = read("shell.log");
    return status;
  }

  std::string output;

 private:
  std::filesystem::path path_;
};

}  // namespace sinter::testing
