// Safetensors files: element types, headers, whole files.
//
// Standard C++ alone, so that emitted projects can contain it. A file may be hostile: every size,
// offset and nesting is checked, and what is wrong is said in a message. The machine is
// little-endian, as the format is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tensor_file::inline sinter_helpers {

static_assert(std::endian::native == std::endian::little);

struct Tensor {
  std::string name;
  std::string
      dtype;  // as safetensors spells it: BOOL I8 U8 ... F16 BF16 F32 F64 C64 F8_E4M3 F8_E5M2
  std::vector<int64_t> shape;  // row-major
  std::vector<std::byte> bytes;
};

// --- element types
// -------------------------------------------------------------------------------------------------

struct ElementType {
  std::string_view name;  // of safetensors
  size_t bytes;
  std::string_view
      numpy;  // of .npy, which knows bfloat16 as two bytes of no type, and no float of 8 bits
};

inline constexpr ElementType kElementTypes[] = {
    {"BOOL", 1, "|b1"}, {"I8", 1, "|i1"},   {"U8", 1, "|u1"},     {"I16", 2, "<i2"},
    {"U16", 2, "<u2"},  {"I32", 4, "<i4"},  {"U32", 4, "<u4"},    {"I64", 8, "<i8"},
    {"U64", 8, "<u8"},  {"F16", 2, "<f2"},  {"BF16", 2, "<V2"},   {"F32", 4, "<f4"},
    {"F64", 8, "<f8"},  {"C64", 8, "<c8"},  {"C128", 16, "<c16"}, {"F8_E4M3", 1, ""},
    {"F8_E5M2", 1, ""}, {"F8_E8M0", 1, ""},
};

inline const ElementType* find_element_type(std::string_view name) {
  for (const ElementType& type : kElementTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

// What an element type of HLO ("f32") is in a file. Those that safetensors does not know are the
// integers that hold their bits, a byte each below a byte.
inline std::string type_of_hlo(const std::string& hlo) {
  if (hlo == "pred") return "BOOL";
  if (hlo == "f8e4m3fn") return "F8_E4M3";
  if (hlo == "f8e5m2") return "F8_E5M2";
  if (hlo == "f8e8m0fnu") return "F8_E8M0";
  if (hlo == "s1" || hlo == "s2" || hlo == "s4") return "I8";
  if (hlo == "u1" || hlo == "u2" || hlo == "u4") return "U8";
  if (hlo[0] == 's') return "I" + hlo.substr(1);
  if (hlo[0] == 'u') return "U" + hlo.substr(1);
  if (hlo == "f16" || hlo == "f32" || hlo == "f64") return "F" + hlo.substr(1);
  if (hlo == "bf16") return "BF16";
  if (hlo == "c64" || hlo == "c128") return "C" + hlo.substr(1);
  return "U8";
}

// The bytes of a tensor; false where that is more than a size can say, or a dimension is negative.
inline bool tensor_bytes(const std::vector<int64_t>& shape, size_t element_bytes, size_t& bytes) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return bytes = 0, true;
  bytes = element_bytes;
  for (const int64_t dimension : shape) {
    if (dimension < 0) return false;
    if (bytes >
        static_cast<size_t>(std::numeric_limits<int64_t>::max()) / static_cast<size_t>(dimension))
      return false;
    bytes *= static_cast<size_t>(dimension);
  }
  return true;
}

// --- files
// -------------------------------------------------------------------------------------------------

inline bool read_file(const std::string& path, std::string& content, std::string& error) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return error = "cannot open " + path, false;
  content.clear();
  char buffer[1 << 16];
  for (size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) != 0;)
    content.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return error = "cannot read " + path, false;
  return true;
}

inline bool write_file(const std::string& path, std::string_view content, std::string& error) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return error = "cannot create " + path, false;
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) return error = "cannot write " + path, false;
  return true;
}

// Where the data of a safetensors file has a tensor.
struct Entry {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  size_t begin = 0, end = 0;  // bytes, in the data
  size_t number = 0;          // in the header
};

using Metadata = std::map<std::string, std::string>;

// In that of weights which Sinter writes: what the build that they are of calls itself.
inline constexpr const char* kBuildKey = "sinter_build";

// --- safetensors
// -------------------------------------------------------------------------------------------------
//
// 8 bytes: the length of a JSON object; the object, {"name": {"dtype": "F32", "shape": [2, 3],
// "data_offsets": [0, 24]},
// ..., "__metadata__": {"key": "text"}}; the data, which the tensors cover without gap or overlap.

namespace detail {

// A reader of the JSON that safetensors headers are made of. After the first error every call
// fails.
class Json {
 public:
  explicit Json(std::string_view text) : text_(text) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

  void fail(const std::string& what) {
    if (ok()) error_ = what + " at byte " + std::to_string(position_) + " of the header";
  }

  bool at_end() {
    skip_blanks();
    return position_ == text_.size();
  }

  // Takes `c` if it comes next.
  bool accept(char c) {
    skip_blanks();
    if (!ok() || position_ == text_.size() || text_[position_] != c) return false;
    return ++position_, true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }

  std::string string() {
    std::string result;
    expect('"');
    while (ok()) {
      if (position_ == text_.size()) return fail("a string does not end"), result;
      const char c = text_[position_++];
      if (c == '"') break;
      if (static_cast<unsigned char>(c) < 0x20)
        return fail("a control character in a string"), result;
      if (c == '\\') {
        escape(result);
      } else {
        result += c;
      }
    }
    return result;
  }

  // A number without sign, fraction or exponent, below 2^63.
  int64_t integer() {
    skip_blanks();
    const size_t start = position_;
    int64_t value = 0;
    while (ok() && position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9') {
      const int digit = text_[position_++] - '0';
      if (value > (std::numeric_limits<int64_t>::max() - digit) / 10)
        return fail("a number is too large"), 0;
      value = value * 10 + digit;
    }
    if (ok() && position_ == start) fail("expected a number");
    return value;
  }

  std::vector<int64_t> integers() {
    std::vector<int64_t> values;
    expect('[');
    if (accept(']')) return values;
    do {
      values.push_back(integer());
    } while (accept(','));
    expect(']');
    return values;
  }

 private:
  void skip_blanks() {
    while (position_ < text_.size() && std::strchr(" \t\r\n", text_[position_]) != nullptr &&
           text_[position_] != 0) {
      ++position_;
    }
  }

  unsigned hex4() {
    unsigned value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = position_ < text_.size() ? text_[position_++] : 0;
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return fail("a broken escape"), 0;
      value = value * 16 + static_cast<unsigned>(digit);
    }
    return value;
  }

  void escape(std::string& result) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char c = position_ < text_.size() ? text_[position_++] : 0;
    if (const size_t i = kLetters.find(c); c != 0 && i != std::string_view::npos) {
      result += kMeanings[i];
      return;
    }
    if (c != 'u') return fail("a broken escape");
    unsigned code = hex4();
    if (code >= 0xd800 && code < 0xdc00) {  // the first half of a pair
      if (text_.substr(position_, 2) != "\\u") return fail("a broken escape");
      position_ += 2;
      const unsigned low = hex4();
      if (low < 0xdc00 || low > 0xdfff) return fail("a broken escape");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
      return fail("a broken escape");
    }
    append_utf8(result, code);
  }

  static void append_utf8(std::string& result, unsigned code) {
    const auto add = [&](unsigned byte) { result += static_cast<char>(byte); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
      add(0xc0 | code >> 6);
    } else {
      if (code < 0x10000) {
        add(0xe0 | code >> 12);
      } else {
        add(0xf0 | code >> 18), add(0x80 | (code >> 12 & 0x3f));
      }
      add(0x80 | (code >> 6 & 0x3f));
    }
    add(0x80 | (code & 0x3f));
  }

  std::string_view text_;
  size_t position_ = 0;
  std::string error_;
};

// {"dtype": ..., "shape": ..., "data_offsets": ...} in any order.
inline Entry read_entry(Json& json, std::string name) {
  Entry entry;
  entry.name = std::move(name);
  std::vector<int64_t> offsets;
  bool has_dtype = false, has_shape = false, has_offsets = false;
  json.expect('{');
  do {
    const std::string key = json.string();
    json.expect(':');
    if (key == "dtype" && !has_dtype) {
      has_dtype = true, entry.dtype = json.string();
    } else if (key == "shape" && !has_shape) {
      has_shape = true, entry.shape = json.integers();
    } else if (key == "data_offsets" && !has_offsets) {
      has_offsets = true, offsets = json.integers();
    } else {
      json.fail("an unexpected key in tensor '" + entry.name + "'");
    }
  } while (json.accept(','));
  json.expect('}');
  if (!json.ok()) return entry;
  if (!has_dtype || !has_shape || offsets.size() != 2) {
    json.fail("tensor '" + entry.name + "' lacks its dtype, shape or data_offsets");
    return entry;
  }
  entry.begin = static_cast<size_t>(offsets[0]), entry.end = static_cast<size_t>(offsets[1]);
  return entry;
}

inline Metadata read_metadata(Json& json) {
  Metadata metadata;
  json.expect('{');
  if (json.accept('}')) return metadata;
  do {
    const std::string key = json.string();
    json.expect(':');
    metadata[key] = json.string();
  } while (json.accept(','));
  json.expect('}');
  return metadata;
}

inline std::string quote(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\', result += c;
    } else if (byte < 0x20) {
      result += "\\u00", result += kDigits[byte >> 4], result += kDigits[byte & 15];
    } else {
      result += c;
    }
  }
  return result + '"';
}

inline std::string spell(const std::vector<int64_t>& shape, const char* open, const char* close) {
  std::string text = open;
  for (size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return text + close;
}

// Empty if so many bytes are what a tensor's dtype and shape say.
inline std::string check(const std::string& name, const std::string& dtype,
                         const std::vector<int64_t>& shape, size_t data_bytes) {
  const ElementType* type = find_element_type(dtype);
  if (type == nullptr) return "tensor '" + name + "': unknown dtype '" + dtype + "'";
  size_t bytes = 0;
  if (!tensor_bytes(shape, type->bytes, bytes) || bytes != data_bytes) {
    return "tensor '" + name + "': its data is not of its shape's size";
  }
  return "";
}
inline std::string check(const Tensor& tensor) {
  return check(tensor.name, tensor.dtype, tensor.shape, tensor.bytes.size());
}

}  // namespace detail

inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;

// The number that a file of `file_bytes` begins with: how long its header is.
inline bool parse_header_bytes(std::string_view begin, uint64_t file_bytes, uint64_t& header_bytes,
                               std::string& error) {
  if (begin.size() < sizeof header_bytes || file_bytes < sizeof header_bytes)
    return error = "not a safetensors file: it is too short", false;
  std::memcpy(&header_bytes, begin.data(), sizeof header_bytes);
  if (header_bytes > kMaxHeaderBytes || header_bytes > file_bytes - sizeof header_bytes) {
    return error = "not a safetensors file: its header would not fit", false;
  }
  return true;
}

// What a header says of data of `data_bytes`: the tensors in the order of their data, which is
// there and of the size that their shapes say.
inline bool parse_header(std::string_view header, uint64_t data_bytes, std::vector<Entry>& entries,
                         Metadata& metadata, std::string& error) {
  detail::Json json(header);
  entries.clear();
  metadata.clear();
  bool has_metadata = false;
  json.expect('{');
  if (!json.accept('}')) {
    do {
      std::string name = json.string();
      json.expect(':');
      if (name == "__metadata__" && !has_metadata) {
        has_metadata = true;
        metadata = detail::read_metadata(json);
      } else {
        entries.push_back(detail::read_entry(json, std::move(name)));
      }
    } while (json.ok() && json.accept(','));
    json.expect('}');
  }
  if (json.ok() && !json.at_end()) json.fail("unexpected text");
  if (!json.ok()) return error = "not a safetensors file: " + json.error(), false;

  for (size_t i = 0; i < entries.size(); ++i) entries[i].number = i;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.number) < std::tie(b.begin, b.end, b.number);
  });
  size_t position = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != position || entry.end < entry.begin || entry.end > data_bytes) {
      return error = "tensor '" + entry.name +
                     "': its data overlaps, leaves a gap or ends outside of the file",
             false;
    }
    position = entry.end;
    error = detail::check(entry.name, entry.dtype, entry.shape, entry.end - entry.begin);
    if (!error.empty()) return false;
  }
  if (position != data_bytes) return error = "the file has data that belongs to no tensor", false;

  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
    return error = "tensor '" + std::string(*twice) + "' is there twice", false;
  }
  return true;
}

// The tensors in the order of their data.
inline bool parse_safetensors(std::string_view content, std::vector<Tensor>& tensors,
                              std::string& error, Metadata* metadata = nullptr) {
  tensors.clear();
  uint64_t header_bytes = 0;
  if (!parse_header_bytes(content, content.size(), header_bytes, error)) return false;
  content.remove_prefix(sizeof header_bytes);
  const std::string_view data = content.substr(header_bytes);
  std::vector<Entry> entries;
  Metadata said;
  if (!parse_header(content.substr(0, header_bytes), data.size(), entries, said, error))
    return false;
  if (metadata != nullptr) *metadata = std::move(said);
  const auto* bytes = reinterpret_cast<const std::byte*>(data.data());
  for (Entry& entry : entries) {
    tensors.push_back({std::move(entry.name),
                       std::move(entry.dtype),
                       std::move(entry.shape),
                       {bytes + entry.begin, bytes + entry.end}});
  }
  return true;
}

// The text of a safetensors file with the tensors in the order given.
inline bool format_safetensors(const std::vector<Tensor>& tensors, std::string& content,
                               std::string& error, const Metadata& metadata = {}) {
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, text] : metadata) {
      header += (header.ends_with('{') ? "" : ",") + detail::quote(key) + ":" + detail::quote(text);
    }
    header += "}";
  }
  size_t position = 0;
  for (const Tensor& tensor : tensors) {
    if (error = detail::check(tensor); !error.empty()) return false;
    const size_t end = position + tensor.bytes.size();
    header += (header.size() == 1 ? "" : ",") + detail::quote(tensor.name) + ":{\"dtype\":\"" +
              tensor.dtype + "\",\"shape\":" + detail::spell(tensor.shape, "[", "]") +
              ",\"data_offsets\":[" + std::to_string(position) + "," + std::to_string(end) + "]}";
    position = end;
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');  // the data begins aligned
  const uint64_t header_bytes = header.size();
  content.assign(reinterpret_cast<const char*>(&header_bytes), sizeof header_bytes);
  content += header;
  for (const Tensor& tensor : tensors) {
    content.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return true;
}

}  // namespace tensor_file::inline sinter_helpers
