// Messages of the language server protocol: JSON behind a header with its length.
#pragma once

#include <llvm/Support/JSON.h>

#include <iosfwd>
#include <optional>
#include <string>

namespace sinter {

// Messages as they arrive at a file descriptor.
class MessageReader {
 public:
  explicit MessageReader(int descriptor) : descriptor_(descriptor) {}

  int descriptor() const { return descriptor_; }

  // Waits until there is more of the stream; false at its end.
  bool read();

  // The next message that is there whole; nullopt if there is none. What is no JSON is null.
  std::optional<llvm::json::Value> next();

  // What the stream holds is no messages.
  bool is_broken() const { return is_broken_; }

 private:
  int descriptor_;
  std::string text_;  // not yet given
  bool is_broken_ = false;
};

void write_message(std::ostream& out, const llvm::json::Value& message);

}  // namespace sinter
