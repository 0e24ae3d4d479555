#include "passes/lower/together/together_arrays.h"

#include <algorithm>
#include <string_view>

#include "passes/lower/text/unique_names.h"
#include "passes/lower/write/device_functions.h"

namespace sinter {

namespace {

// More than a person writes, or reads, one by one.
constexpr size_t kManyArrays = 40;

// How pointers end that a step reads its state through (lower_host_loop.cpp).
constexpr std::string_view kCurrent = "_current";

}  // namespace

TogetherArrays::TogetherArrays(const Program& program, const HostStep& together)
    : program_(program), steps_(together.body) {
  find_pointers(steps_);
  find_arrays(steps_);
}

void TogetherArrays::find_pointers(const std::vector<HostStep>& steps) {
  for_each_step(steps, [&](const HostStep& step) {
    if (step.kind == HostStep::Kind::kPoint) pointers_.insert(step.buffers[0]);
  });
}

// What the launch is given of a buffer that it may be: a pointer of a loop around it is given as it is.
std::set<size_t> TogetherArrays::given_for(size_t buffer) const {
  std::set<size_t> given, seen;
  std::vector<size_t> left = {buffer};
  while (!left.empty()) {
    const size_t place = left.back();
    left.pop_back();
    if (!seen.insert(place).second) continue;
    if (!moves(place)) {
      given.insert(place);
      continue;
    }
    const std::vector<size_t>& targets = program_.plan.buffers[place].targets;
    left.insert(left.end(), targets.begin(), targets.end());
  }
  return given;
}

// All that the steps read and write, and what pointers may point to.
void TogetherArrays::find_arrays(const std::vector<HostStep>& steps) {
  for (const HostStep& step : steps) {
    if (step.kind == HostStep::Kind::kPoint) {
      std::string name = program_.plan.buffers[step.buffers[0]].name;
      if (name.ends_with(kCurrent)) name.resize(name.size() - kCurrent.size());
      starts_.emplace(step.buffers[1], name + "_start");
    }
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      const bool does = step.kind == HostStep::Kind::kLaunch || step.kind == HostStep::Kind::kCopy ||
                        step.kind == HostStep::Kind::kClear;
      const bool pointer = moves(step.buffers[i]);
      const bool written = does && is_written(program_, step, i);
      if (written) written_places_.merge(places_of(program_.plan, step.buffers[i]));
      for (const size_t place : given_for(step.buffers[i])) {
        if (std::find(arrays_.begin(), arrays_.end(), place) == arrays_.end()) arrays_.push_back(place);
        if (written) written_.insert(place);
        if (pointer) pointed_to_.insert(place);
      }
    }
    find_arrays(step.condition);
    find_arrays(step.body);
  }
}

bool TogetherArrays::is_written_place(size_t buffer) const {
  for (const size_t place : places_of(program_.plan, buffer)) {
    if (written_places_.count(place) > 0) return true;
  }
  return false;
}

std::string TogetherArrays::in_struct(const std::string& name) const {
  return joint_->arrays_type.empty() ? name : std::string(kJointArrays) + "." + name;
}

void TogetherArrays::set_name(size_t buffer, const std::string& spelled, const std::string& name) {
  spelled_.emplace(buffer, spelled);
  names_.emplace(buffer, name);
}

void TogetherArrays::add_array(size_t array, const std::string& name, HostStep* launch) {
  const Buffer& buffer = program_.plan.buffers[array];
  const bool written = written_.count(array) > 0;
  CType type = CType::value(buffer.shape.dtype);
  type.kind = written ? CType::Kind::kPointer : CType::Kind::kConstPointer;
  // What may be selected with an array that other blocks write is read as that is.
  type.is_restrict = !written && pointed_to_.count(array) == 0 && !is_written_place(array);
  positions_[array] = joint_->parameters.size();
  joint_->parameters.push_back({joint_->variable(unique_name(name, taken_), type, buffer.value), written});
  launch->buffers.push_back(array);
}

void TogetherArrays::add_parameters(Kernel* joint, std::set<std::string>* taken, HostStep* launch) {
  joint_ = joint;
  taken_ = taken;
  if (arrays_.size() > kManyArrays) {
    joint_->arrays_type = type_name(joint_->name) + "Arrays";
    taken_->insert(kJointArrays);
    groups_ = moved_alike(program_.plan, steps_, pointers_);
  }
  std::multiset<std::string> names;
  for (const size_t array : arrays_) names.insert(program_.plan.buffers[array].name);
  for (const bool written : {false, true}) {
    for (const size_t array : arrays_) {
      if ((written_.count(array) > 0) != written) continue;
      const Buffer& buffer = program_.plan.buffers[array];
      const auto start = starts_.find(array);
      std::string name = buffer.name;
      if (names.count(name) > 1) name += written ? "_out" : "_in";
      if (buffer.kind == Buffer::Kind::kConstant && start != starts_.end()) name = start->second;
      add_array(array, name, launch);
    }
  }
  for (const MovedAlike& group : groups_) add_struct(group);
  for (const size_t array : arrays_) {
    const std::string& name = joint_->parameters[positions_[array]].variable->name;
    set_name(array, in_struct(name), name);
  }
}

void TogetherArrays::add_counts(size_t buffer, HostStep* launch) {
  CType type = CType::value(DType::kU32);
  type.kind = CType::Kind::kPointer;
  type.is_restrict = false;
  Variable* counts = joint_->variable(unique_name("barrier_counts", taken_), type);
  joint_->parameters.push_back({counts, true, 0});
  launch->buffers.push_back(buffer);
  set_name(buffer, in_struct(counts->name), counts->name);
}

std::string TogetherArrays::add_number(const Variable& number) {
  Variable* given = joint_->variable(unique_name(number.name, taken_), number.type);
  joint_->parameters.push_back({given});
  return in_struct(given->name);
}

// "state_current" of weight_current and bias_current: how most names go on behind what is common to a member's.
std::string TogetherArrays::role_name(const MovedAlike& group, size_t role, const std::string& state) const {
  std::map<std::string, size_t> endings;
  for (const MovedArrays& member : group.members) {
    const size_t buffer = member.roles[role];
    const std::string& name = group.is_pointer[role] ? program_.plan.buffers[buffer].name
                                                     : joint_->parameters[positions_.at(buffer)].variable->name;
    if (name.starts_with(member.name + "_")) ++endings[name.substr(member.name.size())];
  }
  const auto most = std::ranges::max_element(endings, {}, [](const auto& ending) { return ending.second; });
  if (most != endings.end()) return state + most->first;
  return state + (written_.count(group.members[0].roles[role]) > 0 ? "_out" : "_start");
}

void TogetherArrays::add_struct(const MovedAlike& group) {
  const size_t number = joint_->places.size() + 1;
  const std::string suffix = number > 1 ? std::to_string(number) : "";
  PlaceStruct structs = {.type = "State" + suffix};
  roles_.emplace_back();
  std::set<std::string> own;
  for (const MovedArrays& member : group.members) structs.members.push_back(unique_name(member.name, &own));
  for (size_t role = 0; role < group.is_pointer.size(); ++role) {
    const std::string name = unique_name(role_name(group, role, "state" + suffix), taken_);
    const std::string spelled = group.is_pointer[role] ? name : in_struct(name);
    PlaceStruct::Place place = {.name = name};
    for (size_t i = 0; i < group.members.size(); ++i) {
      const size_t buffer = group.members[i].roles[role];
      const std::string element = (group.is_pointer[role] ? "->" : ".") + structs.members[i];
      set_name(buffer, spelled + element, name + element);
      if (group.is_pointer[role]) {
        moved_[buffer] = {roles_.size() - 1, i, role};
      } else {
        place.parameters.push_back(positions_.at(buffer));
      }
    }
    roles_.back().push_back((group.is_pointer[role] ? "" : "&") + spelled);
    if (!group.is_pointer[role]) structs.places.push_back(std::move(place));
  }
  joint_->places.push_back(std::move(structs));
}

// Whether another pointer, which moves alike, says what this one does.
bool TogetherArrays::is_said(size_t pointer) const {
  const auto moved = moved_.find(pointer);
  return moved != moved_.end() && moved->second.member > 0;
}

// What a pointer becomes.
std::string TogetherArrays::target_of(const HostStep& step) const {
  const auto moved = moved_.find(step.buffers[0]);
  if (moved == moved_.end()) return spelled_.at(step.buffers[1]);
  const std::vector<size_t>& roles = groups_[moved->second.group].members[moved->second.member].roles;
  return roles_[moved->second.group].at(std::ranges::find(roles, step.buffers[1]) - roles.begin());
}

std::optional<Statement> TogetherArrays::point(const HostStep& step) {
  const size_t pointer = step.buffers[0];
  if (is_said(pointer)) return std::nullopt;
  const Expr* value = joint_->name_expr(target_of(step));
  if (const auto known = declared_.find(pointer); known != declared_.end()) {
    return Statement{
        .kind = Statement::Kind::kAssign, .target = joint_->reference(known->second), .value = value, .text = "="};
  }
  const Buffer& buffer = program_.plan.buffers[pointer];
  CType type = CType::value(buffer.shape.dtype);
  type.kind = buffer.constant ? CType::Kind::kConstPointer : CType::Kind::kPointer;
  type.is_restrict = false;
  if (const auto moved = moved_.find(pointer); moved != moved_.end()) {
    const auto& [group, member, role] = moved->second;
    type = CType::named("const " + joint_->arrays_type + "::" + joint_->places[group].type + "*");
    declared_[pointer] = joint_->variable(roles_[group][role], type);
  } else {
    declared_[pointer] = joint_->variable(unique_name(buffer.name, taken_), type, buffer.value);
    set_name(pointer, declared_[pointer]->name, declared_[pointer]->name);
  }
  return Statement{.kind = Statement::Kind::kDeclare, .variable = declared_[pointer], .value = value};
}

std::optional<Statement> TogetherArrays::swap(const HostStep& step) const {
  if (is_said(step.buffers[0])) return std::nullopt;
  std::vector<const Expr*> operands;
  for (const size_t pointer : step.buffers) operands.push_back(joint_->reference(declared_.at(pointer)));
  const Expr* call = joint_->call("swap_pointers", std::move(operands), {.kind = CType::Kind::kVoid});
  return Statement{.kind = Statement::Kind::kExpression, .value = call};
}

}  // namespace sinter
