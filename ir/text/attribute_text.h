// Attribute values as HLO text: what print.cpp puts into lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/attributes.h"

namespace sinter {

// "1,0" of the items, each as `write` gives it.
template <class Items, class Write>
std::string join(const Items& items, std::string_view separator, Write write) {
  std::string result;
  bool first = true;
  for (const auto& item : items) {
    if (!first) result += separator;
    first = false;
    result += write(item);
  }
  return result;
}

// `name=value` of an attribute that is set.
std::string attribute_text(const Attributes& attributes, AttributeId id);

// "{1,0}"
std::string int_list(const std::vector<int64_t>& values);

// The text in double quotes, with C escapes.
std::string quote(std::string_view text);

// As it is if it reads back as one value in braces (`{"n":"10"}`, `{axis = 0 : i64}`), in quotes otherwise.
std::string braced_or_quoted(std::string_view text);

}  // namespace sinter
