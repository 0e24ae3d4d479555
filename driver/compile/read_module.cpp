#include "driver/compile/read_module.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <set>

#include "driver/system/files.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

using DimSizes = std::map<std::string, int64_t>;

// "rows=64,columns=97"; nullopt if it is not that.
std::optional<DimSizes> parse_dims(const std::string& text) {
  DimSizes dims;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const size_t equals = text.find('=', begin);
    if (equals >= end || equals == begin) return std::nullopt;
    int64_t value = 0;
    const char* last = text.data() + end;
    const auto [stop, status] = std::from_chars(text.data() + equals + 1, last, value);
    if (status != std::errc() || stop != last || value < 0) return std::nullopt;
    if (!dims.emplace(text.substr(begin, equals - begin), value).second) return std::nullopt;
    begin = end + 1;
  }
  return dims;
}

DimSizes checked_dims(const std::string& text) {
  std::optional<DimSizes> dims = parse_dims(text);
  check(dims.has_value(), "--dims", "'" + text + "' was checked when the command line was read");
  return std::move(*dims);
}

// The sizes that are not the same in all sets: "rows64_columns97".
std::string differing(const DimSizes& dims, const std::vector<DimSizes>& sets) {
  std::string text;
  for (const auto& [name, size] : dims) {
    const auto has_it = [&, name = name, size = size](const DimSizes& other) {
      const auto found = other.find(name);
      return found != other.end() && found->second == size;
    };
    if (std::all_of(sets.begin(), sets.end(), has_it)) continue;
    text += (text.empty() ? "" : "_") + name + std::to_string(size);
  }
  return text.empty() ? "default" : text;
}

}  // namespace

GrainOptions grain_options(const GrainChoice& choice) {
  const FileReader read = choice.read_file ? choice.read_file : read_file;
  return {.dims = choice.dims,
          .entry = choice.entry,
          .read_file = read,
          .read_tensors = [read](const std::string& path, const std::vector<NamedShape>& tensors,
                                 std::string& error) -> std::optional<std::vector<Literal>> {
            const std::optional<std::string> content = read(path, error);
            if (!content) return std::nullopt;
            return named_tensors(path, *content, tensors, error);
          }};
}

Language language_of(const Source& source, const GrainChoice& choice) {
  return choice.is_grain || source.name.ends_with(".grain") ? Language::kGrain : Language::kHlo;
}

std::unique_ptr<Module> read_module(Diagnostics& diagnostics, const GrainChoice& choice, std::vector<Source>* read) {
  if (language_of(diagnostics.source(), choice) == Language::kHlo) return parse_hlo(diagnostics);
  if (read == nullptr) return parse_grain(diagnostics, grain_options(choice));
  // Paths begin with the folder of the file that imports.
  const size_t folder = diagnostics.source().name.rfind('/') + 1;
  GrainChoice kept = choice;
  kept.read_file = [read, folder, reader = grain_options(choice).read_file](const std::string& path,
                                                                            std::string& error) {
    std::optional<std::string> text = reader(path, error);
    if (text) read->push_back({path.substr(folder), *text});
    return text;
  };
  return parse_grain(diagnostics, grain_options(kept));
}

void add_grain_flags(CLI::App& command, GrainFlags& flags) {
  command.add_option("--dims", flags.dims, "sizes of a Grain file's dims: rows=64,columns=97")
      ->allow_extra_args(false)  // what follows is the file
      ->type_name("LIST")
      ->check([](const std::string& text) {
        return parse_dims(text) ? "" : "takes dimensions and their sizes, rows=64,columns=97, not " + text;
      });
  command.add_option("--entry", flags.entries, "the entry of a Grain file that has several")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command.add_flag("--grain", flags.is_grain, "the text is Grain, whatever its file is called");
}

std::vector<GrainProgram> grain_programs(const GrainFlags& flags) {
  const std::vector<std::string> entries = flags.entries.empty() ? std::vector<std::string>{""} : flags.entries;
  std::vector<DimSizes> sets;
  for (const std::string& dims : flags.dims) sets.push_back(checked_dims(dims));
  std::vector<GrainProgram> programs;
  for (const std::string& entry : entries) {
    GrainProgram program = {.flags = {.entries = {}, .dims = {}, .is_grain = flags.is_grain}, .suffix = ""};
    if (!entry.empty()) program.flags.entries = {entry};
    if (entries.size() > 1) program.suffix = entry;
    if (sets.empty()) programs.push_back(program);
    for (size_t i = 0; i < sets.size(); ++i) {
      programs.push_back(program);
      programs.back().flags.dims = {flags.dims[i]};
      if (sets.size() == 1) continue;
      programs.back().suffix += (program.suffix.empty() ? "" : "_") + differing(sets[i], sets);
    }
  }
  return programs;
}

bool to_choice(const GrainFlags& flags, GrainChoice& choice) {
  if (flags.entries.size() > 1 || flags.dims.size() > 1) {
    std::cerr << "sinter: error: several --entry or --dims are several programs, which compile makes one folder of; "
                 "here, one --entry and one --dims (rows=64,columns=97)\n";
    return false;
  }
  choice.entry = flags.entries.empty() ? "" : flags.entries[0];
  choice.dims = flags.dims.empty() ? DimSizes() : checked_dims(flags.dims[0]);
  choice.is_grain = flags.is_grain;
  return true;
}

std::string choice_text(const GrainChoice& choice) {
  std::string text;
  if (!choice.entry.empty()) text += " --entry=" + choice.entry;
  std::string dims;
  for (const auto& [name, size] : choice.dims) dims += (dims.empty() ? "" : ",") + name + "=" + std::to_string(size);
  return dims.empty() ? text : text + " --dims=" + dims;
}

}  // namespace sinter
