// The stores of a stage of its own whose results are stored as what follows them makes of them (epilogue.h).
#pragma once

#include <map>
#include <string>

#include "passes/lower/stages/base/stage_writer.h"
#include "passes/stages/own/epilogue.h"

namespace sinter {

// The element of the operation that is stored.
struct StoredElement {
  const Instruction* source = nullptr;
  std::map<int, const Expr*> coordinates;
  std::map<int64_t, std::string> constants;  // names of numbers
  std::string name;                          // of a variable for it
  const Expr* value = nullptr;
};

// Adds the statements that store what is made of it.
void store_epilogue(const StageInput& input, StageWriter& writer, const EpilogueDemand& epilogue,
                    const StoredElement& stored, Block* block);

}  // namespace sinter
