// Scripts with which shells complete the command line, written from its outline.
#pragma once

#include <string>

#include "driver/commands/line/outline.h"

namespace sinter {

std::string bash_completion(const Outline& outline);
std::string zsh_completion(const Outline& outline);
std::string fish_completion(const Outline& outline);

}  // namespace sinter
