// Attribute values as HLO text.

#include "ir/text/attribute_text.h"

#include <charconv>
#include <cmath>

#include "ir/module/module.h"

namespace sinter {

namespace {

// True if the text reads back as one value in braces: `{"n":"10"}`, `{axis = 0 : i64}`.
bool is_braced(std::string_view text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return false;
  std::string closers;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\n') return false;
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[' || c == '(') {
      closers += c == '{' ? '}' : c == '[' ? ']' : ')';
    } else if (c == '}' || c == ']' || c == ')') {
      if (closers.empty() || closers.back() != c) return false;
      closers.pop_back();
      if (closers.empty() && i + 1 < text.size()) return false;
    }
  }
  return closers.empty() && !in_string;
}

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0 && std::signbit(value)) return "-0.0";
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string window_text(const std::vector<WindowDimension>& window) {
  const auto joined = [&](auto write) { return join(window, "x", write); };
  const auto any = [&](auto differs) {
    for (const WindowDimension& dimension : window) {
      if (differs(dimension)) return true;
    }
    return false;
  };
  std::string text = "{";
  if (!window.empty()) text += "size=" + joined([](const auto& d) { return std::to_string(d.size); });
  if (any([](const auto& d) { return d.stride != 1; })) {
    text += " stride=" + joined([](const auto& d) { return std::to_string(d.stride); });
  }
  if (any([](const auto& d) { return d.pad_low != 0 || d.pad_high != 0; })) {
    text +=
        " pad=" + joined([](const auto& d) { return std::to_string(d.pad_low) + "_" + std::to_string(d.pad_high); });
  }
  if (any([](const auto& d) { return d.lhs_dilate != 1; })) {
    text += " lhs_dilate=" + joined([](const auto& d) { return std::to_string(d.lhs_dilate); });
  }
  if (any([](const auto& d) { return d.rhs_dilate != 1; })) {
    text += " rhs_dilate=" + joined([](const auto& d) { return std::to_string(d.rhs_dilate); });
  }
  if (any([](const auto& d) { return d.reversal; })) {
    text += " rhs_reversal=" + joined([](const auto& d) { return d.reversal ? "1" : "0"; });
  }
  return text + "}";
}

// One operand's labels, such as b01f; a dimension that nothing names is '?'.
std::string labels_text(char first, int64_t first_dim, char second, int64_t second_dim,
                        const std::vector<int64_t>& spatial) {
  std::string text;
  const auto place = [&](int64_t dim, char label) {
    if (dim < 0) return;
    const auto index = static_cast<size_t>(dim);
    if (text.size() <= index) text.resize(index + 1, '?');
    text[index] = label;
  };
  place(first_dim, first);
  place(second_dim, second);
  for (size_t i = 0; i < spatial.size(); ++i) place(spatial[i], static_cast<char>('0' + i));
  return text;
}

std::string dim_labels_text(const ConvolutionDims& dims) {
  return labels_text('b', dims.lhs_batch, 'f', dims.lhs_feature, dims.lhs_spatial) + "_" +
         labels_text('i', dims.rhs_input_feature, 'o', dims.rhs_output_feature, dims.rhs_spatial) + "->" +
         labels_text('b', dims.output_batch, 'f', dims.output_feature, dims.output_spatial);
}

// One writer for each kind of attributes.def, named like it.
namespace writers {

std::string IntList(const attribute_kind::IntList& value) { return int_list(value); }
std::string Int(attribute_kind::Int value) { return std::to_string(value); }
std::string Bool(attribute_kind::Bool value) { return value ? "true" : "false"; }
std::string Real(attribute_kind::Real value) { return real_text(value); }
std::string SliceList(const attribute_kind::SliceList& value) {
  return "{" +
         join(value, ", ",
              [](const SliceBounds& slice) {
                const std::string bounds = std::to_string(slice.start) + ":" + std::to_string(slice.limit);
                return "[" + bounds + (slice.stride == 1 ? "" : ":" + std::to_string(slice.stride)) + "]";
              }) +
         "}";
}
std::string Padding(const attribute_kind::Padding& value) {
  return join(value, "x", [](const PadBounds& pad) {
    const std::string bounds = std::to_string(pad.low) + "_" + std::to_string(pad.high);
    return pad.interior == 0 ? bounds : bounds + "_" + std::to_string(pad.interior);
  });
}
std::string Window(const attribute_kind::Window& value) { return window_text(value); }
std::string DimLabels(const attribute_kind::DimLabels& value) { return dim_labels_text(value); }
std::string Word(const attribute_kind::Word& value) { return value; }
std::string WordList(const attribute_kind::WordList& value) {
  return "{" + join(value, ",", [](const std::string& word) { return word; }) + "}";
}
std::string String(const attribute_kind::String& value) { return quote(value); }
std::string Raw(const attribute_kind::Raw& value) { return value; }
std::string Computation(attribute_kind::Computation value) { return "%" + value->name; }
std::string ComputationList(const attribute_kind::ComputationList& value) {
  return "{" + join(value, ", ", [](const sinter::Computation* computation) { return "%" + computation->name; }) + "}";
}

}  // namespace writers

}  // namespace

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      // Three octal digits end by themselves, whatever follows.
      result += '\\';
      for (int shift = 6; shift >= 0; shift -= 3) result += static_cast<char>('0' + (byte >> shift & 7));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string braced_or_quoted(std::string_view text) { return is_braced(text) ? std::string(text) : quote(text); }

std::string int_list(const std::vector<int64_t>& values) {
  return "{" + join(values, ",", [](int64_t value) { return std::to_string(value); }) + "}";
}

std::string attribute_text(const Attributes& attributes, AttributeId id) {
  switch (id) {
#define ATTRIBUTE(hlo_name, member, kind) \
  case AttributeId::k_##member:           \
    return std::string(hlo_name) + "=" + writers::kind(*attributes.member);
#include "ir/module/attributes.def"
#undef ATTRIBUTE
  }
  return "";
}

}  // namespace sinter
