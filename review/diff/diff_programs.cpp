#include "review/diff/diff_programs.h"

#include <algorithm>
#include <set>

#include "review/diff/folder_side.h"
#include "review/modules/joined_programs.h"

namespace sinter {

namespace {

// A program that one side alone has.
FolderDiff diff_alone(const std::string& name, const FileSet& files, bool is_new) {
  FolderDiff diff;
  diff.verdict = is_new ? Verdict::kAdded : Verdict::kRemoved;
  diff.program_verdict = diff.verdict;
  (is_new ? diff.program_after : diff.program_before) = name;
  diff.interface.push_back(std::string("program ") + name + (is_new ? " is new" : " is gone"));
  diff.interface_breaks = !is_new;
  const Side side(files);
  for (const std::string& kernel : side.kernels) {
    KernelDiff& added = diff.kernels.emplace_back();
    added.verdict = diff.verdict;
    (is_new ? added.after : added.before) = {kernel};
    const auto cost = side.costs.find(kernel);
    if (cost != side.costs.end()) (is_new ? added.cost_after : added.cost_before) = cost->second;
    (is_new ? added.edited_after : added.edited_before) = side.is_edited(Side::path_of(kernel));
  }
  diff.headline = "kernels: " + std::to_string(diff.kernels.size()) + " " + verdict_name(diff.verdict);
  return diff;
}

// A program alone, or those that a folder joins.
std::map<std::string, FileSet> programs_of(const FileSet& files) {
  std::map<std::string, FileSet> programs = joined_programs(files);
  if (programs.empty()) programs[Side(files).program] = files;
  return programs;
}

// What a folder has around its programs.
FileSet around(const FileSet& files) {
  const std::map<std::string, FileSet> programs = joined_programs(files);
  FileSet rest;
  for (const auto& [path, text] : files) {
    if (!programs.contains(path.substr(0, path.find('/')))) rest[path] = text;
  }
  return rest;
}

FolderDiff diff_around(const FileSet& before, const FileSet& after) {
  const Side a(before), b(after);
  FolderDiff diff = {.program_before = a.program, .program_after = b.program, .verdict = Verdict::kIdentical};
  diff.headline = "around its programs";
  if (a.program != b.program) {
    diff.interface.push_back("program " + a.program + " -> " + b.program);
    diff.interface_breaks = true;
    diff.verdict = Verdict::kInterface;
  }
  std::set<std::string> paths;
  for (const FileSet* files : {&before, &after}) {
    for (const auto& [path, text] : *files) paths.insert(path);
  }
  for (const std::string& path : paths) {
    const auto old = before.find(path), now = after.find(path);
    if (old != before.end() && now != after.end() && old->second == now->second) continue;
    const bool is_edited = path != "manifest.json" &&
                           ((old != before.end() && a.is_edited(path)) || (now != after.end() && b.is_edited(path)));
    if (!is_edited) {
      ++diff.derived_changed;
      continue;
    }
    diff.files.push_back({.path = path, .verdict = Verdict::kHandEdited});
    diff.verdict = std::max(diff.verdict, Verdict::kHandEdited);
  }
  return diff;
}

}  // namespace

std::vector<ProgramDiff> diff_programs(FileSet before, FileSet after, const ForEachOf& for_each) {
  std::vector<ProgramDiff> programs;
  const bool joined = !joined_programs(before).empty(), joined_after = !joined_programs(after).empty();
  if (!joined && !joined_after) {
    ProgramDiff& only = programs.emplace_back();
    only.before = std::move(before);
    only.after = std::move(after);
    only.diff = diff_folders(only.before, only.after, for_each);
    return programs;
  }
  std::map<std::string, FileSet> old = programs_of(before), now = programs_of(after);
  std::set<std::string> names;
  for (const auto* side : {&old, &now}) {
    for (const auto& [name, files] : *side) names.insert(name);
  }
  for (const std::string& name : names) {
    ProgramDiff& program = programs.emplace_back();
    program.before = std::move(old[name]);
    program.after = std::move(now[name]);
    if (program.before.empty() || program.after.empty()) {
      const bool is_new = program.before.empty();
      program.diff = diff_alone(name, is_new ? program.after : program.before, is_new);
    } else {
      program.diff = diff_folders(program.before, program.after, for_each);
    }
  }
  if (joined && joined_after) {
    FolderDiff rest = diff_around(around(before), around(after));
    if (rest.verdict != Verdict::kIdentical) programs.push_back({.before = {}, .after = {}, .diff = std::move(rest)});
  }
  return programs;
}

Verdict verdict_of(const std::vector<ProgramDiff>& programs) {
  Verdict verdict = Verdict::kIdentical;
  for (const ProgramDiff& program : programs) verdict = std::max(verdict, program.diff.verdict);
  return verdict;
}

}  // namespace sinter
