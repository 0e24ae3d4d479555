// Small facts about a compile: the program's name, its options as text, the hash of its input.
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <cctype>

#include "driver/compile.h"

namespace sinter {

bool is_identifier(const std::string& text) {
  if (text.empty() || text.size() > 64 || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!letter) return false;
  }
  return text[0] != '_';
}

std::string program_name(const std::string& module_name) {
  constexpr size_t kLongest = 48;
  std::string name;
  for (const char c : module_name) {
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (name.rfind("jit_", 0) == 0) name = name.substr(4);
  if (name.size() > kLongest) name.resize(kLongest);
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) return "model";
  // Names the emitted host code gives a meaning of its own.
  for (const char* taken : {"main", "launch", "kernels", "device", "cpu", "runner"}) {
    if (name == taken) return name + "_model";
  }
  return name[0] >= '0' && name[0] <= '9' ? "model_" + name : name;
}

std::string option_text(const CompileOptions& options) {
  std::string text = "--arch=" + options.architectures;
  if (!options.name.empty()) text += " --name=" + options.name;
  if (!options.graph.fma) text += " --no-fma";
  if (options.graph.keep_fusions) text += " --keep-fusions";
  if (options.schedule.unroll != 0) text += " --unroll=" + std::to_string(options.schedule.unroll);
  if (options.schedule.plan) text += " --plan=sha256:" + sha256_hex(*options.schedule.plan);
  return text;
}

std::string sha256_hex(const std::string& text) {
  const auto* data = reinterpret_cast<const uint8_t*>(text.data());
  const std::array<uint8_t, 32> digest = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(data, text.size()));
  return llvm::toHex(llvm::ArrayRef<uint8_t>(digest), /*LowerCase=*/true);
}

}  // namespace sinter
