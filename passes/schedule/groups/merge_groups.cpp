// Kernels that become one: those that need a value too dear to compute in each of them, those of rows where one stores
// what the other reads, those of elements likewise, and those of one domain that read the same arrays.
#include <algorithm>
#include <tuple>

#include "passes/analysis/values/constants.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/short_rows.h"

namespace sinter {

namespace {

constexpr size_t kMostOutputs = 32;  // their pointers are parameters of the kernel

bool can_join(const Group& group) { return group.is_kernel() && !group.form.kind->single; }

bool has_loop(const Group& group) {
  const std::set<const Instruction*>& computed = group.values.context.computed;
  return std::any_of(computed.begin(), computed.end(),
                     [](const Instruction* value) { return value->opcode == Opcode::kWhile; });
}

// What both compute and store; the form of either. nullopt where their rows differ.
std::optional<Group> both(const Group& a, const Group& b) {
  const bool differ = !is_plain(a.form) && !is_plain(b.form) && a.form != b.form;
  if (!can_join(a) || !can_join(b) || differ) return std::nullopt;
  Group result = a;
  if (is_plain(a.form)) result.form = b.form;
  result.values.context.computed.insert(b.values.context.computed.begin(), b.values.context.computed.end());
  result.values.outputs.insert(result.values.outputs.end(), b.values.outputs.begin(), b.values.outputs.end());
  result.reads_often |= b.reads_often;
  result.full |= b.full;
  return result;
}

}  // namespace

// Walks from readers to the kernels that store what they read. True if `found(reader, source)` is anywhere on the way,
// which goes on where `may_read(source)`: what ends before the run of text that a kernel's first result belongs to
// (text_runs.h) reads none of them.
template <class Producers, class Found, class MayRead>
bool Grouper::reached(std::vector<int> readers, const Producers& producers, const Found& found,
                      const MayRead& may_read) {
  last_walk_.resize(groups_.size());
  ++walks_;
  while (!readers.empty()) {
    const int reader = readers.back();
    readers.pop_back();
    for (const int source : producers(reader)) {
      if (found(reader, source)) return true;
      if (last_walk_[source] == walks_ || !may_read(source)) continue;
      last_walk_[source] = walks_;
      readers.push_back(source);
    }
  }
  return false;
}

// Makes one kernel of several that need a value too dear to compute in each, if that kernel can compute it.
bool Grouper::join(const Unit& unit, const std::set<int>& consumers) {
  Group joined = groups_[*consumers.begin()];
  for (auto next = std::next(consumers.begin()); next != consumers.end(); ++next) {
    std::optional<Group> more = both(joined, groups_[*next]);
    if (!more) return false;
    joined = std::move(*more);
  }
  // No kernel between them may need the one and feed the other.
  if (one_waits_for_another(consumers)) return false;
  Group trial = joined;
  trial.values.context.computed.insert(unit.instruction);
  const StageForm wanted = form_of(*unit.instruction);
  if (is_plain(trial.form) && (!wanted.kind->single || wanted.kind->own)) trial.form = wanted;
  if (trial.values.context.computed.size() > kMaxValues) return false;
  const auto elements = [&](const Instruction* stored) {
    return stored_shape(trial.values.context, *stored).element_count();
  };
  const std::vector<const Instruction*>& outputs = trial.values.outputs;
  const bool alike = std::all_of(outputs.begin(), outputs.end(),
                                 [&](const Instruction* output) { return elements(output) == elements(outputs[0]); });
  const auto is_better = [&](const std::optional<Trial>& told) {
    return told && !is_slower_than_apart(*told, &unit, {consumers.begin(), consumers.end()});
  };
  const bool fits = (!is_plain(trial.form) || alike) && is_better(tried(trial, kMaxNodes));
  if (!fits && !is_better(tried_otherwise(&trial, kMaxNodes))) return false;
  if (!wanted.kind->own) joined.form = trial.form;  // absorb() makes it the stage's
  replace(consumers, std::move(joined));
  return true;
}

// Whether a kernel may be one of a thread an element that two were: it is not long, has no loop, and what it stores are
// arrays of one shape.
bool Grouper::may_be_elements(const Group& group) const {
  constexpr size_t kNotLong = 128;  // values
  const auto dims = [&](const Instruction* output) {
    return squeezed_dims(stored_shape(group.values.context, *output).dims);
  };
  const std::vector<const Instruction*>& outputs = group.values.outputs;
  const std::set<const Instruction*>& computed = group.values.context.computed;
  const auto is_counter = [&](const Instruction* output) { return unit_of_array_.count(output) == 0; };
  if (outputs.size() > kMostOutputs || computed.size() > kNotLong ||
      std::any_of(outputs.begin(), outputs.end(), is_counter) || has_loop(group)) {
    return false;
  }
  const std::vector<int64_t> first = dims(outputs[0]);
  return std::all_of(outputs.begin() + 1, outputs.end(), [&](const auto* output) { return dims(output) == first; });
}

// What a kernel of rows and one of fewer rows, as long, which reduces for it alone, compute: nothing of the latter is
// stored.
std::optional<Group> Grouper::with_fewer_rows(int fewer, int group) const {
  const Group& of = groups_[fewer];
  const Group& reader = groups_[group];
  const std::optional<RowExtents>& few = of.form.rows;
  const std::optional<RowExtents>& many = reader.form.rows;
  if (!can_join(of) || !can_join(reader) || !few || !many) return std::nullopt;
  if (few->columns != many->columns || few->rows >= many->rows) return std::nullopt;
  for (const Instruction* output : of.values.outputs) {
    const auto unit = unit_of_array_.find(output);
    if (unit == unit_of_array_.end() || escaping_.count(output) > 0) return std::nullopt;
    if (consumer_groups(*unit->second) != std::set<int>{group}) return std::nullopt;
  }
  Group joined = reader;
  joined.values.context.computed.insert(of.values.context.computed.begin(), of.values.context.computed.end());
  return joined;
}

// Whether nothing but kernel `reader` needs what kernel `writer` stores.
bool Grouper::is_read_only_by(const Instruction& stored, int writer, int reader) const {
  const auto unit = unit_of_array_.find(&stored);
  if (unit == unit_of_array_.end() || escaping_.count(&stored) > 0) return false;
  const auto& outputs = groups_[writer].values.outputs;
  if (std::find(outputs.begin(), outputs.end(), &stored) == outputs.end()) return false;
  const std::set<int> readers = consumer_groups(*unit->second);
  return std::all_of(readers.begin(), readers.end(), [&](int group) {
    return group == writer || group == reader ||
           groups_[group].values.context.computed.count(unit->second->instruction) > 0;
  });
}

int64_t Grouper::demand_nodes(int group, Neighbours* neighbours) const {
  std::optional<int64_t>& nodes = neighbours->nodes[group];
  if (!nodes) {
    const std::optional<Built> built = build(groups_[group], nullptr);
    nodes = built ? built->nodes : 0;
  }
  return *nodes;
}

// Whether the kernel can still be one without those outputs, which may have said what its threads are.
bool Grouper::can_lose(const Group& group, const std::vector<bool>& unstored) {
  Group without = group;
  without.values.outputs.clear();
  for (size_t i = 0; i < unstored.size(); ++i) {
    if (!unstored[i]) without.values.outputs.push_back(group.values.outputs[i]);
  }
  const bool same = without.values.outputs.size() == group.values.outputs.size();
  return same || without.values.outputs.empty() || tried(without, kMaxNodes);
}

// Makes one kernel of `group` and `producer`, which stores what it reads: of the same rows, or of elements that it need
// not compute again.
bool Grouper::join_with_producer(int group, int producer, Neighbours* neighbours) {
  const std::vector<std::set<int>>& producers = neighbours->producers;
  const Group& reader = groups_[group];
  const Group& writer = groups_[producer];
  // Most pairs end here, before anything is copied.
  if (!can_join(reader) || !can_join(writer)) return false;
  const auto known = [&](int of) -> const std::set<int>& { return producers[of]; };
  if (waits_for(producer, group, true, known) || waits_for(group, producer, false, known)) return false;
  std::optional<Group> joined = with_fewer_rows(producer, group);
  if (!joined) joined = both(writer, reader);
  if (!joined || joined->values.context.computed.size() > kMaxValues) return false;
  if (neighbours->too_long[group].contains(producer)) {
    stays_apart(writer);
    return false;
  }
  // What a loop leaves, an element a thread, may be reduced by the blocks of its kernel.
  const bool loops = !writer.form.rows && reader.form.rows && has_loop(writer) && !has_loop(reader);
  if (loops) joined->form = plain_form();
  const bool rows = joined->form.rows || (!loops && longest_rows(joined->values.context.computed));
  if (!rows && !loops && !may_be_elements(*joined)) return false;
  // What only the reader reads is not stored then.
  std::vector<bool> unstored;
  for (const Instruction* output : joined->values.outputs)
    unstored.push_back(is_read_only_by(*output, producer, group));
  std::optional<Trial> trial;
  std::optional<int64_t> nodes;
  if (joined->form.rows || loops) {
    trial = tried(*joined, kMaxNodes, unstored);
    if (loops && trial && trial->launch->domain.of_block == 0) return false;
  } else if (rows) {
    trial = tried_otherwise(&*joined, kMaxNodes, unstored);
  } else {
    const int64_t written = demand_nodes(producer, neighbours), read = demand_nodes(group, neighbours);
    if (written == 0 || read == 0) return false;
    trial = tried(*joined, std::min(kMaxNodes, written + read), unstored);
    if (trial) nodes = trial->nodes;
  }
  if (!trial) return false;
  if (is_slower_than_apart(*trial, nullptr, {group, producer})) {
    if (trial->too_long) {
      neighbours->too_long[group].insert(producer);
      neighbours->too_long[producer].insert(group);
    }
    stays_apart(writer);
    return false;
  }
  if (neighbours->of_cuts && !can_lose(*joined, unstored)) return false;
  const int first = std::min(group, producer);
  std::vector<const Instruction*> outputs = writer.values.outputs;
  outputs.insert(outputs.end(), reader.values.outputs.begin(), reader.values.outputs.end());
  joined->launch.reset();  // of the part that it was
  joined->cost.reset();
  replace({group, producer}, std::move(*joined));
  // What only the reader read is no longer stored.
  std::vector<const Instruction*> kept;
  for (const Instruction* output : outputs) {
    const std::vector<const Instruction*> stored = stored_arrays(*unit_of_array_.at(output));
    if (std::find(stored.begin(), stored.end(), output) != stored.end()) {
      kept.push_back(output);
    } else {
      forget(output);
      nodes.reset();
    }
  }
  if (kept.empty()) {  // nobody reads what the reader stored, either
    become(first, Group());
    drop_forgotten();
    return true;
  }
  const bool as_tried = kept.size() == static_cast<size_t>(std::count(unstored.begin(), unstored.end(), false));
  groups_[first].values.outputs = std::move(kept);
  if (as_tried) note_predicted(first, *trial);
  neighbours->nodes[first] = nodes;
  return true;
}

// What a kernel stores is stored since it is slower to have it in that of its reader.
void Grouper::stays_apart(const Group& writer) {
  for (const Instruction* output : writer.values.outputs) {
    if (unit_of_array_.count(output) > 0) slower_.insert(maker_of(output)->name);
  }
}

// What waits for a kernel that computes it too is left to that kernel: a number of the program's results that was to be
// computed on its own, so as to wait for nobody; what is stored for the rest of a kernel that was cut.
void Grouper::give_to_makers() {
  // By kernels as they are, cut ones too.
  const auto is_read_by_others = [&](const Instruction* stored, int home, int alone) {
    for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
      if (is_gone(group) || group == home || group == alone) continue;
      if (arrays_read(groups_[group].values.context.computed).count(stored) > 0) return true;
    }
    return escaping_.count(stored) > 0 || unit_of_array_.count(stored) == 0;
  };
  for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
    const Group& alone = groups_[number];
    if (is_gone(number) || !can_join(alone) || !is_plain(alone.form) || alone.values.outputs.size() != 1) continue;
    const Instruction* output = alone.values.outputs[0];
    const auto unit = unit_of_array_.find(output);  // a stored counter is none
    if (unit == unit_of_array_.end()) continue;
    const std::set<const Instruction*>& computed = alone.values.context.computed;
    const std::set<const Instruction*> reads = arrays_read(computed);
    for (const int home : groups_of_.at(unit->second->instruction)) {
      if (home == number || is_gone(home) || !can_join(groups_[home])) continue;
      Group trial = groups_[home];
      const std::set<const Instruction*>& all = trial.values.context.computed;
      const bool waits = std::any_of(trial.values.outputs.begin(), trial.values.outputs.end(),
                                     [&](const Instruction* stored) { return reads.count(stored) > 0; });
      if (!waits || !std::includes(all.begin(), all.end(), computed.begin(), computed.end())) continue;
      std::vector<const Instruction*> unread;
      for (const Instruction* stored : trial.values.outputs) {
        if (reads.count(stored) > 0 && !is_read_by_others(stored, home, number)) unread.push_back(stored);
      }
      std::erase_if(trial.values.outputs, [&](auto* stored) { return llvm::is_contained(unread, stored); });
      trial.values.outputs.push_back(output);
      std::optional<Trial> told = tried(trial, nodes_of_a_map(all.size()));
      if (!told || is_slower_than_apart(*told, nullptr, {home, number})) continue;
      for (const Instruction* stored : unread) forget(stored);
      trial.launch = std::move(told->launch);
      trial.cost = std::move(told->cost);
      replace({home, number}, std::move(trial));
      break;
    }
  }
  drop_forgotten();
}

// The elements that a kernel's threads have one each of: those of its first output, unless threads have cells of it.
int64_t Grouper::elements_of_threads(const Group& group) {
  const int64_t elements = stored_shape(group.values.context, *group.values.outputs[0]).element_count();
  const auto is_loop = [](const Instruction* value) { return value->opcode == Opcode::kWhile; };
  const auto is_stack = [](const Instruction* value) { return stacks_pieces(*value); };
  const std::set<const Instruction*>& computed = group.values.context.computed;
  if (!is_plain(group.form) || !std::ranges::any_of(computed, is_stack) || std::ranges::any_of(computed, is_loop))
    return elements;
  const std::optional<Trial> told = tried(group, kMaxNodes);
  if (!told || !told->launch) return elements;
  int64_t threads = 1;
  for (const int64_t extent : told->launch->domain.extents) threads *= extent;
  return std::min(elements, threads);
}

// Kernels of one domain that read the same arrays, and not each other's results, are one kernel that reads them once.
void Grouper::join_siblings() {
  constexpr size_t kMostTries = 8;                    // siblings looked at for a kernel
  using Domain = std::tuple<bool, int64_t, int64_t>;  // of rows, rows or elements, columns
  std::vector<std::set<int>> producers(groups_.size());
  std::vector<int> place(groups_.size());  // where a group is now
  for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
    place[group] = group;
    if (!is_gone(group)) producers[group] = producers_of(group);
  }
  const auto reads_through = [&](int reader, int producer) {
    const size_t begin = runs_.begin(first_output(producer));
    return reached(
        {reader}, [&](int group) -> const std::set<int>& { return producers[place[group]]; },
        [&](int, int source) { return place[source] == producer; },
        [&](int source) { return ends_[place[source]] > begin; });
  };
  // The first of the two, by number, is both from then on.
  const auto join = [&](int sibling, int group) {
    if (reads_through(group, sibling) || reads_through(sibling, group)) return false;
    std::optional<Group> joined = both(groups_[sibling], groups_[group]);
    if (!joined || joined->values.outputs.size() > kMostOutputs) return false;
    if (joined->values.context.computed.size() > kMaxValues) return false;
    const std::optional<Trial> told = tried(*joined, kMaxNodes);
    if (!told || is_slower_than_apart(*told, nullptr, {sibling, group})) return false;
    replace({sibling, group}, std::move(*joined));
    producers[sibling].insert(producers[group].begin(), producers[group].end());
    place[group] = sibling;
    return true;
  };
  std::map<Domain, std::vector<int>> families;
  for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
    const Group& sibling = groups_[group];
    if (is_gone(group) || !can_join(sibling)) continue;
    const int64_t elements = elements_of_threads(sibling);
    const std::optional<RowExtents>& rows = sibling.form.rows;
    const Domain domain = rows ? Domain(true, rows->rows, rows->columns) : Domain(false, elements, 1);
    families[domain].push_back(group);
  }
  for (const auto& [domain, family] : families) {
    std::map<const Instruction*, std::vector<int>> readers;  // of those that stay
    for (const int group : family) {
      const std::set<const Instruction*>& computed = groups_[group].values.context.computed;
      const std::optional<RowExtents>& rows = groups_[group].form.rows;
      const int64_t elements = rows ? elements_of(*rows, short_rows(computed, *rows)) : std::get<1>(domain);
      std::set<const Instruction*> reads = arrays_read(computed);
      std::erase_if(reads, [&](const Instruction* array) { return array->shape.element_count() < elements; });
      std::set<int> siblings;
      for (const Instruction* array : reads) {
        for (const int reader : readers[array]) {
          if (!is_gone(reader)) siblings.insert(reader);
        }
      }
      int home = group;
      size_t tries = 0;
      for (const int sibling : siblings) {
        if (++tries > kMostTries) break;
        if (!join(sibling, group)) continue;
        home = sibling;
        break;
      }
      for (const Instruction* array : reads) readers[array].push_back(home);
    }
  }
  // Where the steps of a loop are one launch: a number for each row is a result of a kernel of these rows, whatever it
  // reads. On its own, with the elements divided otherwise among the blocks, they would have to wait for one another.
  for (const auto& [domain, family] : families) {
    const auto [of_rows, rows, columns] = domain;
    if (!level_.one_launch || !of_rows) continue;
    const auto numbers = families.find(Domain(false, rows, 1));
    if (numbers == families.end()) continue;
    for (const int group : numbers->second) {
      for (const int home : family) {
        if (is_gone(home) || is_gone(group) || !is_plain(groups_[group].form)) continue;
        // A carry that is handed on as another one is copied, and no kernel's own.
        const auto is_made = [&](const Instruction* output) { return unit_of_array_.count(output) > 0; };
        if (!std::ranges::all_of(groups_[group].values.outputs, is_made)) continue;
        if (join(std::min(home, group), std::max(home, group))) break;
      }
    }
  }
}

// The groups that store what `group` reads.
std::set<int> Grouper::producers_of(int group) const {
  const std::set<const Instruction*>& computed = groups_[group].values.context.computed;
  std::set<int> producers;
  for (const Instruction* member : computed) {
    const auto operands = operands_.find(member);
    if (operands == operands_.end()) continue;  // a counter
    for (const Instruction* array : operands->second) {
      const auto storing = storing_.find(array);
      if (storing == storing_.end() || computed.count(unit_of_array_.at(array)->instruction) > 0) continue;
      for (const int maker : storing->second) {
        const auto& outputs = groups_[maker].values.outputs;
        if (std::find(outputs.begin(), outputs.end(), array) != outputs.end()) producers.insert(maker);
      }
    }
  }
  return producers;
}

// True if kernel `reader` reads what kernel `writer` stores: through other kernels or, with `directly`, itself.
bool Grouper::waits_for(int reader, int writer, bool directly, ProducersOf producers) {
  const size_t begin = runs_.begin(first_output(writer));
  return reached(
      {reader}, [&](int group) -> const std::set<int>& { return producers(group); },
      [&](int group, int source) { return source == writer && (directly || group != reader); },
      [&](int source) { return source != writer && ends_[source] > begin; });
}

// Whether a kernel may read what it computes of a value: others store it, and do not wait for the kernel.
bool Grouper::may_read_stored(int number, const std::vector<const Instruction*>& arrays) {
  const size_t begin = runs_.begin(first_output(number));
  return std::ranges::all_of(arrays, [&](const Instruction* array) {
    if (!is_stored(array)) return false;
    return std::ranges::none_of(storing_.at(array), [&](int writer) {
      if (!llvm::is_contained(groups_[writer].values.outputs, array)) return false;
      return writer == number ||
             reached(
                 {writer}, [&](int group) { return producers_of(group); },
                 [&](int, int source) { return source == number; }, [&](int source) { return ends_[source] > begin; });
    });
  });
}

// True if one of the kernels reads what another stores, itself or through others.
bool Grouper::one_waits_for_another(const std::set<int>& groups) {
  size_t begin = SIZE_MAX;
  for (const int group : groups) begin = std::min(begin, runs_.begin(first_output(group)));
  return reached(
      {groups.begin(), groups.end()}, [&](int group) { return producers_of(group); },
      [&](int, int source) { return groups.count(source) > 0; }, [&](int source) { return ends_[source] > begin; });
}

// True if a kernel that is none of these reads what one of them stores and stores what one reads, itself or through
// others.
bool Grouper::has_between(const std::set<int>& groups) {
  size_t begin = SIZE_MAX;
  for (const int group : groups) begin = std::min(begin, runs_.begin(first_output(group)));
  return reached(
      {groups.begin(), groups.end()}, [&](int group) { return producers_of(group); },
      [&](int group, int source) { return groups.count(source) > 0 && groups.count(group) == 0; },
      [&](int source) { return groups.count(source) == 0 && ends_[source] > begin; });
}

// Values with several readers were stored, by kernels of their own: where reader and writer are of the same rows, they
// are one kernel after all. A joined kernel may join with more, its own readers too; a pair of kernels that stay as
// they are is tried once. `changed`: of kernels that were cut, pairs with these alone.
void Grouper::join_neighbours(const std::set<int>* changed) {
  Neighbours neighbours;
  neighbours.producers.resize(groups_.size());
  neighbours.readers.resize(groups_.size());
  neighbours.nodes.resize(groups_.size());
  neighbours.too_long.resize(groups_.size());
  neighbours.of_cuts = changed != nullptr;
  auto& [producers, readers, nodes, too_long, of_cuts] = neighbours;
  std::set<std::pair<int, int>> untried;  // reader, producer
  const auto find_producers = [&](int group) {
    producers[group] = producers_of(group);
    for (const int producer : producers[group]) readers[producer].insert(group);
  };
  for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
    find_producers(group);
    for (const int producer : producers[group]) {
      const bool is_new = changed == nullptr || changed->contains(group) || changed->contains(producer);
      if (is_new) untried.emplace(group, producer);
    }
  }
  while (!untried.empty()) {
    const auto [group, producer] = *untried.begin();
    untried.erase(untried.begin());
    if (!join_with_producer(group, producer, &neighbours)) continue;
    const int joined = std::min(group, producer);
    std::set<int> its_readers;
    for (const int old : {group, producer}) {
      for (const int reader : readers[old]) {
        untried.erase({reader, old});
        if (reader != group && reader != producer) its_readers.insert(reader);
      }
      for (const int source : producers[old]) {
        untried.erase({old, source});
        readers[source].erase(old);
      }
    }
    std::set<int> longer;
    for (const int old : {group, producer}) {
      producers[old].clear();
      readers[old].clear();
      longer.merge(too_long[old]);
      too_long[old].clear();
    }
    for (const int other : longer) too_long[other].insert(joined);
    too_long[joined] = std::move(longer);
    find_producers(joined);
    for (const int source : producers[joined]) untried.emplace(joined, source);
    // What they read of either is stored still: they do not compute it.
    for (const int reader : its_readers) {
      producers[reader].erase(group);
      producers[reader].erase(producer);
      producers[reader].insert(joined);
      readers[joined].insert(reader);
      untried.emplace(reader, joined);
    }
  }
  drop_forgotten();
}

}  // namespace sinter
