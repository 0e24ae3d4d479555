// The two languages of a program: HLO text, and Grain (frontend/grain) in files that end in .grain.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/grain/parse_grain.h"
#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace CLI {
class App;
}

namespace sinter {

// A file's content by its path; nullopt with `error` set.
using FileReader = std::function<std::optional<std::string>(const std::string& path, std::string& error)>;

// What of a Grain file is one program, and where the files are that it names. Of HLO text, all is.
struct GrainChoice {
  std::string entry;                    // empty: the file's only one
  std::map<std::string, int64_t> dims;  // those that the file's numbers do not hold for
  bool is_grain = false;                // whatever the file is called: standard input
  FileReader read_file;                 // of imports and weights; empty: from the disk
};

// What the frontend is to know of it.
GrainOptions grain_options(const GrainChoice& choice);

enum class Language : uint8_t { kHlo, kGrain };
Language language_of(const Source& source, const GrainChoice& choice);

// Reads diagnostics.source() in its language. nullptr after an error; the module is not verified. `read`, if given,
// receives the files that it names, by their paths from its folder.
std::unique_ptr<Module> read_module(Diagnostics& diagnostics, const GrainChoice& choice = {},
                                    std::vector<Source>* read = nullptr);

// --dims, --entry and --grain as the command line gives them: each entry at each set of sizes is a program.
struct GrainFlags {
  std::vector<std::string> entries;
  std::vector<std::string> dims;  // sets: "rows=64,columns=97"
  bool is_grain = false;
};
void add_grain_flags(CLI::App& command, GrainFlags& flags);

// Flags that name one program, and what tells it from the others: "blur", "rows64", "blur_rows64"; empty if alone.
struct GrainProgram {
  GrainFlags flags;
  std::string suffix;
};
std::vector<GrainProgram> grain_programs(const GrainFlags& flags);

// The one program of a command that takes no more; false, having said so, if the flags name several.
bool to_choice(const GrainFlags& flags, GrainChoice& choice);

// As the manifest records it: " --entry=blur --dims=rows=64,columns=97".
std::string choice_text(const GrainChoice& choice);

}  // namespace sinter
