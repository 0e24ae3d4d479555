// The programs of a folder, and changes to their texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sinter::grain_test {

struct Program {
  std::string path, text, entry;
  std::map<std::string, int64_t> dims;
};

// Each entry of each file, with dims that an interpreter has time for.
std::vector<Program> read_folder(const std::string& folder);
// What GrainOptions::read_file asks for.
std::optional<std::string> read_import(const std::string& path, std::string& error);

// One token left out, written twice, or replaced by another of the file.
std::string mutate_token(const std::string& text, std::mt19937_64& random);
// Some of that, of bytes, and of lines that are copied from another text.
std::string mutate_much(const std::string& text, const std::string& other, std::mt19937_64& random);

}  // namespace sinter::grain_test
