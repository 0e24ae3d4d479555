#include "passes/lower/together/moved_alike.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace sinter {

namespace {

bool moves(const HostStep& step) { return step.kind == HostStep::Kind::kPoint || step.kind == HostStep::Kind::kSwap; }

// What moves pointers, written down for each of those that become one another's: where among all steps it stands, and
// which of them it names.
class MoveReader {
 public:
  MoveReader(const std::vector<HostStep>& steps, const std::set<size_t>& pointers) : pointers_(pointers) {
    for_each_step(steps, [&](const HostStep& step) {
      if (moves(step) && pointers_.count(step.buffers[1]) > 0) join(step.buffers[0], step.buffers[1]);
    });
    read(steps);
  }

  struct Moved {
    std::vector<size_t> roles;
    std::string form;
  };
  std::vector<Moved> moved;  // in the order of their first steps

 private:
  size_t root(size_t pointer) const {
    for (auto next = joined_.find(pointer); next != joined_.end(); next = joined_.find(pointer)) pointer = next->second;
    return pointer;
  }
  void join(size_t a, size_t b) {
    a = root(a);
    b = root(b);
    if (a != b) joined_[a] = b;
  }

  static size_t role_of(size_t buffer, Moved* all) {
    const auto role = static_cast<size_t>(std::ranges::find(all->roles, buffer) - all->roles.begin());
    if (role == all->roles.size()) all->roles.push_back(buffer);
    return role;
  }

  // Moves that stand side by side have one place.
  void read(const std::vector<HostStep>& steps) {
    for (const HostStep& step : steps) {
      if (!moves(step)) {
        ++place_;
        read(step.condition);
        ++place_;
        read(step.body);
        ++place_;
        continue;
      }
      const auto [found, is_new] = numbers_.try_emplace(root(step.buffers[0]), moved.size());
      if (is_new) moved.emplace_back();
      Moved& all = moved[found->second];
      const size_t first = role_of(step.buffers[0], &all), second = role_of(step.buffers[1], &all);
      const char* kind = step.kind == HostStep::Kind::kSwap     ? " swap "
                         : pointers_.count(step.buffers[1]) > 0 ? " becomes "
                                                                : " begins at ";
      all.form += std::to_string(place_) + ": " + std::to_string(first) + kind + std::to_string(second) + "\n";
    }
  }

  const std::set<size_t>& pointers_;
  std::map<size_t, size_t> joined_, numbers_;
  size_t place_ = 0;
};

// What names of pointers begin with that end so (place_carries.cpp, lower_host_loop.cpp).
std::string common_name(const HostPlan& plan, const std::vector<size_t>& roles, const std::set<size_t>& pointers) {
  constexpr std::string_view kEndings[] = {"_current", "_next", "_spare"};
  std::string name;
  for (const size_t role : roles) {
    if (pointers.count(role) == 0) continue;
    std::string own = plan.buffers[role].name;
    for (const std::string_view ending : kEndings) {
      if (!own.ends_with(ending)) continue;
      own.resize(own.size() - ending.size());
      break;
    }
    if (name.empty() || own.size() < name.size()) name = own;
  }
  return name;
}

}  // namespace

std::vector<MovedAlike> moved_alike(const HostPlan& plan, const std::vector<HostStep>& steps,
                                    const std::set<size_t>& pointers) {
  MoveReader reader(steps, pointers);
  std::vector<MovedAlike> groups;
  std::map<std::string, size_t> numbers;  // by form
  for (MoveReader::Moved& moved : reader.moved) {
    const auto [found, is_new] = numbers.try_emplace(moved.form, groups.size());
    if (is_new) {
      groups.emplace_back();
      for (const size_t role : moved.roles) groups.back().is_pointer.push_back(pointers.count(role) > 0);
    }
    std::string name = common_name(plan, moved.roles, pointers);
    groups[found->second].members.push_back({std::move(name), std::move(moved.roles)});
  }
  std::erase_if(groups, [](const MovedAlike& group) { return group.members.size() < 2; });
  std::ranges::stable_sort(
      groups, [](const MovedAlike& a, const MovedAlike& b) { return a.members.size() > b.members.size(); });
  return groups;
}

}  // namespace sinter
