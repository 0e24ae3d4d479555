// What the subcommands share.
#include "driver/commands/command.h"

#include <llvm/ADT/StringExtras.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <set>

#include "driver/commands/line/choices.h"
#include "driver/commands/line/colour.h"
#include "driver/functions/binding_file.h"
#include "driver/system/files.h"
#include "driver/system/python_sources.h"
#include "emitter/host/license_line.h"
#include "ir/support/nearest_word.h"

namespace sinter {
namespace {

Source remembered;

// "all", which is all moves; "absorb", ..., "fold_constants", ...
std::vector<std::string> may_be_left_out() {
  std::vector<std::string> names = {"all"};
  for (const MoveName& move : kMoveNames) names.emplace_back(move.name);
  for (const GraphPass& pass : graph_passes()) {
    if (pass.optional) names.emplace_back(pass.name);
  }
  return names;
}

std::optional<int64_t> parse_unroll(const std::string& text) {
  if (text == "auto") return 0;
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool valid = status == std::errc() && end == text.data() + text.size() && value >= 1 && value <= 1024;
  return valid ? std::optional<int64_t>(value) : std::nullopt;
}

// False, having said why, where a binding or a file of bindings is wrong, or a target is bound twice.
bool to_bindings(const CompileFlags& flags, CompileOptions& options) {
  std::vector<FunctionBinding>& functions = options.functions;
  for (const std::string& path : flags.functions) {
    std::string error;
    const std::optional<std::string> text = read_file(path, error);
    if (!text) {
      fail(error);
      return false;
    }
    const auto file = std::make_shared<const Source>(Source{.name = path, .text = *text});
    Diagnostics diagnostics(*file);
    for (FunctionBinding& function : read_bindings(file, diagnostics)) functions.push_back(std::move(function));
    print_diagnostics(diagnostics);
    if (!diagnostics.ok()) return false;
    options.function_files.push_back(*file);
  }
  const auto add = [&](const std::vector<std::string>& texts, CallSide side) {
    for (const std::string& text : texts) {
      std::optional<FunctionBinding> function = parse_binding(text, side);
      check(function.has_value(), option_of(side), "'" + text + "' was checked when the command line was read");
      functions.push_back(std::move(*function));
    }
  };
  add(flags.device_functions, CallSide::kKernels);
  add(flags.host_functions, CallSide::kLauncher);
  std::set<std::string> targets;
  for (const FunctionBinding& function : functions) {
    if (targets.insert(function.target).second) continue;
    fail("'" + function.target + "' is bound twice (--device-function, --host-function, --functions)");
    return false;
  }
  return true;
}

void add_binding_flag(CLI::App& command, CallSide side, std::vector<std::string>& texts, const std::string& what) {
  command.add_option(std::string(option_of(side)), texts, what)
      ->allow_extra_args(false)
      ->type_name("TARGET=HEADER:FUNCTION")
      ->check([side](const std::string& text) {
        return parse_binding(text, side) ? "" : "takes my_gelu=kernels/my.cuh:ns::my_gelu, not " + text;
      });
}

}  // namespace

bool read_source(const std::string& path, Source& source) {
  std::string error;
  std::optional<std::string> text = read_file(path, error);
  if (!text) {
    fail(error);
    return false;
  }
  source = {.name = path, .text = std::move(*text)};
  remembered = source;
  return true;
}

const Source& last_source() { return remembered; }

void print_diagnostics(const Diagnostics& diagnostics) { std::cerr << diagnostics.render(is_coloured(STDERR_FILENO)); }

int fail(const std::string& message, ExitStatus status) {
  std::cerr << "sinter: error: " << message << "\n";
  return status;
}

// Numbers, each with an optional letter. nvcc knows which there are; capabilities have two or three digits,
// and those before Volta lack what emitted code needs.
bool is_architecture_list(const std::string& text) {
  constexpr int kFirst = 70, kLast = 999;
  int number = 0;
  bool letter = false;
  for (const char c : text + ",") {
    if (c >= '0' && c <= '9' && !letter && number <= kLast) {
      number = number * 10 + (c - '0');
    } else if ((c == 'a' || c == 'f') && number > 0 && !letter) {
      letter = true;
    } else if (c == ',' && number >= kFirst && number <= kLast) {
      number = 0;
      letter = false;
    } else {
      return false;
    }
  }
  return true;
}

void add_compile_flags(CLI::App& command, CompileFlags& flags) {
  command.option_defaults()->group("Program");
  command.add_option("--name", flags.name, "name of the emitted functions and files; from the module if not given")
      ->type_name("NAME")
      ->check([](const std::string& name) { return name.empty() ? "no name is given" : std::string(); });
  command
      .add_option(
          "--license", flags.license,
          "the licence of what is emitted, stated in each file's first line: an SPDX expression, `MIT_OR_Apache-2.0` "
          "with underscores or blanks")
      ->type_name("LICENSE");
  add_grain_flags(command, flags.grain);
  add_elided_flag(command, flags.elided);
  takes_one_of(command.add_option("--weights", flags.weights,
                                  "constants that are arrays of floats are weights, which callers may replace: in the "
                                  "library too, in a file beside it, or the caller's alone (docs/weights.md)"),
               weights_homes())
      ->type_name("HOME");
  command.add_option("--weights-from", flags.weights_from, "smaller ones are parts of the program")
      ->check(CLI::NonNegativeNumber)
      ->type_name("BYTES");
  command.add_option("--weights-of", flags.weights_of, "inputs that this safetensors file has tensors of are weights")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command.add_flag("--weights-shared", flags.shares_weights, "that file is of several programs, of which this is one");
  command.add_option("--sources", flags.sources, "name values after the model's variables: folder of its Python files")
      ->type_name("DIR");
  add_binding_flag(command, CallSide::kKernels, flags.device_functions,
                   "a __device__ function for custom calls of TARGET, of each element (docs/functions.md)");
  add_binding_flag(command, CallSide::kLauncher, flags.host_functions,
                   "a function of the host for custom calls of TARGET, of whole arrays (docs/functions.md)");
  command.add_option("--functions", flags.functions, "a file of such bindings, one a line (docs/functions.md)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command.option_defaults()->group("GPU");
  command.add_option("--arch", flags.architectures, "GPU architectures of the emitted build: 80,90a")
      ->type_name("LIST")
      ->capture_default_str();
  offers(command.add_option("--gpu", flags.gpu,
                            "GPU that times are predicted for: " + llvm::join(gpu_names(), ", ") + ", or a file"),
         gpu_names())
      ->type_name("NAME");
  command.option_defaults()->group("Schedule");
  command.add_option("--plan", flags.plan_file, "use the schedule tree in this file as it is")->type_name("FILE");
  command.add_option("--unroll", flags.unroll, "unroll loops inside a kernel: auto, or a factor")
      ->type_name("N")
      ->capture_default_str();
  offers(command.add_option("--without", flags.without,
                            "leave out moves of the scheduler or graph passes (docs/schedule.md)"),
         may_be_left_out())
      ->delimiter(',')
      ->type_name("LIST");
  takes_one_of(command.add_option("--forms", flags.forms,
                                  "choose among forms of products too that no run on a GPU is recorded of"),
               {"wgmma", "tma"})
      ->type_name("FORM");
  add_graph_flags(command, flags.graph);
  takes_one_of(command.add_option(
                   "--dot-precision", flags.dot_precision,
                   "what products of f32 are made in where the program leaves it open: tf32, or f32, a fmaf a term"),
               {"tf32", "f32"})
      ->type_name("PRECISION")
      ->group("Numbers");
}

void add_elided_flag(CLI::App& command, std::string& elided) {
  takes_one_of(command.add_option("--elided", elided, "make values up for constants printed as {...}: random or zeros"),
               {"random", "zeros"})
      ->type_name("VALUES");
}

void add_graph_flags(CLI::App& command, GraphPassOptions& options) {
  command.add_flag("--keep-fusions", options.keep_fusions, "keep the fusions of the input as they are")
      ->group("Schedule");
  command.option_defaults()->group("Numbers");
  command.add_flag_callback("--no-fma", [&options] { options.fma = false; }, "keep multiply and add apart");
  command.add_flag("--allow-reassociation", options.reassociate,
                   "let floats differ in their last bits where that is faster (docs/numerics.md)");
  command.option_defaults()->group("Options");
}

bool read_weights_of(const CompileFlags& flags, std::optional<Source>& file) {
  if (flags.weights_of.empty()) return true;
  if (flags.weights_of.size() > 1) {
    fail("--weights-of: a program has one file of weights");
    return false;
  }
  std::string error;
  std::optional<std::string> content = read_file(flags.weights_of[0], error);
  if (!content) {
    fail(error);
    return false;
  }
  file = Source{.name = flags.weights_of[0], .text = std::move(*content)};
  return true;
}

bool to_options(const CompileFlags& flags, CompileOptions& options) {
  const std::optional<int64_t> unroll = parse_unroll(flags.unroll);
  if (!unroll) {
    fail("--unroll takes auto or a number from 1 to 1024, not " + flags.unroll);
    return false;
  }
  if (!flags.name.empty() && !is_program_name(flags.name)) {
    fail("--name must be a C identifier that starts with a letter and is no reserved word, not " + flags.name);
    return false;
  }
  if (!is_architecture_list(flags.architectures)) {
    fail("--arch takes compute capabilities such as 80,90a, not " + flags.architectures);
    return false;
  }
  if (!to_choice(flags.grain, options.grain)) return false;
  if (!to_bindings(flags, options)) return false;
  options.license = license_of_word(flags.license);
  if (!options.license.empty() && !is_license_expression(options.license)) {
    fail("--license takes an SPDX expression such as MIT_OR_Apache-2.0, not " + flags.license);
    return false;
  }
  options.name = flags.name;
  options.architectures = flags.architectures;
  std::string error;
  if (flags.gpu.empty()) {
    options.gpu = default_gpu(flags.architectures);
  } else if (std::optional<Gpu> gpu = find_gpu(flags.gpu, error, &options.gpu_file)) {
    options.gpu = std::move(*gpu);
  } else {
    fail(error);
    return false;
  }
  if (!flags.sources.empty()) {
    if (!is_folder(flags.sources)) {
      fail("--sources takes a folder of Python files, not " + flags.sources);
      return false;
    }
    options.sources = sources_in(flags.sources);
  }
  options.graph = flags.graph;
  options.dot_precision = flags.dot_precision;
  options.forms = flags.forms;
  if (!flags.forms.empty() && flags.architectures != "90a") {
    fail("--forms: " + flags.forms + " is of sm_90a alone, --arch says " + flags.architectures);
    return false;
  }
  options.elided = elided_by_name(flags.elided);
  options.weights.home = weights_home_by_name(flags.weights);
  options.weights.smallest_bytes = flags.weights_from;
  if (flags.weights_from > 0 && flags.weights.empty()) {
    fail("--weights-from says which constants are weights; --weights says where they are: embed, file or caller");
    return false;
  }
  if (!read_weights_of(flags, options.weights.inputs)) return false;
  options.weights.of_several = flags.shares_weights;
  options.schedule.unroll = *unroll;
  for (const std::string& name : flags.without) {
    if (leave_out(name, options.schedule.moves) || leave_out(name, options.graph)) continue;
    const std::vector<std::string> names = may_be_left_out();
    const std::string nearest = nearest_word(name, {names.begin(), names.end()});
    fail("--without: no move or pass is called " + name +
         (nearest.empty() ? "; there are " + llvm::join(names, ", ") : "; did you mean " + nearest + "?"));
    return false;
  }
  // Attention, networks and chains are made of products on tensor cores.
  for (const char* pass : {"attend", "network", "chain"}) {
    if (!options.schedule.moves.tensor_cores) leave_out(pass, options.graph);
  }
  if (flags.plan_file.empty()) return true;
  std::optional<std::string> plan = read_file(flags.plan_file, error);
  if (!plan) {
    fail(error);
    return false;
  }
  options.schedule.plan = std::make_shared<const Source>(Source{flags.plan_file, std::move(*plan)});
  return true;
}

}  // namespace sinter
