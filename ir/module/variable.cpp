#include "ir/module/variable.h"

#include <algorithm>
#include <cstdlib>

namespace sinter {

namespace {

constexpr std::string_view kVariable = "variable=\"", kCarried = "carried=\"", kNumbers = "numbers=\"";

// Where an item's value stands in Metadata::rest; npos if it has none.
size_t find_item(const std::string& rest, std::string_view item) {
  size_t at = rest.find(item);
  while (at != std::string::npos && at > 0 && rest[at - 1] != ' ') at = rest.find(item, at + 1);
  return at == std::string::npos ? at : at + item.size();
}

std::string item_of(const Instruction& instruction, std::string_view item) {
  const std::string& rest = instruction.metadata->rest;
  const size_t begin = rest.empty() ? std::string::npos : find_item(rest, item);
  return begin == std::string::npos ? "" : rest.substr(begin, rest.find('"', begin) - begin);
}

void set_item(Instruction& instruction, std::string_view item, std::string_view value) {
  const size_t begin = find_item(instruction.metadata->rest, item);
  std::string& rest = instruction.metadata.edit().rest;
  if (begin != std::string::npos) {
    rest.replace(begin, rest.find('"', begin) - begin, value);
  } else {
    rest += (rest.empty() ? "" : " ") + std::string(item) + std::string(value) + '"';
  }
}

}  // namespace

std::string variable_of(const Instruction& instruction) { return item_of(instruction, kVariable); }
void set_variable(Instruction& instruction, std::string_view name) { set_item(instruction, kVariable, name); }

std::string carried_variable_of(const Instruction& instruction) { return item_of(instruction, kCarried); }
void set_carried_variable(Instruction& instruction, std::string_view name) { set_item(instruction, kCarried, name); }

bool is_part_of_variable(const Instruction& instruction) {
  const std::vector<Instruction*>& users = instruction.users();
  const std::string variable = variable_of(instruction);
  return !users.empty() && std::all_of(users.begin(), users.end(), [&](const Instruction* user) {
    return user->opcode != Opcode::kTuple && user->metadata->stack_frame_id == instruction.metadata->stack_frame_id &&
           variable_of(*user) == variable;
  });
}

// numbers="GRAVITY=9.8,STEP=0.02"
std::vector<NamedNumber> named_numbers_of(const Instruction& instruction) {
  std::vector<NamedNumber> numbers;
  const std::string text = item_of(instruction, kNumbers);
  for (size_t at = 0; at < text.size();) {
    const size_t equals = text.find('=', at);
    if (equals == std::string::npos) break;
    const size_t end = std::min(text.find(',', equals), text.size());
    numbers.push_back(
        {text.substr(at, equals - at), std::strtod(text.substr(equals + 1, end - equals - 1).c_str(), nullptr)});
    at = end + 1;
  }
  return numbers;
}

void set_named_numbers(Instruction& instruction, const std::vector<NamedNumber>& numbers) {
  std::string text;
  for (const NamedNumber& number : numbers)
    text += (text.empty() ? "" : ",") + number.name + "=" + to_string(real_literal(DType::kF64, number.value));
  set_item(instruction, kNumbers, text);
}

void hand_on_variable(const Instruction& from, Instruction& to) {
  if (const std::string name = variable_of(from); !name.empty() && variable_of(to).empty()) set_variable(to, name);
  if (const std::string name = carried_variable_of(from); !name.empty() && carried_variable_of(to).empty())
    set_carried_variable(to, name);
  if (std::vector<NamedNumber> numbers = named_numbers_of(from); !numbers.empty() && named_numbers_of(to).empty())
    set_named_numbers(to, numbers);
}

}  // namespace sinter
