// check_large [--write DIR]: compiles the large programs, builds what is emitted for the CPU with traps where an int
// overflows, and runs the blocks of some elements on memory that is there only where it is touched. With --write, the
// emitted folders go to DIR instead, for build_with_nvcc.sh.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver/build/build_cache.h"
#include "driver/build/unity_source.h"
#include "driver/system/files.h"
#include "driver/system/subprocess.h"
#include "tests/large/large_programs.h"

namespace sinter {
namespace {

constexpr const char* kComputations = R"(
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

add_integers {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}

larger {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b)
}

larger_byte {
  a = u8[] parameter(0)
  b = u8[] parameter(1)
  ROOT c = u8[] maximum(a, b)
}

before {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}

more {
  p = (s32[], f32[100000000], f32[64,100000000]) parameter(0)
  t = s32[] get-tuple-element(p), index=0
  n = s32[] constant(64)
  ROOT c = pred[] compare(t, n), direction=LT
}

add_layer {
  p = (s32[], f32[100000000], f32[64,100000000]) parameter(0)
  t = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  none = s32[] constant(0)
  next = s32[] add(t, one)
  sum = f32[100000000] get-tuple-element(p), index=1
  x = f32[64,100000000] get-tuple-element(p), index=2
  layer = f32[1,100000000] dynamic-slice(x, t, none), dynamic_slice_sizes={1,100000000}
  flat = f32[100000000] reshape(layer)
  more = f32[100000000] add(sum, flat)
  ROOT r = (s32[], f32[100000000], f32[64,100000000]) tuple(next, more, x)
}

)";

struct Compiled {
  LargeProgram program;
  Source source;
  std::optional<Artifact> artifact;
};

// Why the program is not compiled, or not refused, as it should be.
std::string compile_program(Compiled& compiled) {
  compiled.source = {.name = compiled.program.name + ".hlo",
                     .text = "HloModule " + compiled.program.name + "\n" + kComputations + "ENTRY main {\n" +
                             compiled.program.text + "}\n"};
  Diagnostics diagnostics(compiled.source);
  compiled.artifact = compile({}, diagnostics);
  const std::string& code = compiled.program.error;
  if (code.empty()) return compiled.artifact ? "" : diagnostics.render();
  return !compiled.artifact && diagnostics.render().find("error[" + code + "]") != std::string::npos
             ? ""
             : "is not refused with " + code;
}

// Zeros that take memory only where they are touched.
void* reserve(int64_t bytes) {
  void* memory = mmap(nullptr, static_cast<size_t>(std::max<int64_t>(bytes, 1)), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

template <class T>
double access(void* array, int64_t element, const double* value) {
  T* place = static_cast<T*>(array) + element;
  if (value != nullptr) *place = static_cast<T>(*value);
  return static_cast<double>(*place);
}

// The element, set to *value before if there is one.
double access(DType dtype, void* array, int64_t element, const double* value) {
  switch (dtype) {
    case DType::kU8:
      return access<uint8_t>(array, element, value);
    case DType::kS32:
      return access<int32_t>(array, element, value);
    case DType::kU32:
      return access<uint32_t>(array, element, value);
    case DType::kS64:
      return access<int64_t>(array, element, value);
    default:
      return access<float>(array, element, value);
  }
}

// The status of a process: 0 if all that is expected is there.
int run_program(const Compiled& compiled, void* library) {
  const LargeProgram& program = compiled.program;
  const auto choose = reinterpret_cast<void (*)(int64_t, int64_t)>(dlsym(library, "choose_element"));
  const auto run =
      reinterpret_cast<int (*)(void* const*, char*, size_t)>(dlsym(library, ("run_" + program.name).c_str()));
  if (choose == nullptr || run == nullptr) return std::printf("no run_%s\n", program.name.c_str()), 1;
  const auto& inputs = compiled.artifact->program.inputs;
  const auto& outputs = compiled.artifact->program.outputs;
  std::vector<void*> arrays;
  for (const auto* tensors : {&inputs, &outputs}) {
    for (const Program::Tensor& tensor : *tensors) arrays.push_back(reserve(tensor.shape.bytes()));
  }
  for (const LargeCell& cell : program.inputs)
    access(inputs.at(cell.array).shape.dtype, arrays[cell.array], cell.element, &cell.value);
  for (const LargeCell& cell : program.expected) choose(cell.element, outputs.at(cell.array).shape.element_count());
  char message[512] = "";
  if (run(arrays.data(), message, sizeof message) != 0) return std::printf("fails: %s\n", message), 1;
  int wrong = 0;
  for (const LargeCell& cell : program.expected) {
    const double got =
        access(outputs.at(cell.array).shape.dtype, arrays[inputs.size() + cell.array], cell.element, nullptr);
    if (got == cell.value) continue;
    std::printf("element %lld is %.17g, not %.17g\n", static_cast<long long>(cell.element), got, cell.value);
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}

// In a process of its own: a wrong offset ends it.
bool run_apart(const Compiled& compiled, void* library) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int status = run_program(compiled, library);
    std::fflush(stdout);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  const bool trapped = WIFSIGNALED(status);
  std::printf("FAIL %s%s\n", compiled.program.name.c_str(), trapped ? ": ends by a signal, an offset overflows" : "");
  return false;
}

void write_files(const std::filesystem::path& folder, const FileSet& files) {
  for (const auto& [path, content] : files) {
    std::filesystem::create_directories((folder / path).parent_path());
    std::ofstream(folder / path, std::ios::binary) << content;
  }
}

// All programs in one library; nullptr with what the compiler says printed.
void* build(const std::vector<LibraryProgram>& programs, const std::filesystem::path& folder) {
  FileSet files = unity_headers();
  files["large.cpp"] = "#include \"chosen_blocks.h\"\n#include \"head.h\"\n" + unity_source(programs);
  const std::string& runtime = files.at("cpu/sinter_cpu.h");
  const std::string opening = "inline namespace ", helpers = "sinter_helpers";
  const size_t begin = runtime.find(opening) + opening.size();
  const std::string version = runtime.substr(begin, runtime.find(' ', begin) - begin);
  std::string error;
  std::string chosen = read_file(SINTER_SOURCE_DIR "/tests/large/chosen_blocks.h", error).value_or("");
  for (size_t at = chosen.find(helpers); at != std::string::npos; at = chosen.find(helpers, at + 1)) {
    chosen.replace(at, helpers.size(), version);
  }
  files["chosen_blocks.h"] = chosen;
  write_files(folder, files);
  std::vector<std::string> command = compiler_command("90a", Device::kCpu);
  command.insert(command.end(), {"-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function", "-fPIC",
                                 "-shared", "-fno-wrapv", "-fsanitize=signed-integer-overflow",
                                 "-fsanitize-undefined-trap-on-error", "-I.", "large.cpp", "-o", "large.so"});
  const ProcessResult result = run_process(command, folder.string());
  if (result.exit_status != 0) return std::printf("%s", result.output.c_str()), nullptr;
  void* library = dlopen((folder / "large.so").c_str(), RTLD_NOW);
  if (library == nullptr) std::printf("%s\n", dlerror());
  return library;
}

int check_programs(const std::string& written) {
  std::vector<Compiled> all;
  for (LargeProgram& program : large_programs()) all.push_back({std::move(program), {}, std::nullopt});
  int wrong = 0;
  std::vector<LibraryProgram> built;
  for (Compiled& compiled : all) {
    const std::string error = compile_program(compiled);
    if (!error.empty()) std::printf("FAIL %s: %s\n", compiled.program.name.c_str(), error.c_str()), ++wrong;
    if (!compiled.artifact) continue;
    built.push_back({compiled.program.name, &compiled.artifact->files});
    if (!written.empty()) write_files(std::filesystem::path(written) / compiled.program.name, compiled.artifact->files);
  }
  if (!written.empty()) return wrong == 0 ? 0 : 1;
  std::string pattern = (std::filesystem::temp_directory_path() / "sinter_large_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return std::printf("no temporary folder\n"), 1;
  void* library = build(built, pattern);
  for (const Compiled& compiled : all) {
    if (compiled.artifact && library != nullptr && !run_apart(compiled, library)) ++wrong;
  }
  std::filesystem::remove_all(pattern);
  std::printf("%zu programs, %d are wrong\n", all.size(), wrong);
  return wrong == 0 && library != nullptr ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int count, char** arguments) {
  const bool writes = count == 3 && std::strcmp(arguments[1], "--write") == 0;
  return sinter::check_programs(writes ? arguments[2] : "");
}
