// The arrays of a launch that does the steps of a loop (join_together.cpp), and the pointers that its steps move among
// them: parameters of the kernel, and what its text calls each. Very many are one parameter, a struct of them. Those
// that steps move alike, the parameters of a network and what an optimizer keeps of each, are structs in it, one for
// each place, and one pointer moves instead of one for each:
//
//   const StepsArrays::State* state_current = &arrays.state_in;
//   const StepsArrays::State* state_next = &arrays.state_2;
//   for (int t = 0; t < kSteps; ++t) {
//     update::run(block, state_current->weight, arrays.gradient, state_next->weight);
//     state_current = state_next;
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/lower/host/host_plan.h"
#include "passes/lower/together/moved_alike.h"

namespace sinter {

class TogetherArrays {
 public:
  TogetherArrays(const Program& program, const HostStep& together);

  // A parameter of the kernel for each array, those that are only read first, and what the launch passes. `taken`:
  // names in the kernel, for as long as this is used.
  void add_parameters(Kernel* joint, std::set<std::string>* taken, HostStep* launch);
  // One more, behind them, of the launch's own.
  void add_counts(size_t buffer, HostStep* launch);
  // A number, behind all pointers. What the text calls it.
  std::string add_number(const Variable& number);

  bool moves(size_t buffer) const { return pointers_.count(buffer) > 0; }
  // Of what steps write, or a pointer that may point to it, which has to be like those that do.
  bool is_written_place(size_t buffer) const;

  const std::string& spelled(size_t buffer) const { return spelled_.at(buffer); }
  // In comments.
  const std::string& name_of(size_t buffer) const { return names_.at(buffer); }

  // What a kPoint or kSwap step says; nullopt: one that moves alike says it for its pointer, too.
  std::optional<Statement> point(const HostStep& step);
  std::optional<Statement> swap(const HostStep& step) const;

 private:
  // A pointer that moves like others.
  struct Moved {
    size_t group = 0, member = 0, role = 0;
  };

  void find_pointers(const std::vector<HostStep>& steps);
  void find_arrays(const std::vector<HostStep>& steps);
  std::set<size_t> given_for(size_t buffer) const;
  void add_array(size_t array, const std::string& name, HostStep* launch);
  void add_struct(const MovedAlike& group);
  std::string role_name(const MovedAlike& group, size_t role, const std::string& state) const;
  std::string target_of(const HostStep& step) const;
  std::string in_struct(const std::string& name) const;
  void set_name(size_t buffer, const std::string& spelled, const std::string& name);
  bool is_said(size_t pointer) const;

  const Program& program_;
  const std::vector<HostStep>& steps_;
  Kernel* joint_ = nullptr;
  std::set<std::string>* taken_ = nullptr;
  std::set<size_t> pointers_;                      // that the steps set
  std::vector<size_t> arrays_;                     // buffers that the launch is given
  std::set<size_t> written_, pointed_to_;          // of them
  std::set<size_t> written_places_;                // what those that are written may be
  std::map<size_t, std::string> starts_;           // what an array goes by that a pointer begins at
  std::map<size_t, size_t> positions_;             // of arrays, among the kernel's parameters
  std::map<size_t, std::string> spelled_, names_;  // by buffer
  std::map<size_t, Variable*> declared_;           // pointers
  std::vector<MovedAlike> groups_;
  std::map<size_t, Moved> moved_;
  std::vector<std::vector<std::string>> roles_;  // by group and role: "state_current", "&arrays.state_in"
};

}  // namespace sinter
