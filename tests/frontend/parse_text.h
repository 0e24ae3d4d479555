// Parsing a text in a test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "frontend/hlo/parse_hlo.h"
#include "ir/text/print.h"

namespace sinter {

struct Parsed {
  explicit Parsed(std::string text) : source{"test.hlo", std::move(text)}, diagnostics(source) {
    module = parse_hlo(diagnostics);
  }
  // The instruction of that name, wherever it stands.
  const Instruction& at(const std::string& name) const {
    for (const auto& computation : module->computations()) {
      for (const Instruction& instruction : computation->instructions()) {
        if (instruction.name == name) return instruction;
      }
    }
    throw std::out_of_range("no instruction " + name);
  }

  Source source;
  Diagnostics diagnostics;
  std::unique_ptr<Module> module;
};

// What differs between two modules, places in the text aside; empty if nothing does.
std::string difference(const Module& a, const Module& b);

// Parses, prints, and parses again: the module must be the same, and so must its text.
void expect_round_trip(const std::string& text);

}  // namespace sinter
