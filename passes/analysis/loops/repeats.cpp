#include "passes/analysis/loops/repeats.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "ir/module/effects.h"

namespace sinter {
namespace {

constexpr size_t kMinSteps = 6, kMinInstructions = 24;  // fewer stay as they are written
constexpr size_t kMaxPeriod = 512;
constexpr size_t kMostLooks = 256, kMostLookedAt = 8'000'000;  // instructions, of all tries together
constexpr size_t kMaxBack = 2;                                 // steps that a value is kept

// Arrays of one type; parameters have a layout besides.
bool is_like(const Instruction& a, const Instruction& b) {
  return a.shape.is_array() && b.shape.is_array() && a.shape.dtype == b.shape.dtype && a.shape.dims == b.shape.dims;
}

// Instructions of one form differ at most in their operands, and slices in where they begin.
bool have_one_form(const Instruction& a, const Instruction& b) {
  if (a.opcode != b.opcode || a.operands().size() != b.operands().size() || a.shape != b.shape) return false;
  if (a.opcode != Opcode::kSlice) return a.attributes == b.attributes;
  for (size_t i = 0; i < a.shape.dims.size(); ++i) {
    if ((*a.attributes->slice)[i].stride != (*b.attributes->slice)[i].stride) return false;
  }
  return true;
}

class RepeatFinder {
 public:
  explicit RepeatFinder(Computation& computation) : computation_(computation) {
    // Operands stand before their users: what is asked of them is known.
    for (const Instruction& instruction : computation.instructions()) {
      int64_t depth = 0;
      bool constant = instruction.opcode != Opcode::kParameter && !has_own_effect(instruction) &&
                      instruction.called_computations().empty();
      for (const Instruction* operand : instruction.operands()) {
        depth = std::max(depth, depth_.at(operand) + 1);
        constant = constant && is_constant(*operand);
      }
      depth_.emplace(&instruction, depth);
      if (constant) constant_.insert(&instruction);
    }
  }

  // Most texts have the steps in order. In others they begin with what all steps need besides each other.
  std::optional<Repeat> find() {
    std::optional<Repeat> found = find_in_line();
    line_.clear();
    index_.clear();
    put_in_line(computation_.root());
    std::optional<Repeat> other = find_in_line();
    const auto size = [](const std::optional<Repeat>& repeat) { return repeat ? repeat->instructions.size() : 0; };
    return size(other) > size(found) ? std::move(other) : std::move(found);
  }

 private:
  // Of the instructions as they stand in line, and behind them those that do not stand there yet.
  std::optional<Repeat> find_in_line() {
    for (Instruction& instruction : computation_.instructions()) append(&instruction);
    number_forms();
    budget_ = std::min(kMostLooks * line_.size(), kMostLookedAt);
    const size_t count = line_.size();
    for (size_t period = 1; period <= kMaxPeriod && period * kMinSteps <= count; ++period) {
      const auto is_repeated = [&](size_t i) { return i + period < count && forms_[i] == forms_[i + period]; };
      // Steps are so many instructions in a row that are repeated: one of them stands where the next is looked at.
      const size_t least = std::max(kMinSteps * period, kMinInstructions) - period;
      for (size_t looked_at = least - 1; looked_at < count; looked_at += least) {
        if (!is_repeated(looked_at)) continue;
        size_t first = looked_at, end = looked_at;
        while (first > 0 && is_repeated(first - 1)) --first;
        while (is_repeated(end)) ++end;
        if (end - first >= least) {
          if (std::optional<Repeat> found = find_in(first, end + period, period)) return found;
        }
        looked_at = end;
      }
    }
    return std::nullopt;
  }

  bool is_constant(const Instruction& instruction) const { return constant_.contains(&instruction); }

  void append(Instruction* instruction) {
    if (instruction->opcode == Opcode::kParameter || is_constant(*instruction)) return;
    if (index_.emplace(instruction, line_.size()).second) line_.push_back(instruction);
  }

  // Appends an instruction behind all that it is computed from, the longest chain of operations first. So what a step
  // needs besides the step before stands with it, wherever the text has it.
  void put_in_line(Instruction* wanted) {
    std::vector<std::pair<Instruction*, size_t>> open = {{wanted, 0}};
    std::vector<std::vector<Instruction*>> operands = {in_order(*wanted)};
    while (!open.empty()) {
      auto& [instruction, next] = open.back();
      const bool known =
          instruction->opcode == Opcode::kParameter || is_constant(*instruction) || index_.contains(instruction);
      if (!known && next < operands.back().size()) {
        Instruction* operand = operands.back()[next++];
        open.emplace_back(operand, 0);
        operands.push_back(in_order(*operand));
        continue;
      }
      append(instruction);
      open.pop_back();
      operands.pop_back();
    }
  }

  std::vector<Instruction*> in_order(const Instruction& instruction) const {
    std::vector<Instruction*> operands = instruction.operands();
    std::stable_sort(operands.begin(), operands.end(),
                     [&](const Instruction* a, const Instruction* b) { return depth_.at(a) > depth_.at(b); });
    return operands;
  }

  void number_forms() {
    forms_.clear();
    std::unordered_map<size_t, std::vector<size_t>> alike;  // by a hash: an instruction of each form
    for (size_t i = 0; i < line_.size(); ++i) {
      const Instruction& instruction = *line_[i];
      const bool may_repeat = !has_own_effect(instruction) && instruction.opcode != Opcode::kWhile &&
                              instruction.opcode != Opcode::kConditional && instruction.opcode != Opcode::kTuple;
      size_t hash = static_cast<size_t>(instruction.opcode);
      for (const int64_t dim : instruction.shape.dims) hash = hash * 1000003 + static_cast<size_t>(dim);
      std::vector<size_t>& known = alike[hash];
      const auto found = std::find_if(known.begin(), known.end(), [&](size_t other) {
        return may_repeat && have_one_form(*line_[other], instruction);
      });
      forms_.push_back(found == known.end() ? i : *found);
      if (found == known.end()) known.push_back(i);
    }
  }

  // The steps may begin anywhere in the first period: where they hand on the fewest values.
  std::optional<Repeat> find_in(size_t first, size_t end, size_t period) {
    std::optional<Repeat> best;
    const auto values_kept = [](const Repeat& repeat) {
      size_t kept = 0;
      for (size_t place = 0; place < repeat.period; ++place) kept += repeat.kept(place);
      return kept;
    };
    end = regular_until(first, end, period);
    for (size_t start = first; start < first + period && end >= start + kMinSteps * period; ++start) {
      const size_t looked_at = end - start;
      if (looked_at > budget_) return best;
      budget_ -= looked_at;
      std::optional<Repeat> found = steps_from(start, (end - start) / period, period);
      if (found && (!best || values_kept(*found) < values_kept(*best))) best = std::move(found);
    }
    return best;
  }

  // Where steps within [first, end) can end, the last of which read as the one before them does; `first` if they are
  // too few. Nothing is copied for that: in a long text of sums all look alike, in any period.
  size_t regular_until(size_t first, size_t end, size_t period) {
    const size_t latest = end;
    const auto reads_a_period_before = [&](size_t i) {
      for (size_t slot = 0; slot < line_[i]->operands().size(); ++slot) {
        if (!kind_of(*line_[i]->operand(slot), *line_[i - period]->operand(slot), period)) return false;
      }
      return true;
    };
    for (size_t i = end; i > first + period; --i) {
      if (end - i >= (kMinSteps - kMaxBack) * period) return end;
      if (reads_a_period_before(i - 1)) continue;
      if (latest - i >= period) return first;
      end = i - 1;
    }
    return end;
  }

  // The steps of [start, start + count * period) from the first on that can be one.
  std::optional<Repeat> steps_from(size_t start, size_t count, size_t period) {
    Repeat repeat = {.count = count, .period = period};
    repeat.instructions.assign(line_.begin() + std::ptrdiff_t(start),
                               line_.begin() + std::ptrdiff_t(start + count * period));
    size_t most_back = 0;
    for (size_t place = 0; place < period; ++place) {
      std::vector<RepeatOperand>& operands = repeat.operands.emplace_back();
      const Instruction& last = *repeat.at(count - 1, place);
      for (size_t slot = 0; slot < last.operands().size(); ++slot) {
        std::optional<RepeatOperand> operand =
            operand_of(repeat, start, *last.operand(slot), *repeat.at(count - 2, place)->operand(slot));
        if (!operand) return std::nullopt;
        most_back = std::max(most_back, operand->back);
        operands.push_back(std::move(*operand));
      }
    }
    size_t regular = count;  // from this step on all read of steps before what the last one does
    while (regular > 0 && reads_alike(repeat, regular - 1)) --regular;
    for (size_t step = regular - std::min(regular, most_back); step <= regular; ++step) {
      if (count - step < kMinSteps) return std::nullopt;
      std::optional<Repeat> shorter = from_step(repeat, start, step);
      if (shorter) return shorter;
    }
    return std::nullopt;
  }

  // How a step reads one value where the step before it reads `previous`; nullopt if it is another step's.
  std::optional<RepeatOperand::Kind> kind_of(const Instruction& read, const Instruction& previous,
                                             size_t period) const {
    if (&read == &previous) return RepeatOperand::Kind::kSame;
    if (is_constant(read) && is_constant(previous)) return RepeatOperand::Kind::kConstants;
    const auto found = index_.find(&read), before = index_.find(&previous);
    if (found == index_.end() || before == index_.end() || found->second != before->second + period)
      return std::nullopt;
    return RepeatOperand::Kind::kStep;
  }

  // What the last step reads in a slot, where the one before it reads `previous`.
  std::optional<RepeatOperand> operand_of(const Repeat& repeat, size_t start, Instruction& last,
                                          const Instruction& previous) const {
    const std::optional<RepeatOperand::Kind> kind = kind_of(last, previous, repeat.period);
    if (!kind) return std::nullopt;
    RepeatOperand operand = {.kind = *kind};
    if (*kind == RepeatOperand::Kind::kSame) operand.same = &last;
    if (*kind != RepeatOperand::Kind::kStep) return operand;
    if (index_.at(&previous) < start) return std::nullopt;
    const size_t place = index_.at(&last) - start;
    operand.place = place % repeat.period;
    operand.back = repeat.count - 1 - place / repeat.period;
    if (operand.back > kMaxBack) return std::nullopt;
    return operand;
  }

  static bool reads_alike(const Repeat& repeat, size_t step) {
    for (size_t place = 0; place < repeat.period; ++place) {
      for (size_t slot = 0; slot < repeat.operands[place].size(); ++slot) {
        const RepeatOperand& operand = repeat.operands[place][slot];
        if (operand.kind != RepeatOperand::Kind::kStep) continue;
        if (step < operand.back) return false;
        if (repeat.at(step, place)->operand(slot) != repeat.at(step - operand.back, operand.place)) return false;
      }
    }
    return true;
  }

  // The same without the steps before `first`, which stand before the loop; nullopt if that is none.
  std::optional<Repeat> from_step(const Repeat& all, size_t start, size_t first) {
    Repeat repeat = all;
    repeat.count -= first;
    repeat.instructions.erase(repeat.instructions.begin(),
                              repeat.instructions.begin() + std::ptrdiff_t(first * repeat.period));
    const size_t begin = start + first * repeat.period;
    for (size_t step = 0; step < repeat.count; ++step) {
      for (size_t place = 0; place < repeat.period; ++place) {
        for (size_t slot = 0; slot < repeat.operands[place].size(); ++slot) {
          Instruction* read = repeat.at(step, place)->operand(slot);
          if (!takes(&repeat, begin, step, &repeat.operands[place][slot], read)) return std::nullopt;
        }
      }
    }
    if (!find_moves(&repeat) || !find_results(&repeat, begin)) return std::nullopt;
    return repeat;
  }

  bool is_before(const Instruction& value, size_t begin) const {
    const auto found = index_.find(&value);
    return found == index_.end() || found->second < begin;
  }

  // Whether a step reads that operand as all do.
  bool takes(Repeat* repeat, size_t begin, size_t step, RepeatOperand* operand, Instruction* read) {
    switch (operand->kind) {
      case RepeatOperand::Kind::kSame:
        return read == operand->same && is_before(*read, begin);
      case RepeatOperand::Kind::kConstants: {
        operand->constants.push_back(read);
        const Instruction& one = *operand->constants[0];
        if (read->opcode == Opcode::kConstant) return one.opcode == Opcode::kConstant && read->shape == one.shape;
        return read->opcode == Opcode::kBroadcast && one.opcode == Opcode::kBroadcast && read->shape == one.shape &&
               read->operand(0)->opcode == Opcode::kConstant && read->operand(0)->shape.is_scalar();
      }
      case RepeatOperand::Kind::kStep: {
        if (step >= operand->back) return read == repeat->at(step - operand->back, operand->place);
        const auto [known, is_new] = repeat->before.emplace(std::pair(operand->place, operand->back - step), read);
        return known->second == read && is_before(*read, begin) && is_like(*read, *repeat->at(0, operand->place));
      }
    }
    return false;
  }

  static bool find_moves(Repeat* repeat) {
    for (size_t place = 0; place < repeat->period; ++place) {
      if (repeat->at(0, place)->opcode != Opcode::kSlice) continue;
      const auto start = [&](size_t step, size_t dimension) {
        return (*repeat->at(step, place)->attributes->slice)[dimension].start;
      };
      const size_t rank = repeat->at(0, place)->shape.dims.size();
      std::vector<int64_t> moves(rank);
      bool strided = false;
      for (size_t d = 0; d < rank; ++d) {
        moves[d] = start(1, d) - start(0, d);
        for (size_t step = 2; step < repeat->count; ++step) {
          if (start(step, d) - start(step - 1, d) != moves[d]) return false;
        }
        strided |= (*repeat->at(0, place)->attributes->slice)[d].stride != 1;
      }
      if (std::all_of(moves.begin(), moves.end(), [](int64_t move) { return move == 0; })) continue;
      if (strided) return false;
      repeat->moves.emplace(place, std::move(moves));
    }
    return true;
  }

  // Values that other instructions read have to be those of the last steps.
  bool find_results(Repeat* repeat, size_t begin) const {
    const size_t end = begin + repeat->instructions.size();
    std::set<std::pair<size_t, size_t>> results;
    for (size_t step = 0; step < repeat->count; ++step) {
      for (size_t place = 0; place < repeat->period; ++place) {
        const Instruction* value = repeat->at(step, place);
        const auto& users = value->users();
        const bool is_result =
            value == computation_.root() || std::any_of(users.begin(), users.end(), [&](const Instruction* user) {
              const auto found = index_.find(user);
              return found == index_.end() || found->second < begin || found->second >= end;
            });
        if (!is_result) continue;
        if (!value->shape.is_array() || repeat->count - step > kMaxBack) return false;
        results.emplace(place, repeat->count - step);
      }
    }
    repeat->results.assign(results.begin(), results.end());
    return true;
  }

  Computation& computation_;
  std::unordered_map<const Instruction*, int64_t> depth_;  // the longest chain of operations to a value
  std::unordered_set<const Instruction*> constant_;        // what depends on constants alone
  std::vector<Instruction*> line_;                         // what steps are made of, in an order
  std::unordered_map<const Instruction*, size_t> index_;   // ... and where in it
  std::vector<size_t> forms_;                              // of each: the first of its form
  size_t budget_ = 0;
};

}  // namespace

size_t Repeat::kept(size_t place) const {
  size_t kept = 0;
  for (const auto& [key, value] : before) {
    if (key.first == place) kept = std::max(kept, key.second);
  }
  for (const auto& [result, back] : results) {
    if (result == place) kept = std::max(kept, back);
  }
  return kept;
}

std::optional<Repeat> find_repeat(Computation& computation) { return RepeatFinder(computation).find(); }

}  // namespace sinter
