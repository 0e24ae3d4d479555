// make_bundle FOLDER: everything that a machine with a GPU needs to run programs, and nothing that it has to have: the
// programs built into libraries of many, their inputs and expected results, and what is predicted of each kernel.
//
//   programs.json      a list: name, group, library, data, checks, kernels
//   NN.so              entry_<name> of some fifty programs (driver/build/unity_source.h)
//   NN.safetensors     their arrays, "<name>/<number>", inputs before results
//   floats.safetensors what each bit pattern of a narrow float is worth, by its type
//
// Where --device is cpu, the same libraries are built for the CPU: the stand-in of a dry run.
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "bench/gpu/programs.h"
#include "bench/gpu/written_arrays.h"
#include "driver/build/build_library.h"
#include "driver/compile/plan_report.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "emitter/text/emit_names.h"
#include "runtime/tensor_file.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

struct Options {
  ProgramChoice choice;
  std::string folder, architectures = "90a", gpu = "h200";
  bool cpu = false;
};

struct Made {
  const GpuProgram* program = nullptr;
  std::string name;  // that no other has
  std::optional<Artifact> artifact;
  PlanReport report;
  std::string library;  // "07"; empty: it was not built
};

// What is to be told apart of programs when some are chosen to stand for all: kinds of stages, helpers, libraries.
std::set<std::string> features(const Made& made) {
  std::set<std::string> words;
  for (const PlanReport::KernelReport& kernel : made.report.kernels) {
    words.insert(kernel.schedules.begin(), kernel.schedules.end());
  }
  for (const auto& [path, text] : made.artifact->files) {
    if (path.starts_with("device/") || path.starts_with("library/")) words.insert(path);
  }
  return words;
}

std::vector<Made> compile_all(const std::vector<GpuProgram>& programs, const Options& options) {
  std::vector<Made> made(programs.size());
  std::set<std::string> types;
  for (size_t i = 0; i < programs.size(); ++i) {
    // A plan that pins a program's form has the program's own name in it.
    const std::string own = programs[i].options.name;
    const std::string name =
        own.empty() ? program_name(programs[i].group[0] + std::string("_") + programs[i].name) : own;
    made[i] = {.program = &programs[i], .name = name};
    for (int n = 2; !types.insert(upper_camel(made[i].name)).second; ++n) made[i].name = name + "_" + std::to_string(n);
  }
  std::string error;
  const std::optional<Gpu> gpu = find_gpu(options.gpu, error);
  check(gpu.has_value(), "make_bundle", error);
  for_each_parallel(made.size(), [&](size_t i) {
    CompileOptions own = made[i].program->options;
    own.name = made[i].name;
    own.architectures = options.architectures;
    own.gpu = *gpu;
    Diagnostics diagnostics(made[i].program->source);
    try {
      made[i].artifact = compile(own, diagnostics);
      if (made[i].artifact) made[i].report = report_plan(*made[i].artifact);
      if (!made[i].artifact) std::cerr << made[i].name << " does not compile: " << diagnostics.render();
    } catch (const std::exception& bug) {
      std::cerr << made[i].name << ": " << bug.what() << "\n";
      made[i].artifact.reset();
    }
  });
  std::erase_if(made, [](const Made& one) { return !one.artifact; });
  return made;
}

// Programs that call cuSOLVER and the like are built apart: where these libraries are missing, only they do not load.
void build_all(std::vector<Made>& made, const Options& options) {
  std::map<std::string, std::string> numbers;  // by path in the cache
  for (const bool calls : {false, true}) {
    std::vector<LibraryProgram> programs;
    std::vector<size_t> asked;
    for (size_t i = 0; i < made.size(); ++i) {
      if (made[i].artifact->files.contains("library/library.cuh") != calls) continue;
      programs.push_back({made[i].name, &made[i].artifact->files});
      asked.push_back(i);
    }
    const std::vector<BuiltProgram> built =
        build_libraries(programs, options.architectures, options.cpu ? Device::kCpu : Device::kCuda);
    for (size_t k = 0; k < built.size(); ++k) {
      if (built[k].library.empty()) {
        std::cerr << programs[k].name << " does not build: " << built[k].error << "\n";
        continue;
      }
      std::string digits = std::to_string(numbers.size());
      if (digits.size() < 2) digits.insert(0, "0");
      const auto [at, is_new] = numbers.try_emplace(built[k].library, digits);
      made[asked[k]].library = at->second;
      if (is_new) fs::copy_file(built[k].library, options.folder + "/" + digits + ".so");
    }
  }
}

tensor_file::Tensor bytes_tensor(const std::string& name, const Literal& value) {
  const std::span<const std::byte> bytes = value.bytes();
  return {name, "U8", {static_cast<int64_t>(bytes.size())}, {bytes.begin(), bytes.end()}};
}

void save(const std::string& path, const std::vector<tensor_file::Tensor>& tensors) {
  std::string error;
  check(tensor_file::write_tensors(path, tensors, error), "make_bundle", error);
}

void write_data(const std::vector<Made>& made, const std::string& folder) {
  std::map<std::string, std::vector<tensor_file::Tensor>> data;
  for (const Made& one : made) {
    if (one.library.empty()) continue;
    std::vector<tensor_file::Tensor>& tensors = data[one.library];
    int number = 0;
    for (const std::vector<Literal>* values : {&one.program->inputs, &one.program->expected}) {
      for (const Literal& value : *values) {
        tensors.push_back(bytes_tensor(one.name + "/" + std::to_string(number++), value));
      }
    }
  }
  for (const auto& [library, tensors] : data) save(folder + "/" + library + ".safetensors", tensors);
}

void write_floats(const std::string& folder) {
  std::vector<tensor_file::Tensor> tables;
  const auto add = [&](DType dtype) {
    if (!is_float(dtype) || dtype_bytes(dtype) > 2) return;
    const int64_t patterns = int64_t{1} << 8 * dtype_bytes(dtype);
    Literal all(Shape::array(dtype, {patterns}));
    const auto width = static_cast<size_t>(dtype_bytes(dtype));
    // Patterns wider than the type do not occur: theirs is the worth of its own bits.
    for (int64_t i = 0; i < patterns; ++i) {
      const int64_t bits = i & ((int64_t{1} << dtype_bits(dtype)) - 1);
      std::memcpy(all.mutable_bytes().data() + static_cast<size_t>(i) * width, &bits, width);
    }
    std::vector<double> worth;
    for (int64_t i = 0; i < patterns; ++i) worth.push_back(all.real_at(i));
    tensor_file::Tensor table{std::string(dtype_name(dtype)), "F64", {patterns}, {}};
    table.bytes.resize(worth.size() * sizeof(double));
    std::memcpy(table.bytes.data(), worth.data(), table.bytes.size());
    tables.push_back(std::move(table));
  };
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) add(DType::enumerator);
#include "ir/values/dtype.def"
#undef DTYPE
  save(folder + "/floats.safetensors", tables);
}

void write_kernels(llvm::json::OStream& json, const Made& made) {
  json.attributeArray("kernels", [&] {
    for (size_t i = 0; i < made.report.kernels.size(); ++i) {
      const PlanReport::KernelReport& kernel = made.report.kernels[i];
      const Work& work = made.artifact->program.kernels[i].work;
      json.object([&] {
        json.attribute("name", kernel.name);
        if (kernel.count) json.attribute("count", *kernel.count);
        json.attributeArray("schedules", [&] {
          for (const std::string& word : kernel.schedules) json.value(word);
        });
        json.attribute("blocks", kernel.grid[0] * kernel.grid[1] * kernel.grid[2]);
        json.attribute("block", kernel.block);
        json.attribute("bytes", kernel.bytes_read + kernel.bytes_written);
        json.attribute("flops", kernel.flops);
        json.attribute("predicted_us", kernel.predicted_us);
        json.attribute("bound", kernel.bound);
        json.attributeObject("work", [&] {
          json.attribute("f32", work.f32);
          json.attribute("f64", work.f64);
          json.attribute("integer", work.integer);
          json.attribute("special", work.special);
          json.attribute("memory", work.memory);
          json.attribute("tensor", work.tensor);
          json.attribute("chain", work.chain);
        });
      });
    }
  });
}

// [of the arena: byte; of a result: its number; type, bytes, name], by step
void write_arrays(llvm::json::OStream& json, const Program& program) {
  json.attributeObject("writes", [&] {
    for (const auto& [step, arrays] : written_arrays(program)) {
      json.attributeArray(step, [&] {
        for (const WrittenArray& array : arrays) {
          json.array([&] {
            json.value(array.of_arena ? "a" : "o");
            json.value(array.place);
            json.value(std::string(dtype_name(array.buffer->shape.dtype)));
            json.value(array.buffer->shape.bytes());
            json.value(array.buffer->name);
          });
        }
      });
    }
  });
}

bool write_index(const std::vector<Made>& made, const Options& options) {
  std::string text, error;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out, 1);
  json.object([&] {
    json.attribute("device", options.cpu ? "cpu" : "cuda");
    json.attribute("architectures", options.architectures);
    json.attribute("gpu", options.gpu);
    json.attributeArray("programs", [&] {
      for (const Made& one : made) {
        if (one.library.empty()) continue;
        json.object([&] {
          json.attribute("name", one.name);
          json.attribute("group", one.program->group);
          json.attribute("library", one.library);
          json.attribute("source", one.program->source.name);
          if (one.report.launches) json.attribute("launches", *one.report.launches);
          if (one.report.predicted_us) json.attribute("predicted_us", *one.report.predicted_us);
          json.attributeArray("features", [&] {
            for (const std::string& word : features(one)) json.value(word);
          });
          json.attributeArray("checks", [&] {
            for (const ValueCheck& check : one.program->checks) {
              json.array([&] {  // 0 where a check has none
                for (const double bound : {check.absolute, check.relative, check.relaxed.value_or(0)})
                  json.value(bound);
                json.value(check.max_ulp.value_or(0));
              });
            }
          });
          write_kernels(json, one);
          write_arrays(json, one.artifact->program);
        });
      }
    });
  });
  out << "\n";
  if (write_file(options.folder + "/programs.json", text, error)) return true;
  std::cerr << error << "\n";
  return false;
}

int run(const Options& options) {
  const std::vector<GpuProgram> programs = choose_programs(options.choice);
  fs::remove_all(options.folder);
  fs::create_directories(options.folder);
  std::vector<Made> made = compile_all(programs, options);
  build_all(made, options);
  write_data(made, options.folder);
  write_floats(options.folder);
  if (!write_index(made, options)) return 1;
  size_t built = 0;
  for (const Made& one : made) built += one.library.empty() ? 0 : 1;
  std::cout << built << " of " << programs.size() << " programs are built\n";
  return 0;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("programs, their inputs and expected results, built for a machine with a GPU");
  sinter::Options options;
  sinter::ProgramChoice& choice = options.choice;
  app.add_option("FOLDER", options.folder, "where all goes; it is replaced")->required();
  app.add_option("--samples", choice.samples, "folder of samples")->check(CLI::ExistingDirectory);
  app.add_option("--ops", choice.op_tests, "folder of op tests")->check(CLI::ExistingDirectory);
  app.add_flag("--conformance", choice.conformance, "conformance cases of the shared folder");
  app.add_option("--every", choice.every, "each so many-th op test and case")->check(CLI::Range(1, 1000000));
  app.add_option("--modules", choice.modules, "random modules of few elements");
  app.add_option("--mixed", choice.mixed, "random modules of large dimensions");
  app.add_option("--rows", choice.rows, "random modules around rows");
  app.add_option("--loops", choice.loops, "random programs with loops");
  app.add_option("--contractions", choice.contractions, "random contractions");
  app.add_flag("--attention", choice.attention, "attention in all forms");
  app.add_flag("--chains", choice.chains, "products of products in all forms");
  app.add_option("--form", choice.forms, "of contractions: as many of each form, and no others");
  app.add_option("--timed", choice.timed, "folders of programs to time")->check(CLI::ExistingDirectory);
  app.add_option("--micro", choice.micro, "folders of micro-kernels")->check(CLI::ExistingDirectory);
  app.add_option("--arch", options.architectures, "as sinter has it");
  app.add_option("--gpu", options.gpu, "that times are predicted for");
  app.add_flag("--cpu", options.cpu, "built for the CPU, which stands in the GPU's place");
  CLI11_PARSE(app, argc, argv);
  try {
    return sinter::run(options);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
