#include "driver/commands/several_programs.h"

#include <filesystem>
#include <set>

#include "driver/compile/recorded.h"
#include "ir/support/sha256.h"

namespace sinter {

namespace {

std::string joined_name(const CompileFlags& flags, const std::string& file) {
  return flags.name.empty() ? program_name(std::filesystem::path(file).stem().string()) : flags.name;
}

}  // namespace

bool are_several(const CompileFlags& flags) { return grain_programs(flags.grain).size() > 1; }

std::optional<std::vector<CompileFlags>> flags_of_each(const CompileFlags& flags, const std::string& file) {
  if (!flags.plan_file.empty()) {
    fail("--plan is the plan of one program; several --entry or --dims name more");
    return std::nullopt;
  }
  std::vector<CompileFlags> each;
  std::set<std::string> names;
  for (const GrainProgram& program : grain_programs(flags.grain)) {
    CompileFlags one = flags;
    one.grain = program.flags;
    one.name = joined_name(flags, file) + "_" + program.suffix;
    if (!names.insert(one.name).second) {
      fail("two programs would be called " + one.name + "; give each --entry and each --dims once");
      return std::nullopt;
    }
    each.push_back(std::move(one));
  }
  return each;
}

FileSet joined_folder(const CompileFlags& flags, const Source& source, const std::map<std::string, FileSet>& projects) {
  const std::string name = joined_name(flags, source.name);
  std::vector<Recorded> recorded;
  for (const auto& [program, files] : projects) recorded.push_back(recorded_in(files.at("manifest.json")));
  return join_projects(name, projects,
                       {.architectures = flags.architectures,
                        .input_hash = sha256_hex(source.text),
                        .option_text = joined_option_text(name, recorded),
                        .note = ""});
}

}  // namespace sinter
