// What the words are made of that tools look for in texts: names and numbers of Python, of C++ and of the tree.
#pragma once

#include <cctype>

namespace sinter {

// A letter, a digit or an underscore.
inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace sinter
