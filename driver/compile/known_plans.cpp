#include "driver/compile/known_plans.h"

#include "ir/text/print.h"

namespace sinter {

std::string plan_key(const Module& module) {
  std::string key = print(module);
  for (const std::string& name : module.result_names) key += "\n" + name;
  const auto add = [&](size_t number) { key.append(reinterpret_cast<const char*>(&number), sizeof(number)); };
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      add(instruction.users().size());
      for (const Instruction* user : instruction.users()) add(user->position());
    }
  }
  return key;
}

}  // namespace sinter
