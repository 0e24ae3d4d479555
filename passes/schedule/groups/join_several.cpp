// Several kernels that become one at once: products of one operand with what is made of them, and rows with numbers
// that are made of their reductions and that the same rows read.
#include <algorithm>

#include "passes/schedule/groups/grouper.h"

namespace sinter {

// The products that a kernel makes; empty where others are none of them.
std::vector<const Instruction*> Grouper::products_of(int group) const {
  std::vector<const Instruction*> products;
  const StageForm& form = groups_[group].form;
  if (!groups_[group].is_kernel() || !form.kind->may_be_parts) return products;
  for (const Instruction* value : groups_[group].values.context.computed) {
    if (form.kind->takes(*value)) products.push_back(value);
  }
  return in_text_order({products.begin(), products.end()});
}

// Products of one operand, of which another kernel, or one of them, makes its results: they are parts of one product
// (part_matrices.h), which that is made of where it is.
void Grouper::join_products() {
  for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
    const Group& reader = groups_[number];
    if (is_gone(number) || !reader.is_kernel()) continue;
    std::vector<const Instruction*> products = products_of(number);
    if (products.empty() && !is_plain(reader.form)) continue;
    std::set<int> together = {number};
    for (const int producer : producers_of(number)) {
      std::vector<const Instruction*> more = products_of(producer);
      if (more.empty()) continue;
      more.insert(more.begin(), products.begin(), products.end());
      if (!have_a_matrix_each(more, 0) && !have_a_matrix_each(more, 1)) continue;
      products = std::move(more);
      together.insert(producer);
    }
    if (products.size() > 1) join_products_of(together);  // or they stay as they are
  }
}

void Grouper::join_products_of(const std::set<int>& numbers) {
  std::optional<United> united = united_of(numbers);
  if (!united) return;
  const std::optional<Trial> told = tried(united->group, kMaxNodes);
  if (told && (gpu_ == nullptr || is_faster_in_memory(*told, numbers))) become_one(numbers, std::move(*united), *told);
}

bool Grouper::join_side_by_side(const std::set<int>& numbers) {
  std::optional<United> united = united_of(numbers);
  if (!united || united->group.values.context.computed.size() > kMaxValues) return false;
  const std::optional<Trial> told = tried(united->group, kMaxNodes);
  if (!told || is_slower_than_apart(*told, nullptr, {numbers.begin(), numbers.end()})) return false;
  become_one(numbers, std::move(*united), *told);
  return true;
}

// Products of one operand with a matrix each whose results have nothing to do with each other, a layer's queries, keys
// and values: one product, of matrices side by side. Whether any became one.
bool Grouper::join_products_side_by_side() {
  if (gpu_ == nullptr) return false;
  bool joined = false;
  for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
    if (is_gone(number)) continue;
    const auto may_join = [&](const std::vector<const Instruction*>& products) {
      return products.size() == 1 && products[0]->opcode == Opcode::kDot && !level_.apart.contains(products[0]);
    };
    const std::vector<const Instruction*> products = products_of(number);
    if (!may_join(products)) continue;
    std::set<int> together = {number};
    for (int other = number + 1; other < static_cast<int>(groups_.size()); ++other) {
      if (is_gone(other)) continue;
      const std::vector<const Instruction*> more = products_of(other);
      if (may_join(more) && have_a_matrix_each({products[0], more[0]}, 1)) together.insert(other);
    }
    while (together.size() > 1 && !join_side_by_side(together)) together.erase(*together.rbegin());
    if (together.size() == 1) continue;
    side_by_side_.push_back(products_of(number));
    joined = true;
  }
  return joined;
}

// What several kernels compute and store for others. nullopt where one between them needs one and feeds another.
std::optional<Grouper::United> Grouper::united_of(const std::set<int>& numbers) {
  if (has_between(numbers)) return std::nullopt;
  United united{groups_[*numbers.begin()], {}};
  Group& joined = united.group;
  joined.values.outputs.clear();
  for (const int number : numbers) {
    const Group& group = groups_[number];
    if (is_plain(joined.form)) joined.form = group.form;
    joined.values.context.computed.insert(group.values.context.computed.begin(), group.values.context.computed.end());
    joined.reads_often |= group.reads_often;
    joined.full |= group.full;
    for (const Instruction* output : group.values.outputs) {
      const auto unit = unit_of_array_.find(output);
      if (unit == unit_of_array_.end()) return std::nullopt;
      const std::set<int> readers = consumer_groups(*unit->second);
      const bool is_read = escaping_.count(output) > 0 || std::any_of(readers.begin(), readers.end(), [&](int reader) {
                             const bool computes = groups_[reader].values.context.computed.count(maker_of(output)) > 0;
                             return numbers.count(reader) == 0 && !computes;
                           });
      (is_read ? joined.values.outputs : united.unread).push_back(output);
    }
  }
  joined.launch.reset();
  joined.cost.reset();
  return united;
}

void Grouper::become_one(const std::set<int>& numbers, United united, const Trial& told) {
  replace(numbers, std::move(united.group));
  note_predicted(*numbers.begin(), told);
  for (const Instruction* output : united.unread) forget(output);
  drop_forgotten();
}

// A kernel of rows, one of a number for each row that is made of their reductions, and one of the same rows that reads
// both: pairs of them are no kernel, since the third stands between.
void Grouper::join_rows_with_numbers() {
  if (gpu_ == nullptr) return;
  for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
    const auto is_of_rows = [&](int group) {
      return groups_[group].is_kernel() && groups_[group].form.rows.has_value();
    };
    if (is_gone(number) || !is_of_rows(number)) continue;
    const RowExtents rows = *groups_[number].form.rows;
    const auto has_same_rows = [&](int group) {
      return group != number && is_of_rows(group) && !is_gone(group) && groups_[group].form == groups_[number].form;
    };
    const auto of_numbers = [&](int group) {
      const Group& map = groups_[group];
      if (is_gone(group) || !map.is_kernel() || !is_plain(map.form)) return false;
      return stored_shape(map.values.context, *map.values.outputs[0]).element_count() == rows.rows;
    };
    for (const int numbers : producers_of(number)) {
      if (!of_numbers(numbers)) continue;
      const std::set<int> sources = producers_of(numbers);
      const auto maker = std::ranges::find_if(sources, has_same_rows);
      if (maker == sources.end()) continue;
      const std::set<int> all = {*maker, numbers, number};
      std::optional<United> united = united_of(all);
      if (!united || united->group.values.context.computed.size() > kMaxValues) continue;
      const std::optional<Trial> told = tried(united->group, kMaxNodes);
      if (!told || is_slower_than_apart(*told, nullptr, {all.begin(), all.end()})) continue;
      become_one(all, std::move(*united), *told);
      break;
    }
  }
}

}  // namespace sinter
