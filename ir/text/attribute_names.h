// Attributes by id: the names that attributes.def gives them, and whether one is set.
#pragma once

#include <string_view>

#include "ir/module/attributes.h"

namespace sinter {

inline std::string_view attribute_name(AttributeId id) {
  switch (id) {
#define ATTRIBUTE(hlo_name, member, kind) \
  case AttributeId::k_##member:           \
    return hlo_name;
#include "ir/module/attributes.def"
#undef ATTRIBUTE
  }
  return "";
}

inline bool has_attribute(const Attributes& attributes, AttributeId id) {
  switch (id) {
#define ATTRIBUTE(hlo_name, member, kind) \
  case AttributeId::k_##member:           \
    return attributes.member.has_value();
#include "ir/module/attributes.def"
#undef ATTRIBUTE
  }
  return false;
}

}  // namespace sinter
