// Tests of passes say their programs as HLO text.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "frontend/hlo/parse_hlo.h"
#include "ir/verify/verify.h"

namespace sinter {

// The module of a text that is right.
inline std::unique_ptr<Module> parse_module(const std::string& text) {
  const Source source{"test.hlo", text};
  Diagnostics diagnostics(source);
  std::unique_ptr<Module> module = parse_hlo(diagnostics);
  EXPECT_TRUE(module != nullptr && verify(*module, diagnostics)) << diagnostics.render();
  return module;
}

}  // namespace sinter
