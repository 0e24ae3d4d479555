// One of two folders that are compared, and what is known of its files: who wrote them, what its kernels cost, and
// their code as far as it is read.
#pragma once

#include <llvm/Support/JSON.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "review/diff/diff_folders.h"
#include "review/modules/program_alone.h"
#include "review/read/read_code.h"

namespace sinter {

struct Side {
  const FileSet& files;
  llvm::json::Object manifest, report;
  FolderReader reader;
  std::string program;
  std::vector<std::string> kernels;          // names
  std::map<std::string, TakenKernel> taken;  // those that the program takes from another one of its artifact
  std::map<std::string, Cost> costs;         // of kernels
  std::optional<Cost> cost;
  std::map<std::string, std::optional<Code>> codes;  // by path
  std::map<std::string, std::string> errors;
  std::map<std::string, std::vector<std::string>> includes;  // by path: the folder's files that it names

  explicit Side(const FileSet& set);

  // A folder without a manifest says nothing of who wrote it.
  bool is_edited(const std::string& path) const;
  // Whether the manifest says that sinter wrote such a file there.
  bool is_listed(const std::string& path) const;
  // What a file includes, and what that includes, in the order of their names; some may not be there.
  std::set<std::string> headers_of(const std::string& path) const;
  // Of a file and its headers those that somebody edited.
  std::vector<std::string> edited_of(const std::string& path) const;
  // The hashes of the text that it was compiled from, and of what it imports and kernels include, and which functions
  // of the user's own its calls are of; empty where it does not say it.
  std::string made_of() const;
  // Those options of the compiler that change how results are rounded.
  std::string rounding_options() const;
  const std::string& text(const std::string& kernel) const { return files.at(path_of(kernel)); }
  static std::string path_of(const std::string& kernel) { return "kernels/" + kernel + ".cu"; }
};

std::string string_of(const llvm::json::Object& object, llvm::StringRef key);

// Whether both folders have the file in the same bytes, and all that it includes.
bool same_with_headers(const Side& before, const Side& after, const std::string& path);
// Whether both folders have the kernel, in the same bytes.
bool same_bytes(const Side& before, const Side& after, const std::string& kernel);
// What the kernel's file says that it computes, without names; empty where it does not say it.
std::string computation_of(const Side& side, const std::string& kernel);

}  // namespace sinter
