#include "review/diff/folder_side.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "emitter/text/include_lines.h"
#include "emitter/text/user_header.h"
#include "ir/support/sha256.h"
#include "review/diff/kernel_comment.h"

namespace sinter {

namespace {

llvm::json::Object object_of(const FileSet& files, const std::string& path) {
  const auto found = files.find(path);
  if (found == files.end()) return {};
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(found->second);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  llvm::json::Object* object = value->getAsObject();
  return object == nullptr ? llvm::json::Object() : std::move(*object);
}

std::optional<int64_t> integer_of(const llvm::json::Object& object, llvm::StringRef key) {
  const std::optional<int64_t> value = object.getInteger(key);
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

Cost cost_of(const llvm::json::Object& object, bool kernel) {
  Cost cost;
  cost.launches = integer_of(object, kernel ? "count" : "launches");
  cost.bytes_read = integer_of(object, "bytes_read");
  cost.bytes_written = integer_of(object, "bytes_written");
  cost.arena_bytes = integer_of(object, "arena_bytes").value_or(0);
  cost.shared_bytes = integer_of(object, "shared_bytes").value_or(0);
  cost.registers = integer_of(object, "registers").value_or(0);
  cost.flops = integer_of(object, "flops").value_or(0);
  cost.block = integer_of(object, "block").value_or(0);
  for (const char* key : {"predicted_us", "predicted_once_us"}) {
    const std::optional<double> us = object.getNumber(key);
    if (us && !cost.predicted_us) cost.predicted_us = *us;
  }
  if (const llvm::json::Array* grid = object.getArray("grid")) {
    for (const llvm::json::Value& extent : *grid) {
      cost.grid += (cost.grid.empty() ? "" : "x") + std::to_string(extent.getAsInteger().value_or(0));
    }
  }
  if (const llvm::json::Array* schedules = object.getArray("schedules")) {
    for (const llvm::json::Value& schedule : *schedules) {
      cost.schedules += (cost.schedules.empty() ? "" : ", ") + schedule.getAsString().value_or("").str();
    }
  }
  return cost;
}

// "kernels.h" and "device/launch.cuh" of a kernel, "include/softmax/softmax.h" of a launcher that includes
// "softmax/softmax.h": of each place where a name may be looked for what the folder has, beside the file too, and what
// is written in quotes and is nowhere. Where a macro says it: whatever may be included.
std::vector<std::string> included_by(const std::string& path, const std::string& text, const FileSet& files) {
  std::vector<std::string> included;
  for (const auto& [name, quoted] : include_lines(text)) {
    if (name.empty()) {
      for (const auto& [other, unused] : files) {
        if (may_be_included(other)) included.push_back(other);
      }
      continue;
    }
    const std::filesystem::path beside = std::filesystem::path(path).parent_path() / name;
    bool is_there = false;
    for (const std::string& place : {"include/" + name, beside.lexically_normal().generic_string(),
                                     std::filesystem::path(name).lexically_normal().generic_string()}) {
      if (files.count(place) == 0) continue;
      included.push_back(place);
      is_there = true;
    }
    if (quoted && !is_there) included.push_back(name);
  }
  return included;
}

}  // namespace

std::string string_of(const llvm::json::Object& object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

Side::Side(const FileSet& set)
    : files(set), manifest(object_of(set, "manifest.json")), report(object_of(set, "fusion.json")), reader(set) {
  program = string_of(manifest, "program");
  if (set.contains("manifest.json")) taken = taken_kernels(set.at("manifest.json"));
  for (const auto& [path, text] : set) {
    if (path.starts_with("kernels/") && path.ends_with(".cu")) kernels.push_back(path.substr(8, path.size() - 11));
    if (may_be_included(path)) includes[path] = included_by(path, text, set);
  }
  if (report.empty()) return;
  cost = cost_of(report, false);
  if (const llvm::json::Array* list = report.getArray("kernels")) {
    for (const llvm::json::Value& value : *list) {
      if (const llvm::json::Object* kernel = value.getAsObject()) {
        costs[string_of(*kernel, "name")] = cost_of(*kernel, true);
      }
    }
  }
}

bool Side::is_edited(const std::string& path) const {
  const llvm::json::Object* hashes = manifest.getObject("files");
  if (hashes == nullptr) return true;
  const std::string hash = sha256_hex(files.at(path));
  if (string_of(*hashes, path) == hash) return false;
  for (const auto& [kernel, from] : taken) {
    if (path == path_of(kernel)) return sha256_hex(kernel_code(files.at(path), program)) != from.code_hash;
  }
  // The user's own, which the folder was made with.
  return string_of(manifest, "options").find(" --header=" + path + ":sha256:" + hash) == std::string::npos;
}

bool Side::is_listed(const std::string& path) const {
  const llvm::json::Object* hashes = manifest.getObject("files");
  return hashes != nullptr && hashes->get(path) != nullptr;
}

std::set<std::string> Side::headers_of(const std::string& path) const {
  std::set<std::string> headers;
  std::vector<std::string> open = {path};
  while (!open.empty()) {
    const auto found = includes.find(open.back());
    open.pop_back();
    if (found == includes.end()) continue;
    for (const std::string& header : found->second) {
      if (headers.insert(header).second) open.push_back(header);
    }
  }
  return headers;
}

std::vector<std::string> Side::edited_of(const std::string& path) const {
  std::vector<std::string> edited;
  std::set<std::string> all = headers_of(path);
  all.insert(path);
  for (const std::string& one : all) {
    if (files.count(one) > 0 && is_edited(one)) edited.push_back(one);
  }
  return edited;
}

std::string Side::made_of() const {
  std::string hashes = string_of(manifest, "input_sha256");
  if (hashes.empty()) return "";
  const std::string options = string_of(manifest, "options");
  for (const std::string word : {" --import=", " --header=", " --device-function=", " --host-function="}) {
    for (size_t at = options.find(word); at != std::string::npos; at = options.find(word, at + 1)) {
      hashes += options.substr(at, options.find(" --", at + 1) - at);
    }
  }
  return hashes;
}

std::string Side::rounding_options() const {
  std::istringstream words(string_of(manifest, "options"));
  std::string list, word;
  while (words >> word) {
    const bool rounds = word == "--no-fma" || word == "--allow-reassociation" || word.starts_with("--dot-precision");
    if (rounds) list += (list.empty() ? "" : " ") + word;
  }
  return list;
}

bool same_with_headers(const Side& before, const Side& after, const std::string& path) {
  std::set<std::string> all = before.headers_of(path);
  if (all != after.headers_of(path)) return false;
  all.insert(path);
  return std::all_of(all.begin(), all.end(), [&](const std::string& one) {
    const auto a = before.files.find(one), b = after.files.find(one);
    const bool in_one = a != before.files.end(), in_other = b != after.files.end();
    return in_one == in_other && (!in_one || a->second == b->second);
  });
}

bool same_bytes(const Side& before, const Side& after, const std::string& kernel) {
  const auto a = before.files.find(Side::path_of(kernel)), b = after.files.find(Side::path_of(kernel));
  return a != before.files.end() && b != after.files.end() && a->second == b->second;
}

std::string computation_of(const Side& side, const std::string& kernel) {
  if (side.is_edited(Side::path_of(kernel))) return "";
  const KernelComment comment = read_kernel_comment(side.text(kernel));
  if (comment.formulas.empty()) return "";
  std::string text;
  for (const std::string& line : nameless(comment)) {
    if (line.find("...") != std::string::npos) return "";
    text += line + "\n";
  }
  return text;
}

}  // namespace sinter
