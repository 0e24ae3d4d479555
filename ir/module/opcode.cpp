// Opcodes: names and families, from opcodes.def.
#include "ir/module/opcode.h"

#include <algorithm>
#include <array>

namespace sinter {
namespace {

// opcodes.def is sorted by HLO name, so that a name is found by bisection.
constexpr std::array<std::string_view, kOpcodeCount> kNames = {
#define OPCODE(enumerator, hlo_name, family) hlo_name,
#include "ir/module/opcodes.def"
#undef OPCODE
};
static_assert(std::is_sorted(kNames.begin(), kNames.end()), "opcodes.def must be sorted by HLO name");

constexpr std::array<Family, kOpcodeCount> kFamilies = {
#define OPCODE(enumerator, hlo_name, family) Family::k##family,
#include "ir/module/opcodes.def"
#undef OPCODE
};

}  // namespace

std::string_view opcode_name(Opcode opcode) { return kNames[static_cast<size_t>(opcode)]; }

std::optional<Opcode> opcode_from_name(std::string_view name) {
  const auto found = std::lower_bound(kNames.begin(), kNames.end(), name);
  if (found == kNames.end() || *found != name) return std::nullopt;
  return static_cast<Opcode>(found - kNames.begin());
}

Family opcode_family(Opcode opcode) { return kFamilies[static_cast<size_t>(opcode)]; }

}  // namespace sinter
