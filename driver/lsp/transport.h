// Messages of the language server protocol: JSON behind a header with its length, on streams.
#pragma once

#include <llvm/Support/JSON.h>

#include <iosfwd>
#include <optional>

namespace sinter {

// The next message; nullopt at the end of the stream, or where it holds no messages. What is no JSON is null.
std::optional<llvm::json::Value> read_message(std::istream& in);

void write_message(std::ostream& out, const llvm::json::Value& message);

}  // namespace sinter
