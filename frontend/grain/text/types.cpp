#include "frontend/grain/text/types.h"

#include "frontend/grain/text/syntax.h"

namespace sinter::grain {
namespace {

std::string list(const std::vector<Formula>& formulas) {
  std::string out;
  for (const Formula& formula : formulas) out += (out.empty() ? "" : ", ") + formula.text();
  return out;
}

}  // namespace

bool Element::operator==(const Element& other) const {
  if (kind != other.kind) return false;
  switch (kind) {
    case Kind::kDType:
      return dtype == other.dtype && generic == other.generic;
    case Kind::kRecord:
      return record == other.record && arguments == other.arguments;
    default:
      return true;
  }
}

std::string text(const Element& element) {
  switch (element.kind) {
    case Element::Kind::kUnknown:
      return "?";
    case Element::Kind::kOpen:
      return "a constant";
    case Element::Kind::kDType:
      return element.generic.empty() ? std::string(dtype_name(element.dtype)) : element.generic;
    case Element::Kind::kKey:
      return "key";
    case Element::Kind::kRecord:
      return element.record->name + (element.arguments.empty() ? "" : "<" + list(element.arguments) + ">");
  }
  return "";
}

std::string text(const Type& type) {
  return text(type.element) + (type.dims.empty() ? "" : "[" + list(type.dims) + "]");
}

Type with(const Type& type, const std::map<std::string, Formula>& formulas) {
  Type result = type;
  for (Formula& argument : result.element.arguments) argument = argument.with(formulas);
  for (Formula& dim : result.dims) dim = dim.with(formulas);
  return result;
}

}  // namespace sinter::grain
