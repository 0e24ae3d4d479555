#include "review/diff/user_functions.h"

#include "emitter/text/user_header.h"
#include "review/diff/compare_builds.h"
#include "review/read/plain_text.h"

namespace sinter {

namespace {

// The folder as it was, with the user's headers as they are now; what these include of ours may be new, too.
FileSet with_headers_of(const FileSet& before, const FileSet& after) {
  FileSet files = before;
  for (const auto& [path, text] : after) {
    if (is_user_header(path)) {
      files[path] = text;
    } else {
      files.emplace(path, text);
    }
  }
  return files;
}

}  // namespace

FunctionChange function_change(const Side& before, const Side& after, const std::string& path) {
  FunctionChange change;
  for (const auto& [header, text] : before.files) {
    if (!is_user_header(header)) continue;
    const auto now = after.files.find(header);
    if (now != after.files.end() && same_plain_text(header, text, now->second)) continue;
    if (before.headers_of(path).contains(header)) change.headers.push_back(header);
  }
  if (change.headers.empty()) return change;
  change.verdict = Verdict::kUnknown;
  const std::optional<Code>& code = before.codes.at(path);
  const FileSet files = with_headers_of(before.files, after.files);
  const FolderReader reader(files);
  std::string error;
  const std::optional<Code> code_now = reader.read(path, error);
  if (!code || !code_now) return change;
  change.verdict = compare_builds({before.files, before.reader, path, *code}, {files, reader, path, *code_now}).verdict;
  return change;
}

}  // namespace sinter
