#include "emitter/host/arrays_struct.h"

#include "emitter/kernels/print_expr.h"
#include "emitter/kernels/print_kernel.h"
#include "emitter/text/emit_text.h"

namespace sinter {

namespace {

// Of parts that divide the blocks of a launch: part by part and place by place.
std::string print_parts(const Kernel& joint, const std::vector<std::string>& arguments, const std::string& blanks) {
  size_t pointer = 0, number = 0;
  for (const Parameter& parameter : joint.parameters)
    number += parameter.variable->type.kind == CType::Kind::kValue ? 0 : 1;
  std::string text;
  for (const KernelPart& part : joint.parts) {
    const std::string member = blanks + "    ." + part.kernel.name + " =";
    const bool several = part.places > 1;
    if (several) text += member + "\n" + blanks + "        {\n";
    for (int64_t place = 0; place < part.places; ++place) {
      std::vector<std::string> own;
      for (const Parameter& parameter : part.kernel.parameters) {
        own.push_back(arguments[parameter.variable->type.kind == CType::Kind::kValue ? number++ : pointer++]);
      }
      text += wrap_list(several ? blanks + "            {" : member + " {", own, "},\n");
    }
    if (several) text += blanks + "        },\n";
  }
  if (joint.finished != nullptr) text += blanks + "    ." + joint.finished->name + " = " + arguments[pointer] + ",\n";
  return text;
}

// Of a resident launch: its places, then what is in none of them.
std::string print_places(const Kernel& joint, const std::vector<std::string>& arguments,
                         const std::function<bool(size_t)>& may_write, const std::string& blanks) {
  std::string text;
  for (const PlaceStruct& structs : joint.places) {
    for (const PlaceStruct::Place& place : structs.places) {
      std::vector<std::string> own;
      for (size_t member = 0; member < structs.members.size(); ++member) {
        const size_t argument = place.parameters[member];
        const CType type = place_member_type(joint, structs, member);
        const bool is_cast = type.kind == CType::Kind::kPointer && !may_write(argument);
        own.push_back(is_cast ? "const_cast<" + print_type(type) + ">(" + arguments[argument] + ")"
                              : arguments[argument]);
      }
      text += wrap_list(blanks + "    ." + place.name + " = {", own, "},\n");
    }
  }
  for (const size_t parameter : parameters_in_no_place(joint)) {
    text += blanks + "    ." + joint.parameters[parameter].variable->name + " = " + arguments[parameter] + ",\n";
  }
  return text;
}

}  // namespace

std::string print_arrays_struct(const Kernel& kernel, const std::string& name,
                                const std::vector<std::string>& arguments,
                                const std::function<bool(size_t argument)>& may_write, size_t indent) {
  const std::string blanks(indent, ' ');
  return blanks + "const kernels::" + kernel.name + "::" + kernel.arrays_type + " " + name + " = {\n" +
         (kernel.resident ? print_places(kernel, arguments, may_write, blanks)
                          : print_parts(kernel, arguments, blanks)) +
         blanks + "};\n";
}

}  // namespace sinter
