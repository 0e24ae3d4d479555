// Random conditionals: two or more arms, selected by a predicate or a number in or out of range, with several results
// of different shapes, arms that only hand on what they are given, conditionals and loops inside arms, and all of that
// inside a loop.
#include "tests/random/generate.h"

namespace sinter {

namespace {

class BranchGenerator {
 public:
  BranchGenerator(uint64_t seed, bool exact) : random_(seed) {
    program_.name = "branches_" + std::to_string(seed);
    program_.exact = exact;
    rows_ = random_.between(1, 9);
    columns_ = random_.between(1, 9);
    shapes_ = {"f32[" + std::to_string(rows_) + "]",
               "f32[" + std::to_string(rows_) + "," + std::to_string(columns_) + "]", "s32[]"};
    state_ = "(" + shapes_[0] + ", " + shapes_[1] + ", " + shapes_[2] + ")";
  }

  RandomProgram run();

 private:
  using State = std::vector<std::string>;  // a row value, an element, a number

  State taken(const std::string& tuple);
  std::string packed(const State& state, bool root = false);
  State step(State state);
  State branch(const State& state, int depth);
  std::string arm(int depth);
  State loop(const State& state, int depth, bool with_branch);

  Random random_;
  HloText text_;
  RandomProgram program_;
  int64_t rows_ = 1, columns_ = 1;
  std::vector<std::string> shapes_;
  std::string state_;
};

BranchGenerator::State BranchGenerator::taken(const std::string& tuple) {
  State state;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    state.push_back(text_.line("part", shapes_[i] + " get-tuple-element(" + tuple + "), index=" + std::to_string(i)));
  }
  return state;
}

std::string BranchGenerator::packed(const State& state, bool root) {
  return text_.line("state", state_ + " tuple(" + state[0] + ", " + state[1] + ", " + state[2] + ")", root);
}

// One change of the state, of bounded numbers.
BranchGenerator::State BranchGenerator::step(State state) {
  const size_t which = static_cast<size_t>(random_.below(3));
  const std::string shape = shapes_[which];
  const std::string type = which == 2 ? "s32[]" : "f32[]";
  const std::string number = text_.line("number", type + " constant(" + std::to_string(random_.between(1, 3)) + ")");
  std::string operand = number;
  if (which == 1 && random_.chance(50)) {
    operand = text_.line("spread", shape + " broadcast(" + state[0] + "), dimensions={0}");
  } else if (which != 2) {
    operand = text_.line("spread", shape + " broadcast(" + number + "), dimensions={}");
  }
  static const std::vector<std::string> operations = {"add", "subtract", "maximum", "minimum"};
  const std::string operation = random_.pick(operations);
  state[which] =
      text_.line(operation.substr(0, 3), shape + " " + operation + "(" + state[which] + ", " + operand + ")");
  return state;
}

std::string BranchGenerator::arm(int depth) {
  const std::string name = text_.fresh("arm");
  text_.open(name);
  const std::string argument = text_.line("given", state_ + " parameter(0)");
  State state = taken(argument);
  const int64_t steps = random_.below(4);  // none: the arm hands on what it is given
  for (int64_t i = 0; i < steps; ++i) state = step(state);
  if (steps > 0 && depth > 0 && random_.chance(35)) state = branch(state, depth - 1);
  if (steps > 0 && random_.chance(25)) state = loop(state, 0, false);
  packed(state, true);
  return text_.close();
}

BranchGenerator::State BranchGenerator::branch(const State& state, int depth) {
  std::string selector = state[2];
  std::string arms;
  int64_t count = random_.between(1, 4);
  const bool predicate = random_.chance(40);
  if (predicate) {
    count = 2;
    const std::string limit = text_.line("limit", "s32[] constant(" + std::to_string(random_.between(0, 4)) + ")");
    selector = text_.line("less", "pred[] compare(" + state[2] + ", " + limit + "), direction=LT");
    arms = "true_computation=" + arm(depth) + ", false_computation=" + arm(depth);
  } else {
    for (int64_t i = 0; i < count; ++i) arms += (i == 0 ? "" : ", ") + arm(depth);
    arms = "branch_computations={" + arms + "}";
  }
  std::string arguments = selector;
  const std::string all = packed(state);
  for (int64_t i = 0; i < count; ++i) arguments += ", " + all;
  return taken(text_.line("cond", state_ + " conditional(" + arguments + "), " + arms));
}

// A loop of a few steps; the state's number counts them, too.
BranchGenerator::State BranchGenerator::loop(const State& state, int depth, bool with_branch) {
  const std::string loop_state = "(s32[], " + shapes_[0] + ", " + shapes_[1] + ", " + shapes_[2] + ")";
  const std::string body = text_.fresh("body");
  text_.open(body);
  const std::string given = text_.line("given", loop_state + " parameter(0)");
  const std::string counter = text_.line("count", "s32[] get-tuple-element(" + given + "), index=0");
  State inner;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    inner.push_back(
        text_.line("part", shapes_[i] + " get-tuple-element(" + given + "), index=" + std::to_string(i + 1)));
  }
  inner = step(inner);
  if (with_branch) inner = branch(inner, depth);
  const std::string one = text_.line("one", "s32[] constant(1)");
  const std::string next = text_.line("next", "s32[] add(" + counter + ", " + one + ")");
  text_.line("state", loop_state + " tuple(" + next + ", " + inner[0] + ", " + inner[1] + ", " + inner[2] + ")", true);
  text_.close();
  const std::string condition = text_.fresh("condition");
  text_.open(condition);
  const std::string seen = text_.line("given", loop_state + " parameter(0)");
  const std::string reached = text_.line("count", "s32[] get-tuple-element(" + seen + "), index=0");
  const std::string trip = text_.line("trip", "s32[] constant(" + std::to_string(random_.between(1, 5)) + ")");
  text_.line("more", "pred[] compare(" + reached + ", " + trip + "), direction=LT", true);
  text_.close();
  const std::string zero = text_.line("zero", "s32[] constant(0)");
  const std::string first =
      text_.line("start", loop_state + " tuple(" + zero + ", " + state[0] + ", " + state[1] + ", " + state[2] + ")");
  const std::string result =
      text_.line("loop", loop_state + " while(" + first + "), condition=" + condition + ", body=" + body);
  State after;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    after.push_back(
        text_.line("part", shapes_[i] + " get-tuple-element(" + result + "), index=" + std::to_string(i + 1)));
  }
  return after;
}

RandomProgram BranchGenerator::run() {
  text_.open("main", true);
  program_.inputs.push_back({DType::kF32, {rows_}, 4});
  program_.inputs.push_back({DType::kF32, {rows_, columns_}, 4});
  program_.inputs.push_back({DType::kS32, {}, 4});
  State state;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    state.push_back(text_.line("x", shapes_[i] + " parameter(" + std::to_string(i) + ")"));
  }
  state = random_.chance(40) ? loop(state, 1, true) : branch(state, 2);
  if (random_.chance(50)) state = step(state);
  packed(state, true);
  text_.close();
  program_.text = text_.module(program_.name);
  return program_;
}

}  // namespace

RandomProgram generate_branches(uint64_t seed, bool exact) { return BranchGenerator(seed, exact).run(); }

}  // namespace sinter
