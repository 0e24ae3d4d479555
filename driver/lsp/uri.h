// Paths and places as editors have them: file URIs, and columns in UTF-16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ir/support/diagnostics.h"

namespace sinter {

std::string path_of(const std::string& uri);  // "file:///a%20b.grain" -> "/a b.grain"
std::string uri_of(const std::string& path);

// The column from 0, in units of UTF-16, of a place whose column counts bytes from 1.
int64_t utf16_column(std::string_view text, LineColumn place);

// The offset in bytes of a line and a column from 0, in units of UTF-16. Beyond the line's end: its end.
size_t offset_of(std::string_view text, int64_t line, int64_t column);

}  // namespace sinter
