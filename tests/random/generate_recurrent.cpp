// Random recurrent layers: loops whose steps multiply slices of what they walk along, what they carry and what does not
// change, record what they make, and add it up. All is s32, whose sums may be made in any order.
#include <algorithm>

#include "tests/random/generate.h"

namespace sinter {

namespace {

using Sizes = std::vector<int64_t>;

std::string list_of(const Sizes& sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}
std::string shape_of(const Sizes& sizes) { return "s32[" + list_of(sizes) + "]"; }

class RecurrentGenerator {
 public:
  explicit RecurrentGenerator(uint64_t seed) : random_(seed) {
    program_.name = "recurrent_" + std::to_string(seed);
    program_.exact = true;
  }

  RandomProgram run();

 private:
  struct Array {
    std::string name;
    Sizes dims;
  };
  enum class CarryKind : uint8_t { kState, kSum, kRecord, kMatrix, kWalked };
  struct Carry {
    CarryKind kind = CarryKind::kState;
    Sizes dims;
    std::string read, next;
    size_t along = 0;  // kRecord, kWalked: the dimension of steps
  };

  Array add(const std::string& hint, const Sizes& dims, const std::string& right) {
    return {text_.line(hint, shape_of(dims) + " " + right), dims};
  }
  Sizes matrix() { return {random_.pick(sizes_), random_.pick(sizes_)}; }
  const Array& late() {
    const int64_t count = std::ssize(pool_);
    return pool_[static_cast<size_t>(count - 1 - random_.below(std::min<int64_t>(count, 6)))];
  }
  std::string place(size_t rank, size_t along);
  Array walked(const Carry& carry);
  void multiply();
  void operation();
  std::string with_dims(const Sizes& dims);
  void end(Carry& carry);
  std::string state_type() const;
  void body();
  void condition();

  Random random_;
  HloText text_;
  RandomProgram program_;
  Sizes sizes_;
  int64_t steps_ = 1, start_ = 0;
  bool down_ = false;  // the counter counts down
  std::vector<Carry> carries_;
  std::vector<Array> pool_;
  std::string counter_, zero_;
};

// Where this step's part of an array begins: forwards or backwards.
std::string RecurrentGenerator::place(size_t rank, size_t along) {
  std::string number = counter_;
  const std::string start = text_.line("constant", "s32[] constant(" + std::to_string(start_) + ")");
  if (down_) {
    number = text_.line("subtract", "s32[] subtract(" + start + ", " + counter_ + ")");
  } else if (start_ > 0) {
    number = text_.line("subtract", "s32[] subtract(" + counter_ + ", " + start + ")");
  }
  if (random_.chance(40)) {
    const std::string last = text_.line("constant", "s32[] constant(" + std::to_string(steps_ - 1) + ")");
    number = text_.line("subtract", "s32[] subtract(" + last + ", " + number + ")");
  }
  std::string text;
  for (size_t d = 0; d < rank; ++d) text += ", " + (d == along ? number : zero_);
  return text;
}

RecurrentGenerator::Array RecurrentGenerator::walked(const Carry& carry) {
  Sizes one = carry.dims, rest = carry.dims;
  one[carry.along] = 1;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(carry.along));
  const Array slice = add(
      "slice", one,
      "dynamic-slice(" + carry.read + place(one.size(), carry.along) + "), dynamic_slice_sizes={" + list_of(one) + "}");
  return add("part", rest, "reshape(" + slice.name + ")");
}

// A product of two matrices, along dimensions of the same size; of two of the same shape, a row by row one too.
void RecurrentGenerator::multiply() {
  const Array a = late();
  std::vector<std::pair<Array, size_t>> partners;
  const size_t side = static_cast<size_t>(random_.below(2));
  for (const Array& b : pool_) {
    for (size_t d = 0; d < 2; ++d) {
      if (b.dims[d] == a.dims[side]) partners.emplace_back(b, d);
    }
  }
  if (partners.empty()) return;
  const auto& [b, other] = random_.pick(partners);
  const std::string contracting =
      "lhs_contracting_dims={" + std::to_string(side) + "}, rhs_contracting_dims={" + std::to_string(other) + "}";
  const std::string operands = "dot(" + a.name + ", " + b.name + "), ";
  const Sizes dims = {a.dims[1 - side], b.dims[1 - other]};
  if (dims[0] == dims[1] && random_.chance(30)) {
    const Array rows = add("rows", {dims[0]},
                           operands + "lhs_batch_dims={" + std::to_string(1 - side) + "}, rhs_batch_dims={" +
                               std::to_string(1 - other) + "}, " + contracting);
    pool_.push_back(add("spread", {dims[0], a.dims[side]}, "broadcast(" + rows.name + "), dimensions={0}"));
  } else {
    pool_.push_back(add("dot", dims, operands + contracting));
  }
}

void RecurrentGenerator::operation() {
  const Array a = late();
  switch (random_.below(8)) {
    case 0:
    case 1:
    case 2:
      multiply();
      break;
    case 3:
      pool_.push_back(add("turned", {a.dims[1], a.dims[0]}, "transpose(" + a.name + "), dimensions={1,0}"));
      break;
    case 4: {
      const Array row =
          add("reduced", {a.dims[1]},
              "reduce(" + a.name + ", " + zero_ + "), dimensions={0}, to_apply=" + text_.combiner("add", DType::kS32));
      pool_.push_back(add("spread", a.dims, "broadcast(" + row.name + "), dimensions={1}"));
      break;
    }
    default:
      for (const Array& b : std::vector<Array>(pool_.rbegin(), pool_.rend())) {
        if (b.dims != a.dims || (b.name == a.name && random_.chance(80))) continue;
        static const std::vector<std::string> kOpcodes = {"add", "subtract", "multiply", "maximum", "xor"};
        pool_.push_back(add("value", a.dims, random_.pick(kOpcodes) + "(" + a.name + ", " + b.name + ")"));
        break;
      }
  }
}

// The last value of these dimensions.
std::string RecurrentGenerator::with_dims(const Sizes& dims) {
  for (auto value = pool_.rbegin(); value != pool_.rend(); ++value) {
    if (value->dims == dims && !random_.chance(20)) return value->name;
  }
  return add("zeros", dims, "broadcast(" + zero_ + "), dimensions={}").name;
}

void RecurrentGenerator::end(Carry& carry) {
  switch (carry.kind) {
    case CarryKind::kState:
      carry.next = add("next", carry.dims, "add(" + with_dims(carry.dims) + ", " + with_dims(carry.dims) + ")").name;
      break;
    case CarryKind::kSum: {
      const std::string term = with_dims(carry.dims);
      const bool first = random_.chance(50);
      carry.next = add("sum", carry.dims,
                       first ? "add(" + term + ", " + carry.read + ")" : "add(" + carry.read + ", " + term + ")")
                       .name;
      // That something reads what has been added up is seldom.
      if (random_.chance(10)) pool_.push_back({carry.next, carry.dims});
      break;
    }
    case CarryKind::kRecord: {
      Sizes one = carry.dims, rest = carry.dims;
      one[carry.along] = 1;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(carry.along));
      const Array piece = add("piece", one, "reshape(" + with_dims(rest) + ")");
      carry.next = add("record", carry.dims,
                       "dynamic-update-slice(" + carry.read + ", " + piece.name + place(one.size(), carry.along) + ")")
                       .name;
      break;
    }
    default:
      carry.next = carry.read;
  }
}

std::string RecurrentGenerator::state_type() const {
  std::string type = "(s32[]";
  for (const Carry& carry : carries_) type += ", " + shape_of(carry.dims);
  return type + ")";
}

void RecurrentGenerator::body() {
  text_.open("body");
  const std::string state = text_.line("state", state_type() + " parameter(0)");
  const auto element = [&](size_t i) { return " get-tuple-element(" + state + "), index=" + std::to_string(i); };
  counter_ = text_.line("counter", "s32[]" + element(0));
  zero_ = text_.line("zero", "s32[] constant(0)");
  for (size_t i = 0; i < carries_.size(); ++i) {
    Carry& carry = carries_[i];
    carry.read = text_.line("carry", shape_of(carry.dims) + element(i + 1));
    if (carry.kind == CarryKind::kState || carry.kind == CarryKind::kMatrix) pool_.push_back({carry.read, carry.dims});
  }
  for (const Carry& carry : carries_) {
    if (carry.kind == CarryKind::kWalked) pool_.push_back(walked(carry));
  }
  for (int64_t i = random_.between(3, 14); i > 0; --i) operation();
  for (Carry& carry : carries_) {
    end(carry);
    if (random_.chance(50)) operation();
  }
  const std::string one = text_.line("constant", "s32[] constant(1)");
  std::string next =
      text_.line("count", std::string("s32[] ") + (down_ ? "subtract(" : "add(") + counter_ + ", " + one + ")");
  for (const Carry& carry : carries_) next += ", " + carry.next;
  text_.line("tuple", state_type() + " tuple(" + next + ")", true);
  text_.close();
}

void RecurrentGenerator::condition() {
  text_.open("condition");
  const std::string state = text_.line("state", state_type() + " parameter(0)");
  const std::string counter = text_.line("counter", "s32[] get-tuple-element(" + state + "), index=0");
  const int64_t end = down_ ? start_ - steps_ : start_ + steps_;
  const std::string limit = text_.line("constant", "s32[] constant(" + std::to_string(end) + ")");
  text_.line("compare", "pred[] compare(" + counter + ", " + limit + "), direction=" + (down_ ? "GT" : "LT"), true);
  text_.close();
}

RandomProgram RecurrentGenerator::run() {
  steps_ = random_.between(2, 6);
  down_ = random_.chance(20);
  start_ = down_ ? steps_ + random_.below(3) : random_.below(3) / 2;
  for (int64_t i = random_.between(2, 3); i > 0; --i) sizes_.push_back(random_.between(1, 5));

  const auto with_steps = [&](Carry carry) {
    carry.along = static_cast<size_t>(random_.chance(70) ? 0 : random_.below(3));
    const bool longer = carry.kind == CarryKind::kWalked && random_.chance(30);
    carry.dims.insert(carry.dims.begin() + static_cast<std::ptrdiff_t>(carry.along), steps_ + (longer ? 2 : 0));
    return carry;
  };
  const auto add_carries = [&](CarryKind kind, int64_t low, int64_t high) {
    for (int64_t i = random_.between(low, high); i > 0; --i) {
      const Carry carry = {.kind = kind, .dims = matrix()};
      carries_.push_back(kind == CarryKind::kRecord || kind == CarryKind::kWalked ? with_steps(carry) : carry);
    }
  };
  add_carries(CarryKind::kState, 1, 2);
  add_carries(CarryKind::kWalked, 1, 2);
  add_carries(CarryKind::kMatrix, 1, 3);
  add_carries(CarryKind::kSum, 0, 2);
  add_carries(CarryKind::kRecord, 0, 2);

  text_.open("main", true);
  std::string start = text_.line("constant", "s32[] constant(" + std::to_string(start_) + ")");
  const std::string nothing = text_.line("constant", "s32[] constant(0)");
  for (const Carry& carry : carries_) {
    const bool begins_empty = carry.kind == CarryKind::kRecord || (carry.kind == CarryKind::kSum && random_.chance(50));
    if (begins_empty) {
      start += ", " + add("empty", carry.dims, "broadcast(" + nothing + "), dimensions={}").name;
      continue;
    }
    start += ", " + add("x", carry.dims, "parameter(" + std::to_string(program_.inputs.size()) + ")").name;
    program_.inputs.push_back({DType::kS32, carry.dims, 9});
  }
  body();
  condition();
  const std::string initial = text_.line("start", state_type() + " tuple(" + start + ")");
  const std::string loop = text_.line("loop", state_type() + " while(" + initial + "), condition=condition, body=body");
  std::string types, names;
  for (size_t i = 0; i < carries_.size(); ++i) {
    const CarryKind kind = carries_[i].kind;
    if (kind == CarryKind::kMatrix || kind == CarryKind::kWalked) continue;
    const Array result =
        add("result", carries_[i].dims, "get-tuple-element(" + loop + "), index=" + std::to_string(i + 1));
    types += (types.empty() ? "" : ", ") + shape_of(result.dims);
    names += (names.empty() ? "" : ", ") + result.name;
  }
  text_.line("tuple", "(" + types + ") tuple(" + names + ")", true);
  text_.close();
  program_.text = text_.module(program_.name);
  return std::move(program_);
}

}  // namespace

RandomProgram generate_recurrent(uint64_t seed, bool) { return RecurrentGenerator(seed).run(); }

}  // namespace sinter
