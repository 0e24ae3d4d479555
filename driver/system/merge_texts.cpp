#include "driver/system/merge_texts.h"

#include <filesystem>

#include "driver/system/files.h"
#include "driver/system/left_over.h"
#include "driver/system/subprocess.h"

namespace sinter {

std::optional<MergedText> merge_texts(const Texts& texts, std::string& error) {
  namespace fs = std::filesystem;
  const std::string folder = own_name((fs::temp_directory_path() / "sinter-merge-").string());
  std::error_code status;
  fs::create_directories(folder, status);
  if (status) {
    error = "cannot make " + folder + ": " + status.message();
    return std::nullopt;
  }
  std::optional<MergedText> merged;
  const bool written = write_file(folder + "/edited", texts.ours, error) &&
                       write_file(folder + "/before", texts.base, error) &&
                       write_file(folder + "/emitted", texts.theirs, error);
  if (written) {
    // The number of conflicts is the exit status, up to 127; 255 is an error.
    const ProcessResult git = run_process({"git", "merge-file", "--diff3", "-L", "edited", "-L", "emitted before", "-L",
                                           "emitted now", "edited", "before", "emitted"},
                                          folder);
    const std::optional<std::string> text = read_file(folder + "/edited", error);
    if (git.exit_status < 0 || git.exit_status > 127) {
      error = "git cannot merge: " + git.output;
    } else if (text) {
      merged = MergedText{*text, git.exit_status};
    }
  }
  fs::remove_all(folder, status);
  return merged;
}

}  // namespace sinter
