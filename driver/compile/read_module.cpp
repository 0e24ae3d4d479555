#include "driver/compile/read_module.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "driver/system/files.h"
#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

// What the command line says of Grain files.
struct GrainFlags {
  GrainOptions options;
  bool is_grain = false;  // whatever the file is called: standard input
};

GrainFlags& grain_flags() {
  static GrainFlags flags;
  return flags;
}

// "rows=64": what is wrong with it, or nothing.
std::string add_dim(const std::string& text, std::map<std::string, int64_t>& dims) {
  const size_t equals = text.find('=');
  int64_t value = 0;
  if (equals != std::string::npos && equals > 0) {
    const char* begin = text.data() + equals + 1;
    const char* end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(begin, end, value);
    if (status == std::errc() && stop == end && begin != end && value >= 0) {
      dims[text.substr(0, equals)] = value;
      return "";
    }
  }
  return "takes dimensions and their sizes, rows=64,columns=97, not " + text;
}

}  // namespace

std::unique_ptr<Module> read_module(Diagnostics& diagnostics) {
  const GrainFlags& flags = grain_flags();
  if (!flags.is_grain && !diagnostics.source().name.ends_with(".grain")) return parse_hlo(diagnostics);
  GrainOptions options = flags.options;
  options.read_file = read_file;
  return parse_grain(diagnostics, options);
}

void add_grain_flags(CLI::App& command) {
  GrainFlags& flags = grain_flags();
  command
      .add_option_function<std::vector<std::string>>(
          "--dims",
          [&flags](const std::vector<std::string>& dims) {
            for (const std::string& dim : dims) {
              if (const std::string wrong = add_dim(dim, flags.options.dims); !wrong.empty()) {
                throw CLI::ValidationError("--dims", wrong);
              }
            }
          },
          "sizes of a Grain file's dims: rows=64,columns=97")
      ->delimiter(',')
      ->allow_extra_args(false)  // what follows is the file
      ->type_name("LIST");
  command.add_option("--entry", flags.options.entry, "the entry of a Grain file that has several")->type_name("NAME");
  command.add_flag("--grain", flags.is_grain, "the text is Grain, whatever its file is called");
}

}  // namespace sinter
