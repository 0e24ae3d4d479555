// Numbers that Python text writes down: 9.8, 1.0 + MASS, 12 * 2 * np.pi / 360.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "frontend/python/tokens.h"

namespace sinter {

// What the tokens come to, with the values of names that are known; nullopt if they are anything but such arithmetic.
std::optional<double> evaluate_python(std::span<const PythonToken> tokens, const std::map<std::string, double>& names);

}  // namespace sinter
