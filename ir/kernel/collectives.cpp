#include "ir/kernel/collectives.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "ir/support/diagnostics.h"

namespace sinter {

namespace {

struct Collective {
  std::string_view function;
  std::optional<Sync> sync;  // nullopt: as the call says
};

struct Level {
  static constexpr std::optional<Sync> kWarp = Sync::kWarp, kBlock = Sync::kBlock, kTeam = std::nullopt;
};
constexpr Collective kCollectives[] = {
#define COLLECTIVE(function, level) {function, Level::level},
#include "ir/kernel/collectives.def"
#undef COLLECTIVE
};

// The function of "turns.advance", or of "block_scan<kThreads>".
std::string_view function_of(std::string_view call) {
  call = call.substr(0, call.find('<'));
  const size_t dot = call.rfind('.');
  return dot == std::string_view::npos ? call : call.substr(dot + 1);
}

}  // namespace

Sync sync_of(std::string_view call, std::optional<Sync> given) {
  const std::string_view function = function_of(call);
  const auto found = std::find_if(std::begin(kCollectives), std::end(kCollectives),
                                  [&](const Collective& collective) { return collective.function == function; });
  const std::optional<Sync> known = found == std::end(kCollectives) ? Sync::kNone : found->sync;
  check(known.has_value() != given.has_value(), "kernel IR",
        std::string(function) + (known ? " waits for what it waits for" : " does not say which threads wait in it"));
  return known ? *known : *given;
}

}  // namespace sinter
