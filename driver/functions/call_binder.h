// A custom call, and the function of a header that it is to call.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/functions/bindings.h"
#include "driver/functions/call_attributes.h"
#include "ir/module/module.h"
#include "review/read/device_header.h"

namespace sinter {

class CallBinder {
 public:
  CallBinder(Instruction& call, const FunctionBinding& bound, std::vector<CallAttribute> attributes)
      : call_(call), bound_(bound), attributes_(std::move(attributes)) {}
  virtual ~CallBinder() = default;

  struct Refusal {
    std::string what, hint;  // "has no operands"; both empty: there is none
  };
  // What keeps the call from any function.
  virtual Refusal refusal() const = 0;
  // Why the call's operands, results and attributes are not what the function takes; empty where they are.
  virtual std::string why_not(const HeaderFunction& function) const = 0;
  // Makes it the call of that function.
  virtual void bind(const HeaderFunction& function) = 0;

 protected:
  // "f32 (float)".
  static std::string type_text(DType dtype);
  const CallAttribute* find(const std::string& name) const;
  // The attribute that the parameter is called after, where it is a number of that type.
  const Literal* number_for(const HeaderFunction::Parameter& parameter) const;
  // Why there is no number for a parameter; `otherwise` where no attribute is called so, ", which ...".
  std::string why_no_number_for(const HeaderFunction::Parameter& parameter, const std::string& otherwise) const;
  // Why an attribute has no parameter, of those that are given numbers; empty where each has one. `place`: where these
  // stand, "behind the arrays".
  std::string why_unused(const std::set<std::string>& used, const std::string& place) const;
  // Why the parameters, from number `first` on, are not pointers to the operands, then the results; empty where they
  // are. There are as many.
  std::string why_no_arrays(const HeaderFunction& function, size_t first) const;
  // Whether the call gives a tuple of one array, as jax.ffi.ffi_call may have it.
  bool gives_tuple_of_one() const;
  // Another call, before this one and in its place in the user's program.
  Instruction* insert_call(const Shape& shape, const std::vector<Instruction*>& operands, std::string name);
  // The call's results: those of the tuple, or the one.
  std::vector<Shape> results() const;
  // Gives way to another call of the same results.
  void become(Instruction* call);
  // What the call is no more: it puts the one result of `call` into a tuple.
  void become_tuple_of(Instruction* call);

  // Of 16 bits: no host function and no function of rows takes such a number.
  static bool is_half(const HeaderFunction::Parameter& parameter);
  static std::string half_text(const HeaderFunction::Parameter& parameter);
  // Behind the name of a pointer: how many elements it points to.
  static constexpr const char* kSize = "_size";

  Instruction& call_;
  const FunctionBinding& bound_;
  std::vector<CallAttribute> attributes_;
};

// An operand as an array of the result's dimensions, of which its own are the first, or 1 in their place: a scalar is
// for all elements, and what jax.vmap makes of one for those of its lane.
bool can_spread(const Shape& operand, const Shape& result);
Instruction* spread(Instruction& call, Instruction* operand, const Shape& result);

// Whether the computation is of elements: called by a reduction, a sort or the like, which threads compute.
bool is_of_elements(const Computation& computation);

// Of a function that computes an element, one that computes a row, and one that is given whole arrays.
std::unique_ptr<CallBinder> element_binder(Instruction& call, const FunctionBinding& bound,
                                           std::vector<CallAttribute> attributes);
std::unique_ptr<CallBinder> row_binder(Instruction& call, const FunctionBinding& bound,
                                       std::vector<CallAttribute> attributes);
std::unique_ptr<CallBinder> array_binder(Instruction& call, const FunctionBinding& bound,
                                         std::vector<CallAttribute> attributes);

}  // namespace sinter
