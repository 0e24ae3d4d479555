#include "review/read/code.h"

namespace sinter {
namespace {

enum class Memory : uint8_t {
  kLocal,       // a variable of the thread that nothing else can name
  kVariable,    // shared or global memory with a name
  kRestricted,  // behind a __restrict__ pointer
  kSomewhere,   // behind any other pointer
};

Memory memory_of(const Code& code, const Place& place) {
  if (place.entity < 0) return Memory::kSomewhere;
  const Entity& entity = code.entities[place.entity];
  if (place.pointee) return entity.restricted ? Memory::kRestricted : Memory::kSomewhere;
  if (!entity.local) return Memory::kVariable;
  return entity.escapes ? Memory::kSomewhere : Memory::kLocal;
}

// True of memory that no pointer of a function's parameters led to.
bool is_apart_from_parameters(const Code& code, const Place& place, Memory memory) {
  if (memory == Memory::kVariable) return true;
  return memory == Memory::kSomewhere && place.entity >= 0 && place.pointee && code.entities[place.entity].apart;
}

bool one_leads_to_the_other(const std::string& a, const std::string& b) {
  return a.size() < b.size() ? b.starts_with(a) : a.starts_with(b);
}

}  // namespace

Place resolved(const Code& code, Place place) {
  // Aliases lead to what was made before them.
  while (place.entity >= 0 && place.pointee && code.entities[place.entity].alias) {
    Place target = code.entities[place.entity].target;
    target.open = target.open && place.open;
    if (target.open) target.path += place.path;
    place = target;
  }
  return place;
}

bool may_overlap(const Code& code, const Place& first, const Place& second) {
  const Place a = resolved(code, first), b = resolved(code, second);
  const Memory memory = memory_of(code, a), other = memory_of(code, b);
  if (memory == Memory::kLocal || other == Memory::kLocal) {
    if (memory != other) return false;
  } else if (memory == Memory::kRestricted || other == Memory::kRestricted) {
    // What is reached through a __restrict__ pointer, and written at all, is reached through nothing else. A pointer
    // that is not followed may have been made from it.
    if (is_apart_from_parameters(code, a, memory) || is_apart_from_parameters(code, b, other)) return false;
    if (memory != other) return true;
  } else if (memory != other) {
    return true;
  }
  if (a.entity >= 0 && a.entity == b.entity && a.pointee == b.pointee) {
    const bool moved = a.pointee && code.entities[a.entity].reassigned;
    return moved || one_leads_to_the_other(a.path, b.path);
  }
  return memory == Memory::kSomewhere;
}

std::vector<std::string> exported_names(const Code& code) {
  std::vector<std::string> names;
  for (const int root : code.roots) {
    if (!code.entities[root].exported.empty()) names.push_back(code.entities[root].exported);
  }
  return names;
}

void add_effects(const CodeNode& node, Effects* effects) {
  effects->accesses.insert(effects->accesses.end(), node.accesses.begin(), node.accesses.end());
  effects->waits = effects->waits || node.waits;
  effects->returns = effects->returns || node.returns;
  effects->leaves = effects->leaves || node.leaves || node.returns;
  const bool left = effects->leaves;
  for (const CodeNode& part : node.parts) add_effects(part, effects);
  // A break ends its loop, no more.
  const bool loop = node.kind == CodeNode::Kind::kWord && (node.text == "for" || node.text == "while");
  if (loop) effects->leaves = left || effects->returns;
}

Effects effects_of(const CodeNode& node) {
  Effects effects;
  add_effects(node, &effects);
  return effects;
}

namespace {

bool touches_memory(const Code& code, const Effects& effects) {
  for (const Access& access : effects.accesses) {
    if (memory_of(code, resolved(code, access.place)) != Memory::kLocal) return true;
  }
  return false;
}

}  // namespace

bool independent(const Code& code, const Effects& a, const Effects& b) {
  if (a.leaves || b.leaves) return false;
  if (a.waits && (b.waits || touches_memory(code, b))) return false;
  if (b.waits && touches_memory(code, a)) return false;
  for (const Access& first : a.accesses) {
    for (const Access& second : b.accesses) {
      if ((first.write || second.write) && may_overlap(code, first.place, second.place)) return false;
    }
  }
  return true;
}

bool is_pure(const Code& code, const Effects& effects) {
  if (effects.waits || effects.leaves || touches_memory(code, effects)) return false;
  for (const Access& access : effects.accesses) {
    if (access.write) return false;
  }
  return true;
}

}  // namespace sinter
