// What generate.cpp and generate_expressions.cpp share: the program on its way.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sinter::grain_test {

// The value is a multiple of 2^-fraction below 2^bits in size; kInexact: rounding has taken part in it.
struct Exactness {
  static constexpr int kInexact = 100;
  int fraction = 0, bits = 0;
  bool holds() const { return fraction + bits <= 20; }
};

struct Text {
  std::string text;
  Exactness exact;
  bool has_type = true;  // not of constants alone
};

// 'f': f32, 'i': s32, 'p': pred.
struct Variable {
  std::string name;
  char element = 'f';
  std::vector<std::string> dims;
  Exactness exact;
};

struct Bound {
  std::string index, dim;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}
  std::string program();

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(below(static_cast<int>(from.size())))];
  }
  std::string fresh(const std::string& stem) { return stem + std::to_string(next_++); }
  static std::string type(char element) { return element == 'f' ? "f32" : element == 'i' ? "s32" : "pred"; }
  std::string shaped(char element, const std::vector<std::string>& dims);
  std::vector<std::string> some_dims(int most);

  Text expression(char element, int depth);
  Text leaf(char element);
  Text access(const Variable& variable, int depth);
  Text real(int depth);
  Text whole(int depth);
  Text truth(int depth);
  Text reduction(char element, int depth);
  Text window();
  Text contraction();
  Text of_row(char element, int depth);
  Text small(Text value);  // exact, and below 8 in size
  Text summable(Text value) { return value.exact.holds() && value.exact.bits <= 8 ? value : small(std::move(value)); }
  std::string rule(char element);

  void line(const std::string& text) { body_ += std::string(static_cast<size_t>(indent_) * 2, ' ') + text + "\n"; }
  void statement();
  void definition(const std::string& name, char element, const std::vector<std::string>& dims, bool keeps_small);
  void update();
  void loop();
  void branch();
  void slices();
  void record();
  void add_record(const std::string& name, const std::vector<std::string>& dims);
  void function();

  std::mt19937_64 random_;
  int next_ = 0, indent_ = 1, loops_ = 0;
  bool has_records_ = false;
  std::vector<std::pair<std::string, int>> dims_;
  std::vector<Variable> variables_;
  std::vector<Bound> indices_;
  struct Function {
    std::string name;
    std::vector<char> parameters;  // of elements; 'r' is a row of f32
    char result = 'f';
  };
  std::vector<Function> functions_;
  std::string items_, body_;
  std::set<std::string> alone_;  // indices that are a subscript by themselves, which gives them their range
};

}  // namespace sinter::grain_test
