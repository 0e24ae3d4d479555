// The opposite of the other moves: a kernel that takes much longer than its launch and its bytes becomes two, where the
// cost model predicts less for these. The moves before are made one by one, each for the better: what together came of
// them, an operation made again for each of many reads of it, or work in which some parts hold up the others, shows
// here.
#include <algorithm>

#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/hardware.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/schedule/groups/repeat_cost.h"

namespace sinter {

namespace {

// A kernel is looked at that is predicted at more than so many times its launch and bytes; from fewer on where it may
// be of another form: one of rows, for a thread a row may be faster, or of elements that are products of few terms or
// of few vectors.
constexpr double kTimes = 2, kTimesOfOthers = 1.2, kTimesOfLarge = 1.05;
// Longer rows are none of one thread's: threads side by side would read at so many places at once that memory gives a
// quarter of what it can (512 rows of 512 x 64 on an H200, bench/RESULTS.md).
constexpr int64_t kLongestOfThread = 128;
// Two kernels are better where they take at most so much of the time: a launch more is a certain price, the prediction
// a rough one.
constexpr double kWorthwhile = 0.9, kLeastGain = 1;  // microseconds
// A kernel that reads what it made for itself waits for the one that stores it, and may share no launch any more with
// kernels that hide what its threads wait for: two_tower_train_step lost by what saved less than a third.
constexpr double kWorthwhileReader = 0.65;
// The same kernel with its product made another way, of so many blocks that none of another launch would make it last.
constexpr double kWorthwhileLarge = 0.95, kLeastGainOfLarge = 0.1;
// Cuts that are tried of one kernel, the most promising ones, and of all kernels of a level, which may be one more for
// each kernel.
constexpr size_t kMostCuts = 12, kMostTrials = 96;
// After so many, which is a long program, a kernel's first cut is taken that leaves none that would be cut again.
constexpr size_t kBestOfAll = 48;

double elements_of(const Instruction& value) {
  const Shape& shape = value.shape.is_tuple() ? value.shape.elements[0] : value.shape;
  return shape.is_array() ? static_cast<double>(std::max<int64_t>(shape.element_count(), 1)) : 1;
}

// The value, and the elements of a tuple: what readers read.
std::vector<const Instruction*> values_given(const Instruction& value) {
  std::vector<const Instruction*> arrays = {&value};
  for (const Instruction* user : value.users()) {
    const bool known = std::find(arrays.begin(), arrays.end(), user) != arrays.end();
    if (user->opcode == Opcode::kGetTupleElement && user->operand(0) == &value && !known) arrays.push_back(user);
  }
  return arrays;
}

// How many elements of its operands an element of the value is made of.
double terms_of(const Instruction& value) {
  double terms = 1;
  switch (value.opcode) {
    case Opcode::kReduce:
      return elements_of(*value.operand(0)) / elements_of(value);
    case Opcode::kDot:
      for (const int64_t dim : value.attributes->lhs_contracting_dims.value_or(std::vector<int64_t>()))
        terms *= static_cast<double>(value.operand(0)->shape.dims[dim]);
      return terms;
    case Opcode::kReduceWindow:
    case Opcode::kConvolution:
    case Opcode::kSelectAndScatter:
      if (!value.attributes->window) return 1;
      for (const WindowDimension& dim : *value.attributes->window) terms *= static_cast<double>(dim.size);
      return terms;
    default:
      return 1;
  }
}

}  // namespace

// The longest rows of the values, where a thread had better not reduce one alone, or `kept`.
std::optional<RowExtents> Grouper::rows_worth(const std::set<const Instruction*>& values,
                                              const std::optional<RowExtents>& kept) {
  const std::optional<RowExtents> rows = longest_rows(values);
  return rows && (rows->columns > kShortReduction || rows == kept) ? rows : std::nullopt;
}

// What of a group gives `outputs`, where `stored` is read from memory.
Group Grouper::part_of(const Group& group, const std::vector<const Instruction*>& outputs, const Unit* stored) const {
  return part_beyond(group, outputs, stored != nullptr ? std::vector<const Unit*>{stored} : std::vector<const Unit*>());
}

// The same, where several values are read from memory.
Group Grouper::part_beyond(const Group& group, const std::vector<const Instruction*>& outputs,
                           const std::vector<const Unit*>& stored) const {
  const std::set<const Instruction*>& all = group.values.context.computed;
  Group part;
  part.values.context = context();
  part.values.outputs = outputs;
  std::set<const Instruction*>& needed = part.values.context.computed;
  std::vector<const Instruction*> stack;
  for (const Instruction* output : outputs) stack.push_back(maker_of(output));
  while (!stack.empty()) {
    const Instruction* value = stack.back();
    stack.pop_back();
    const bool is_read = std::ranges::any_of(stored, [&](const Unit* unit) { return unit->instruction == value; });
    if (all.count(value) == 0 || is_read || !needed.insert(value).second) continue;
    for (const Instruction* operand : array_operands(*value)) stack.push_back(maker_of(operand));
  }
  for (const Instruction* value : needed) part.reads_often |= reads_often(*value);
  part.form = form_of(needed, rows_worth(needed, group.form.rows));
  return part;
}

// A kernel of that part, the fastest of rows, elements and tiles; nullopt where neither can be, or the model has no
// time for it.
std::optional<Grouper::Piece> Grouper::piece_of(Group part) {
  std::optional<Piece> best;
  const auto offer = [&] {
    std::optional<Trial> trial = tried(part, kMaxNodes);
    if (!trial || !trial->cost) return;
    const double us = predicted_us(*trial->cost, *gpu_);
    if (best && best->us <= us) return;
    best = Piece{.group = part, .us = us};
    best->group.launch = std::move(trial->launch);
    best->group.cost = std::move(trial->cost);
  };
  offer();
  const std::optional<StageForm> tiled = tiled_form(part.values.context.computed);
  if (part.form.rows) {
    part.form = plain_form();
    offer();
  }
  if (tiled) {
    part.form = *tiled;
    offer();
  }
  return best;
}

// What of a kernel reads each of its values. Elements count once for all that read them where they stand, and once for
// each that reads them at an index of its own, as often as that is made itself, also by way of what is computed from
// them alone.
llvm::DenseMap<const Instruction*, Grouper::Reads> Grouper::reads_in(const Group& group) const {
  const std::set<const Instruction*>& computed = group.values.context.computed;
  const std::vector<const Instruction*> values = in_text_order({computed.begin(), computed.end()});
  llvm::DenseMap<const Instruction*, Reads> result;
  for (const Instruction* output : group.values.outputs) result[maker_of(output)].at_its_place = true;
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    Reads reads = result[*value];
    size_t elementwise = 0, others = 0, wholes = 0;  // wholes: others that are the same elements
    for (const Instruction* array : values_given(**value)) {
      const auto readers = readers_.find(array);
      if (readers == readers_.end()) continue;
      for (const Instruction* reader : readers->second) {
        if (computed.count(reader) == 0) continue;
        if (opcode_family(reader->opcode) == Family::kIndexMap || is_sum(*reader)) {
          // What is read at several indices is made as often.
          const double times = std::max(result.lookup(reader).moved / elements_of(*reader), 1.0);
          reads.moved += elements_of(*reader) * terms_of(*reader) * (is_sum(*reader) ? 1 : times);
          ++others;
          wholes += !is_sum(*reader) && elements_of(*reader) == elements_of(**value) ? 1 : 0;
          continue;
        }
        const Reads known = result.lookup(reader);
        reads.moved += known.moved;
        reads.at_its_place |= known.at_its_place || known.moved == 0;
        ++elementwise;
      }
    }
    const bool by_whole = wholes == 1 && others == 1 && elementwise == 0 && !reads.at_its_place;
    reads.by_one = (elementwise == 1 && others == 0) || by_whole;
    result[*value] = reads;
  }
  return result;
}

// Whether it is an array with zeros around it, or one with its dimensions in another order, that a product reads, all
// of it or a part: whole copies, where it is in memory.
bool Grouper::is_laid_out_operand(const Instruction& value) const {
  if (value.opcode != Opcode::kPad && value.opcode != Opcode::kTranspose) return false;
  const auto reads = [&](const auto& reads_any, const Instruction& array) -> bool {
    const auto readers = readers_.find(&array);
    return readers != readers_.end() && std::ranges::any_of(readers->second, [&](const Instruction* reader) {
             return reader->opcode == Opcode::kDot || reader->opcode == Opcode::kConvolution ||
                    ((reader->opcode == Opcode::kReshape || reader->opcode == Opcode::kSlice) &&
                     reads_any(reads_any, *reader));
           });
  };
  return reads(reads, value);
}

// Values of a group that may be worth storing, those first of which most operations are made again.
std::vector<Grouper::Candidate> Grouper::worth_storing(const Group& group) const {
  const std::set<const Instruction*>& computed = group.values.context.computed;
  std::vector<Candidate> candidates;
  const llvm::DenseMap<const Instruction*, Reads> reads_of = reads_in(group);
  llvm::DenseMap<const Instruction*, double> cost;  // of an element, from what is in memory
  constexpr double kMost = 1e30;
  for (const Instruction* value : in_text_order({computed.begin(), computed.end()})) {
    double operands = 0;
    for (const Instruction* operand : array_operands(*value)) {
      const auto known = cost.find(maker_of(operand));
      operands += known == cost.end() ? 0 : known->second;
    }
    const bool sums = is_sum(*value);
    // Which piece an element is of is asked wherever it is read.
    const bool in_pieces = value->opcode == Opcode::kConcatenate || is_laid_out_operand(*value);
    const double own = sums || in_pieces ? 1 : static_cast<double>(operation_cost(*value));
    cost[value] = std::min(kMost, (own + operands) * terms_of(*value));
    const Unit* unit = nullptr;
    for (const Instruction* array : values_given(*value)) {
      const auto found = unit_of_array_.find(array);
      if (found != unit_of_array_.end()) unit = found->second;
    }
    const Reads reads = reads_of.lookup(value);
    // What one operation reads where it stands had better be stored behind that; a sum is where threads change.
    const bool behind = reads.by_one && !sums;
    if (unit == nullptr || (reads.moved == 0 && !reads.at_its_place) || behind || cost[value] == 0) continue;
    const double read = reads.moved + (reads.at_its_place ? elements_of(*value) : 0);
    // A sum read once still decides which threads there are.
    const double again = std::max(read - elements_of(*value), sums ? elements_of(*value) : 0);
    if (again > 0) candidates.push_back({unit, cost[value] * again});
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](auto& a, auto& b) { return a.saves > b.saves; });
  candidates.resize(std::min(candidates.size(), kMostCuts));
  return candidates;
}

// Those among them that are alike: of as many elements, made by one operation, of which about as much is made again, as
// the sums of windows over several products are. To store one of these alone saves little. Of arrays with zeros around
// them what is inside may be stored, too: its rows are whole vectors where those with zeros are not.
std::vector<std::vector<const Grouper::Unit*>> Grouper::layers_of(const std::vector<Candidate>& candidates) const {
  constexpr double kAlike = 1.25;
  std::vector<std::vector<const Unit*>> layers;
  std::vector<bool> known(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (known[i]) continue;
    const Instruction& first = *candidates[i].unit->instruction;
    std::vector<const Unit*>& layer = layers.emplace_back();
    for (size_t j = i; j < candidates.size(); ++j) {
      const Instruction& other = *candidates[j].unit->instruction;
      const bool alike = other.opcode == first.opcode && other.shape.is_array() && first.shape.is_array() &&
                         other.shape.dims == first.shape.dims && candidates[j].saves * kAlike >= candidates[i].saves;
      if (!alike || known[j]) continue;
      known[j] = true;
      layer.push_back(candidates[j].unit);
    }
    if (layer.size() < 2) {
      layers.pop_back();
    } else if (first.opcode == Opcode::kPad) {
      std::vector<const Unit*> inside;
      for (const Unit* unit : layer) {
        const auto found = unit_of_array_.find(unit->instruction->operand(0));
        if (found != unit_of_array_.end() && !llvm::is_contained(inside, found->second))
          inside.push_back(found->second);
      }
      layers.push_back(std::move(inside));
    }
  }
  return layers;
}

// The arrays of a value that must be in memory where it is not computed with what reads it.
std::vector<const Instruction*> Grouper::arrays_across(const Group& group, const Unit& unit) const {
  const auto& outputs = group.values.outputs;
  std::vector<const Instruction*> arrays;
  for (const Instruction* array : unit.arrays) {
    bool read = std::find(outputs.begin(), outputs.end(), array) != outputs.end();
    const auto readers = readers_.find(array);
    if (readers != readers_.end()) {
      for (const Instruction* reader : readers->second) read |= group.values.context.computed.count(reader) > 0;
    }
    if (read) arrays.push_back(array);
  }
  return arrays;
}

// The kernel that stores a value of the group, and the one that does the rest. The latter stores nothing where the
// value is all that the group gives.
std::pair<Group, Group> Grouper::parts_at(const Group& group, const Unit& unit) const {
  const std::vector<const Instruction*> stored = arrays_across(group, unit);
  std::vector<const Instruction*> others;
  for (const Instruction* output : group.values.outputs) {
    if (std::find(stored.begin(), stored.end(), output) == stored.end()) others.push_back(output);
  }
  return {part_of(group, stored, nullptr), part_of(group, others, &unit)};
}

// Whether it takes much longer than its launch and its bytes.
bool Grouper::is_slow(const Piece& piece) const {
  return piece.us > kTimes * (gpu_->launch_us + transfer_us(piece.group.cost->launch.bytes, *gpu_));
}

// Cuts of a group, the fastest of which is kept.
class Grouper::Cuts {
 public:
  // Of a kernel of so many microseconds. One of many tiles may be made otherwise for less. `any`: the first that leaves
  // no slow kernel.
  Cuts(Grouper& grouper, double us, bool is_large, bool any = false)
      : grouper_(grouper),
        any_(any),
        of_cut_(std::min(kWorthwhile * us, us - kLeastGain)),
        of_form_(is_large ? std::min(kWorthwhileLarge * us, us - kLeastGainOfLarge) : of_cut_),
        of_reader_(std::min(kWorthwhileReader * us, of_cut_ - grouper.gpu_->launch_us)) {}

  size_t tried() const { return tried_; }
  const std::vector<Piece>& best() const { return best_; }            // empty: none is worthwhile
  const std::vector<const Unit*>& stored() const { return stored_; }  // that the best one stores, or reads

  // The same in another form.
  void offer_form(Group group) { offer({std::move(group)}, {}, of_form_); }
  // `stored`: by the first part.
  void offer(std::vector<Group> parts, const std::vector<const Unit*>& stored) {
    offer(std::move(parts), stored, of_cut_);
  }
  // The same that reads what others store.
  void offer_reader(Group group, const Unit& stored) { offer({std::move(group)}, {&stored}, of_reader_); }

 private:
  void offer(std::vector<Group> parts, const std::vector<const Unit*>& stored, double worthwhile) {
    if (any_ && !best_.empty() && !leaves_slow_) return;
    ++tried_;
    std::vector<Piece> pieces;
    double us = 0;
    // Those that are left take a launch each at least: whatever else they take, there are none better, or it is enough.
    const auto is_too_slow = [&](size_t left) {
      const double least = us + static_cast<double>(left) * grouper_.gpu_->launch_us;
      return least > worthwhile || (!best_.empty() && least >= best_us_);
    };
    for (Group& part : parts) {
      if (is_too_slow(parts.size() - pieces.size())) return;
      std::optional<Piece> piece = grouper_.piece_of(std::move(part));
      if (!piece) return;
      us += piece->us;
      pieces.push_back(std::move(*piece));
    }
    if (is_too_slow(0)) return;
    leaves_slow_ = std::ranges::any_of(pieces, [&](const Piece& piece) { return grouper_.is_slow(piece); });
    best_ = std::move(pieces);
    best_us_ = us;
    stored_ = stored;
  }

  Grouper& grouper_;
  bool any_ = false, leaves_slow_ = false;
  double of_cut_ = 0, of_form_ = 0, of_reader_ = 0, best_us_ = 0;
  size_t tried_ = 0;
  std::vector<Piece> best_;
  std::vector<const Unit*> stored_;
};

// Without what no cut divides: loops, branches, updates in place.
bool Grouper::is_simple(const Group& group) const {
  return std::ranges::none_of(group.values.context.computed, [&](const Instruction* value) {
    return value->opcode == Opcode::kWhile || value->opcode == Opcode::kConditional ||
           level_.updates_in_place.count(value) > 0 || value->opcode == Opcode::kParameter;
  });
}

// A cut that stores a value, or one that reads it where others store it.
void Grouper::offer_cut_at(int number, const Unit& unit, Cuts* cuts) {
  const std::vector<const Instruction*>& outputs = groups_[number].values.outputs;
  auto [first, rest] = parts_at(groups_[number], unit);
  if (rest.values.outputs.empty()) return;
  // A kernel that stores what another one does would race with it.
  const bool twice = std::ranges::any_of(
      first.values.outputs, [&](auto* array) { return is_stored(array) && !llvm::is_contained(outputs, array); });
  if (!twice) {
    cuts->offer({std::move(first), std::move(rest)}, {&unit});
  } else if (may_read_stored(number, first.values.outputs)) {
    cuts->offer_reader(std::move(rest), unit);
  }
}

// A cut that stores several values.
void Grouper::offer_cut_at_layer(int number, const std::vector<const Unit*>& layer, Cuts* cuts) {
  const Group& group = groups_[number];
  const std::vector<const Instruction*>& outputs = group.values.outputs;
  std::vector<const Instruction*> stored, others;
  for (const Unit* unit : layer) {
    if (group.values.context.computed.count(unit->instruction) == 0) return;
    for (const Instruction* array : arrays_across(group, *unit)) {
      if (is_stored(array) && !llvm::is_contained(outputs, array))
        return;  // by another kernel, which it would race with
      stored.push_back(array);
    }
  }
  for (const Instruction* output : outputs) {
    if (!llvm::is_contained(stored, output)) others.push_back(output);
  }
  if (!stored.empty() && !others.empty())
    cuts->offer({part_of(group, stored, nullptr), part_beyond(group, others, layer)}, layer);
}

// A product alone, of operands that are stored as it reads them, and the rest, which reads it: neither cut may be worth
// its launch without the other.
void Grouper::offer_cut_around(int number, const Unit& product, Cuts* cuts) {
  const Group& group = groups_[number];
  const std::vector<const Instruction*>& outputs = group.values.outputs;
  std::vector<const Unit*> stored;
  std::vector<Group> parts;
  for (const Instruction* operand : array_operands(*product.instruction)) {
    const auto unit = unit_of_array_.find(operand);
    if (unit == unit_of_array_.end() || !is_laid_out_operand(*operand) || llvm::is_contained(stored, unit->second))
      continue;
    if (!group.values.context.computed.contains(operand) || is_stored(operand)) continue;
    stored.push_back(unit->second);
    parts.push_back(part_of(group, {operand}, nullptr));
  }
  const std::vector<const Instruction*> results = arrays_across(group, product);
  std::vector<const Instruction*> others;
  for (const Instruction* output : outputs) {
    if (!llvm::is_contained(results, output)) others.push_back(output);
  }
  if (stored.empty() || others.empty() || std::ranges::any_of(results, [&](auto* array) { return is_stored(array); }))
    return;
  parts.push_back(part_beyond(group, results, stored));
  stored.push_back(&product);
  parts.push_back(part_beyond(group, others, stored));
  cuts->offer(std::move(parts), stored);
}

// Kernels that make for themselves what a cut now stores read it where that is faster.
void Grouper::read_instead(const Unit& unit, std::set<int>* changed) {
  const std::set<int> makers = groups_of_.at(unit.instruction);
  for (const int number : makers) {
    const Group& group = groups_[number];
    if (!group.is_kernel() || !group.cost || !is_simple(group)) continue;
    Cuts cuts(*this, predicted_us(*group.cost, *gpu_), false);
    const std::vector<const Instruction*> arrays = arrays_across(group, unit);
    if (!may_read_stored(number, arrays)) continue;
    cuts.offer_reader(part_of(group, group.values.outputs, &unit), unit);
    if (cuts.best().empty()) continue;
    become(number, cuts.best()[0].group);
    changed->insert(number);
  }
}

void Grouper::cut_slow(std::set<int>* changed) {
  size_t trials = 0;
  for (size_t number = 0; number < groups_.size() && trials < kMostTrials + groups_.size(); ++number) {
    Group& group = groups_[number];
    if (is_gone(number) || !group.is_kernel()) continue;
    const bool has_tiles = !group.form.kind->single && tiled_form(group.values.context.computed);
    // Of one value, about which no move has asked.
    if (has_tiles && !group.cost) set_cost(&group);
    if (!group.cost) continue;
    const double us = predicted_us(*group.cost, *gpu_);
    const double least = gpu_->launch_us + transfer_us(group.cost->launch.bytes, *gpu_);
    const bool is_large = has_tiles && group.cost->launch.blocks > kMultiprocessors;
    const double times = is_large ? kTimesOfLarge : group.form.rows || has_tiles ? kTimesOfOthers : kTimes;
    if (!is_simple(group) || us <= times * least) continue;
    const bool slow = us > kTimes * least;
    Cuts cuts(*this, us, is_large, trials >= kBestOfAll);
    if ((group.form.rows && group.form.rows->columns <= kLongestOfThread) || has_tiles) cuts.offer_form(group);
    const std::vector<const Instruction*>& outputs = group.values.outputs;
    if (slow && outputs.size() > 1) {
      for (size_t i = 0; i < std::min(outputs.size(), kMostCuts); ++i) {
        std::vector<const Instruction*> others = outputs;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        // Results of one operation stay together.
        const bool shared = std::any_of(others.begin(), others.end(),
                                        [&](auto* other) { return maker_of(other) == maker_of(outputs[i]); });
        if (!shared) cuts.offer({part_of(group, {outputs[i]}, nullptr), part_of(group, others, nullptr)}, {});
      }
    }
    const std::vector<Candidate> candidates = slow ? worth_storing(group) : std::vector<Candidate>();
    for (const Candidate& candidate : candidates) offer_cut_at(static_cast<int>(number), *candidate.unit, &cuts);
    // A value alone is the better cut where one is enough: what it leaves may be cut again.
    if (cuts.best().empty()) {
      for (const Candidate& candidate : candidates) {
        if (is_dot_or_convolution(*candidate.unit->instruction))
          offer_cut_around(static_cast<int>(number), *candidate.unit, &cuts);
      }
      for (const std::vector<const Unit*>& layer : layers_of(candidates))
        offer_cut_at_layer(static_cast<int>(number), layer, &cuts);
    }
    trials += cuts.tried();
    if (cuts.best().empty()) continue;
    become(static_cast<int>(number), cuts.best()[0].group);
    const bool is_cut = cuts.best().size() > 1;
    for (size_t i = 1; i < cuts.best().size(); ++i) changed->insert(add_group(cuts.best()[i].group));
    if (is_cut || !cuts.stored().empty()) changed->insert(static_cast<int>(number));
    for (const Unit* stored : is_cut ? cuts.stored() : std::vector<const Unit*>()) {
      note_cut(*stored, "slower-together");
      read_instead(*stored, changed);
    }
    --number;  // its parts may be cut again
  }
}

}  // namespace sinter
