// Replacing an output folder as a whole, without losing what a person did to it.
#include <llvm/Support/JSON.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "driver/system/files.h"
#include "driver/system/left_over.h"
#include "ir/support/sha256.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";
constexpr const char* kAside = ".sinter-";
constexpr const char* kKept = " (kept)";

std::optional<std::string> slurp(const fs::path& path) {
  std::string error;
  return read_file(path.string(), error);
}

// Path and hash of every file that the manifest lists.
std::optional<std::map<std::string, std::string>> listed_hashes(const std::string& text) {
  llvm::Expected<llvm::json::Value> manifest = llvm::json::parse(text);
  if (!manifest) {
    llvm::consumeError(manifest.takeError());
    return std::nullopt;
  }
  const llvm::json::Object* fields = manifest->getAsObject();
  const llvm::json::Object* files = fields ? fields->getObject("files") : nullptr;
  if (!files) return std::nullopt;
  std::map<std::string, std::string> hashes;
  for (const auto& [path, hash] : *files) hashes[path.str()] = hash.getAsString().value_or("").str();
  return hashes;
}

std::optional<std::map<std::string, std::string>> manifest_hashes(const fs::path& folder) {
  const std::optional<std::string> text = slurp(folder / kManifest);
  return text ? listed_hashes(*text) : std::nullopt;
}

std::string top_of(const std::string& path) { return path.substr(0, path.find('/')); }

// Files below the folders we write that no manifest lists: somebody added them.
std::vector<std::string> added_files(const fs::path& folder, const std::map<std::string, std::string>& hashes) {
  std::set<std::string> our_folders;
  for (const auto& [path, hash] : hashes) {
    if (path.find('/') != std::string::npos) our_folders.insert(top_of(path));
  }
  std::vector<std::string> added;
  for (const std::string& ours : our_folders) {
    std::error_code status;
    for (fs::recursive_directory_iterator entry(folder / ours, status), end; !status && entry != end;
         entry.increment(status)) {
      const std::string path = entry->path().lexically_relative(folder).generic_string();
      if (!entry->is_directory() && !hashes.count(path)) added.push_back(path + " (added)");
    }
  }
  return added;
}

// What was wrong is said of `shown`, the folder as the user calls it.
bool write_all(const fs::path& folder, const std::string& shown, const FileSet& files, std::string& error) {
  for (const auto& [path, text] : files) {
    const fs::path target = folder / path;
    std::error_code status;
    fs::create_directories(target.parent_path(), status);
    errno = 0;
    std::ofstream out(target, std::ios::binary);
    out << text;
    out.close();
    if (status || !out) {
      if (!status) status = {errno != 0 ? errno : EIO, std::generic_category()};
      error = "cannot write " + path + " in " + shown + ": " + status.message();
      return false;
    }
  }
  return true;
}

// Carries over what is to survive: time stamps of files that stay the same, and entries at the top that are not ours.
void keep_from(const fs::path& old_folder, const fs::path& new_folder, const FileSet& files) {
  std::error_code status;
  for (const auto& [path, text] : files) {
    if (slurp(old_folder / path) != text) continue;
    const fs::file_time_type stamp = fs::last_write_time(old_folder / path, status);
    if (!status) fs::last_write_time(new_folder / path, stamp, status);
  }
  std::set<std::string> ours = {kManifest};
  const auto hashes = manifest_hashes(old_folder);
  if (!hashes) return;
  for (const auto& [path, hash] : *hashes) ours.insert(top_of(path));
  for (const auto& [path, text] : files) ours.insert(top_of(path));
  for (const fs::directory_entry& entry : fs::directory_iterator(old_folder, status)) {
    const std::string name = entry.path().filename().string();
    if (!ours.count(name)) fs::rename(entry.path(), new_folder / name, status);
  }
}

// Why the folder must not be replaced; empty if it may be.
std::string objection(const std::string& path) {
  std::error_code status;
  if (!fs::exists(path, status)) return "";
  if (!fs::is_directory(path, status)) return path + " exists and is not a directory";
  if (fs::is_empty(path, status)) return "";
  const std::optional<std::vector<std::string>> changed = changed_files(path);
  if (!changed) return path + " holds files that sinter did not write; choose another folder, or pass --force";
  std::string files;
  for (const std::string& file : *changed) {
    if (!file.ends_with(kKept)) files += "\n  " + file;
  }
  return files.empty() ? "" : path + " has changes that would be lost; pass --force to overwrite them:" + files;
}

}  // namespace

// None that has marks of conflicts, which a merge left to decide.
bool is_kept(const std::string& path, const std::string& text) {
  return fs::path(path).parent_path().filename() == "kernels" && path.ends_with(".cu") &&
         text.starts_with("// sinter: keep\n") && text.find("\n<<<<<<< ") == std::string::npos;
}

std::map<std::string, std::string> emitted_hashes(const std::string& folder) {
  return manifest_hashes(folder).value_or(std::map<std::string, std::string>());
}

std::map<std::string, std::string> hashes_in(const std::string& manifest) {
  return listed_hashes(manifest).value_or(std::map<std::string, std::string>());
}

FileSet emitted_files(const std::string& folder) {
  FileSet files;
  const auto hashes = manifest_hashes(folder);
  if (!hashes) return files;
  const auto add = [&](const std::string& path) {
    if (std::optional<std::string> text = slurp(fs::path(folder) / path)) files[path] = std::move(*text);
  };
  add("manifest.json");
  for (const auto& [path, hash] : *hashes) add(path);
  return files;
}

std::optional<std::vector<std::string>> changed_files(const std::string& folder) {
  const auto hashes = manifest_hashes(folder);
  if (!hashes) return std::nullopt;
  std::vector<std::string> changed;
  for (const auto& [path, hash] : *hashes) {
    const std::optional<std::string> text = slurp(fs::path(folder) / path);
    if (!text) {
      changed.push_back(path + " (missing)");
    } else if (sha256_hex(*text) != hash) {
      changed.push_back(path + (is_kept(path, *text) ? kKept : " (changed)"));
    }
  }
  for (std::string& file : added_files(folder, *hashes)) changed.push_back(std::move(file));
  return changed;
}

namespace {

// Signals that end the process wait while folders are half-way.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// What processes that were killed left beside the folder: DIR.sinter-PID, and the folder before, DIR.sinter-PID-old,
// which takes its place again where nothing did.
void remove_left_over(const fs::path& target) {
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code status;
  const std::string stem = target.filename().string() + kAside;
  for (const fs::path& folder : left_over(parent, stem)) {
    const std::string name = folder.filename().string();
    const std::string suffix = name.substr(std::min(name.find_first_not_of("0123456789", stem.size()), name.size()));
    if (suffix == "-old" && !fs::exists(target, status)) {
      fs::rename(folder, target, status);
    } else if (suffix.empty() || suffix == "-old") {
      fs::remove_all(folder, status);
    }
  }
}

}  // namespace

bool write_folder(const std::string& path, const FileSet& files, bool force, std::string& error) {
  fs::path target = fs::path(path).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  std::error_code status;
  if (fs::is_symlink(target, status) && fs::exists(target, status)) target = fs::canonical(target, status);
  if (fs::exists(target, status) && !fs::is_directory(target, status)) {
    error = path + " exists and is not a directory";
    return false;
  }
  const SignalsHeld held;
  remove_left_over(target);
  if (!force && !(error = objection(target.string())).empty()) return false;

  const fs::path aside = own_name(target.string() + kAside);
  const fs::path old = aside.string() + "-old";
  fs::create_directories(aside, status);
  if (status) {
    error = "cannot create " + path + ": " + status.message();
    return false;
  }
  if (!write_all(aside, path, files, error)) {
    fs::remove_all(aside, status);
    return false;
  }
  const bool replaces = fs::exists(target, status);
  if (replaces) {
    keep_from(target, aside, files);
    fs::rename(target, old, status);
  }
  if (!status) fs::rename(aside, target, status);
  if (status) {
    error = "cannot replace " + path + ": " + status.message();
    return false;
  }
  if (replaces) fs::remove_all(old, status);
  return true;
}

}  // namespace sinter
