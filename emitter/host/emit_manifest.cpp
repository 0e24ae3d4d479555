// manifest.json: what the folder was made from and the hash of each of its files. No time and no path: the same input
// and options give the same bytes.
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include "emitter/host/emit_host.h"
#include "emitter/text/json_text.h"
#include "emitter/text/version.h"
#include "ir/support/sha256.h"

namespace sinter {

std::string emit_manifest(const std::string& program, const EmitOptions& options, const FileSet& files) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("generator", "sinter " + std::string(kCompilerVersion));
    json.attribute("program", program);
    json.attribute("input_sha256", json_text(options.input_hash));
    json.attribute("options", json_text(options.option_text));
    if (!options.license.empty()) json.attribute("license", options.license);
    if (!options.note.empty()) json.attribute("note", json_text(options.note));
    if (!options.shared.taken.empty()) {
      json.attributeObject("taken_kernels", [&] {
        for (const auto& [kernel, taken] : options.shared.taken) {
          json.attributeObject(kernel, [&] {
            json.attribute("program", taken.program);
            json.attribute("code_sha256", taken.code_hash);
          });
        }
      });
    }
    json.attributeObject("files", [&] {
      for (const auto& [path, content] : files) json.attribute(path, sha256_hex(content));
    });
  });
  json.flush();
  stream << '\n';
  return stream.str();
}

}  // namespace sinter
