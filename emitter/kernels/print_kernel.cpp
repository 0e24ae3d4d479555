// kernels/<name>.cu from top to bottom: what it computes, includes, and in a namespace of its own an anonymous one with
// constants, their assertions, types, device functions and the kernel, and then the function that enqueues it.
#include "emitter/kernels/print_kernel.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "emitter/kernels/explain_pointers.h"
#include "emitter/kernels/print_expr.h"
#include "emitter/kernels/print_statements.h"
#include "emitter/text/emit_text.h"
#include "emitter/text/user_header.h"
#include "ir/support/diagnostics.h"
#include "ir/support/is_word.h"

namespace sinter {
namespace {

// A block has this much shared memory without asking for it at launch (templates/device/launch.cuh).
constexpr int64_t kStaticSharedBytes = 48 * 1024;

// `opening` + items + `closing` on one line, or else one item a line under the first one.
std::string one_line_or_column(const std::string& opening, const std::vector<std::string>& items,
                               const std::string& closing, int trailing = 0) {
  std::string line = opening;
  std::string column = opening;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) {
      line += ", ";
      column += ",\n" + std::string(opening.size(), ' ');
    }
    line += items[i];
    column += items[i];
  }
  return (line.size() + closing.size() + trailing <= kLineWidth ? line : column) + closing;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c >= ' ' && c <= '~' ? c : ' ';
  }
  return result + "\"";
}

// The items of "{1, 2, {3, 4}}" split at its outer commas; empty if it is no such list.
std::vector<std::string> list_items(const std::string& value) {
  std::vector<std::string> items;
  if (value.size() < 2 || value.front() != '{' || value.back() != '}') return items;
  int depth = 0;
  std::string item;
  for (size_t i = 1; i + 1 < value.size(); ++i) {
    const char c = value[i];
    if (c == '{' || c == '(') ++depth;
    if (c == '}' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      items.push_back(std::move(item));
      item.clear();
    } else if (c != ' ' || !item.empty()) {
      item += c;
    }
  }
  if (!item.empty()) items.push_back(std::move(item));
  return items;
}

std::string print_constant(const NamedConstant& constant) {
  const std::string opening = "constexpr " + constant.type + " " + constant.name + " = ";
  if (opening.size() + constant.value.size() + 1 <= kLineWidth) return opening + constant.value + ";";
  const std::vector<std::string> items = list_items(constant.value);
  if (!items.empty()) return wrap_list(opening + "{", items, "};");
  // A sum is broken after a plus.
  std::string text = opening.substr(0, opening.size() - 1) + "\n   ";
  size_t column = 3;
  for (size_t begin = 0; begin < constant.value.size();) {
    const size_t plus = constant.value.find(" + ", begin);
    const size_t end = plus == std::string::npos ? constant.value.size() : plus + 2;
    if (column + 1 + end - begin > kLineWidth - 1) {
      text += "\n   ";
      column = 3;
    }
    text += " " + constant.value.substr(begin, end - begin);
    column += 1 + end - begin;
    begin = end + 1;
  }
  return text + ";";
}

// Comments of neighbouring constants stand in one column.
std::string print_constants(const std::vector<NamedConstant>& constants) {
  std::string text;
  size_t next = 0;
  while (next < constants.size()) {
    size_t end = next;
    size_t column = 0;
    while (end < constants.size() && !constants[end].comment.empty()) {
      const std::string line = print_constant(constants[end]);
      column = std::max(column, line.size() - (line.rfind('\n') + 1));
      ++end;
    }
    if (end == next) {
      text += print_constant(constants[next++]) + "\n";
      continue;
    }
    for (; next < end; ++next) {
      const std::string line = print_constant(constants[next]);
      const size_t width = line.size() - (line.rfind('\n') + 1);
      text += line + std::string(column - width + 2, ' ') + print_trailing_comment(constants[next].comment) + "\n";
    }
  }
  return text;
}

std::string print_assertion(const std::string& condition, const std::string& message) {
  return wrap_list("static_assert(", {condition, quoted(message)}, ");") + "\n";
}

std::string print_shared(const SharedStruct& shared) {
  std::string text = "struct Shared {\n";
  for (const SharedStruct::Member& member : shared.members) {
    const std::string element(dtype_cuda_name(member.dtype));
    text += "  " + (member.type.empty() ? element : member.type) + " " + member.name;
    for (const std::string& dim : member.dims) text += "[" + dim + "]";
    text += ";\n";
  }
  return text + "};\n";
}

std::string print_struct(const ResultStruct& type) {
  std::string text = "struct " + type.name + " {\n";
  for (const auto& [name, dtype] : type.members)
    text += "  " + std::string(dtype_cuda_name(dtype)) + " " + name + ";\n";
  return text + "};\n";
}

bool has_word(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// The constants that a text reads, directly or through others.
std::vector<NamedConstant> constants_read(const std::vector<NamedConstant>& constants, std::string text) {
  std::vector<NamedConstant> read;
  for (auto constant = constants.rbegin(); constant != constants.rend(); ++constant) {
    if (!has_word(text, constant->name.substr(0, constant->name.find('[')))) continue;
    text += " " + constant->value;
    read.insert(read.begin(), *constant);
  }
  return read;
}

std::string print_function(const DeviceFunction& function, ExprPrinter& printer) {
  std::string text;
  for (const std::string& line : function.comment) text += print_comment(line, 0);
  std::vector<std::string> parameters;
  for (const Variable* parameter : function.parameters) parameters.push_back(print_parameter(*parameter, true));
  const std::string opening = "__device__ " + print_type(function.result) + " " + function.name + "(";
  text += one_line_or_column(opening, parameters, ")", 2) + " {\n";
  return text + print_block(function.body, 2, printer) + "}\n";
}

std::string print_function_object(const FunctionObject& object, ExprPrinter& printer) {
  std::string text;
  for (const std::string& line : object.comment) text += print_comment(line, 0);
  text += "struct " + object.name + " {\n";
  for (const Variable* member : object.members) text += "  " + print_declaration(*member) + ";\n";
  if (!object.members.empty()) text += "\n";
  const std::string body = print_block(object.body, 4, printer);
  // A comparison that is the same for all elements names none: theirs are types alone.
  std::vector<std::string> parameters;
  for (const Variable* parameter : object.parameters) {
    parameters.push_back(has_word(body, parameter->name) ? print_parameter(*parameter, false)
                                                         : print_type(parameter->type));
  }
  const std::string opening = "  __device__ " + print_type(object.result) + " operator()(";
  return text + one_line_or_column(opening, parameters, ") const", 2) + " {\n" + body + "  }\n};\n";
}

// kThreads, where the file has such a constant.
std::string block_size(const Kernel& kernel) {
  for (const NamedConstant& constant : kernel.constants) {
    if (constant.name == "kThreads") return constant.name;
  }
  return std::to_string(kernel.launch.block);
}

// `kRows`, `dim3(kColumns / kWidth, kRows)`: as short as the extents allow. `before` stands on the line already.
std::string grid_size(const LaunchDimensions& launch, const std::string& before) {
  std::vector<std::string> extents;
  for (int i = 0; i < 3; ++i) {
    extents.push_back(launch.grid_spelling[i].empty() ? std::to_string(launch.grid[i]) : launch.grid_spelling[i]);
  }
  while (extents.size() > 1 && extents.back() == "1") extents.pop_back();
  return extents.size() == 1 ? before + extents[0] : wrap_list(before + "dim3(", extents, ")");
}

// TileMap lhs_tiles, rhs_tiles;
// cudaError_t error = make_tile_map(&lhs_tiles, x, {.extents = {kK, kM, 1}, .strides = {kK, int64_t{kK} * kM}, ...});
std::string print_tile_maps(const Kernel& kernel) {
  std::vector<std::string> names;
  for (const TileMap& map : kernel.tile_maps) names.push_back(map.name);
  std::string text = wrap_list("  TileMap ", names, ";\n");
  for (const TileMap& map : kernel.tile_maps) {
    const bool first = &map == &kernel.tile_maps.front();
    const std::string indent(first ? 6 : 8, ' ');
    text += first ? "  cudaError_t error = make_tile_map(\n"
                  : "  if (error == cudaSuccess) {\n    error = make_tile_map(\n";
    text += indent + "&" + map.name + ", " + map.array->name +
            (map.first != 0 ? " + " + std::to_string(map.first) : "") + ",\n";
    const std::vector<std::string> fields = {
        ".extents = {" + map.extents[0] + ", " + map.extents[1] + ", " + map.extents[2] + "}",
        ".strides = {" + map.strides[0] + ", " + map.strides[1] + "}",
        ".tile = {" + map.tile[0] + ", " + map.tile[1] + "}"};
    text += one_line_or_column(indent + "{", fields, "});") + "\n" + (first ? "" : "  }\n");
  }
  return text + "  if (error != cudaSuccess) return error;\n";
}

// On one line; or the kernel's arguments below; or kernel, configuration and arguments on lines of their own.
std::string print_launch_call(const Kernel& kernel) {
  std::vector<std::string> settings = {".block = " + block_size(kernel)};
  if (kernel.shared.bytes > kStaticSharedBytes || kernel.shared.in_turns)
    settings.push_back(".shared_bytes = sizeof(" + kernel.shared.name + ")");
  std::vector<std::string> arguments;
  const bool in_struct = has_arrays_struct(kernel);
  if (in_struct) arguments.push_back(kJointArrays);
  for (const TileMap& map : kernel.tile_maps) arguments.push_back(map.name);
  for (const Parameter& parameter : kernel.parameters) {
    if (!in_struct && !parameter.of_host) arguments.push_back(parameter.variable->name);
  }

  const std::string opening = kernel.resident && !kernel.apart ? "  return launch_resident(" : "  return launch(";
  const std::string blanks(opening.size(), ' ');
  std::string config = grid_size(kernel.launch, "{.grid = ");
  for (const std::string& setting : settings) config += ", " + setting;
  const std::string call = opening + kernel.name + ", " + config + "}, stream";
  std::string all = call;
  for (const std::string& argument : arguments) all += ", " + argument;
  if (all.size() + 2 <= kLineWidth) return all + ");";
  if (call.size() + 1 <= kLineWidth && !arguments.empty()) return call + ",\n" + wrap_list(blanks, arguments, ");");

  settings.insert(settings.begin(), grid_size(kernel.launch, blanks + "{.grid = ").substr(blanks.size() + 1));
  arguments.insert(arguments.begin(), "stream");
  return opening + kernel.name + ",\n" + one_line_or_column(blanks + "{", settings, "},") + "\n" +
         wrap_list(blanks, arguments, ");");
}

std::string print_launch(const Kernel& kernel) {
  const std::string maps = kernel.tile_maps.empty() ? "" : print_tile_maps(kernel);
  return print_launch_signature(kernel, 2) + " {\n" + maps + print_launch_call(kernel) + "\n}\n";
}

// Why they lack __restrict__.
constexpr const char* kResidentPointers =
    "What steps write, and what they may read in its place, has no __restrict__: other blocks write it while this one "
    "runs.";

// The same of one block.
constexpr const char* kOneBlockPointers =
    "What steps write, and what they may read in its place, has no __restrict__: other threads write it while this one "
    "runs.";

constexpr const char* kApartPointers =
    "What steps write, and what they may read in its place, has no __restrict__: a step reads what the one before "
    "wrote.";

std::string print_global(const Kernel& kernel, ExprPrinter& printer) {
  std::vector<std::string> parameters;
  const bool in_struct = has_arrays_struct(kernel);
  if (in_struct) parameters.push_back("const __grid_constant__ " + kernel.arrays_type + " " + kJointArrays);
  for (const TileMap& map : kernel.tile_maps) parameters.push_back("const __grid_constant__ TileMap " + map.name);
  for (const Parameter& parameter : kernel.parameters) {
    if (!in_struct && !parameter.of_host) parameters.push_back(print_parameter(*parameter.variable, true));
  }
  std::string text = kernel.apart ? print_comment(kApartPointers, 0)
                     : kernel.resident
                         ? print_comment(kernel.launch.blocks() == 1 ? kOneBlockPointers : kResidentPointers, 0)
                         : explain_pointers(kernel, false);
  text += "__global__ void __launch_bounds__(" + block_size(kernel);
  const int64_t together = kernel.launch.alone ? 1 : kernel.launch.together;
  text += together > 0 ? ", " + std::to_string(together) + ")\n" : ")\n";
  text += one_line_or_column(kernel.name + "(", parameters, ")", 2) + " {\n";
  return text + print_block(kernel.body, 2, printer) + "}\n";
}

// What stands before a kernel: constants, their assertions, types, device functions.
std::vector<std::string> print_declarations(const Kernel& kernel, const std::vector<NamedConstant>& constants,
                                            ExprPrinter& printer) {
  std::vector<std::string> paragraphs;
  if (!constants.empty()) paragraphs.push_back(print_constants(constants));
  if (!kernel.assertions.empty()) {
    std::string text;
    for (const auto& [condition, message] : kernel.assertions) text += print_assertion(condition, message);
    paragraphs.push_back(std::move(text));
  }
  for (const ResultStruct& type : kernel.structs) paragraphs.push_back(print_struct(type));
  for (const DeviceFunction& function : kernel.functions) paragraphs.push_back(print_function(function, printer));
  for (const FunctionObject& object : kernel.function_objects) {
    paragraphs.push_back(print_function_object(object, printer));
  }
  for (const std::string& declaration : kernel.declarations) paragraphs.push_back(declaration);
  if (!kernel.shared.members.empty()) paragraphs.push_back(print_shared(kernel.shared));
  return paragraphs;
}

// Pointers of a struct may point to one array. Those that do not are said to be each alone with theirs, as parameters
// of a kernel are: then what is only read goes through the cache that nobody writes, and loads need not wait for
// stores.
std::string print_own_arrays(const Kernel& part) {
  std::vector<std::string> names;
  std::string lines;
  bool any_alone = false;
  const bool allow_restrict = !reads_other_parts(part);
  for (const Parameter& parameter : part.parameters) {
    const Variable& variable = *parameter.variable;
    const std::string declaration = print_parameter(variable, allow_restrict);
    any_alone |= declaration != print_parameter(variable, false);
    const std::string value = std::string(kJointArrays) + "." + variable.name + ";";
    const bool fits = declaration.size() + value.size() + std::string("   = ").size() <= size_t{kLineWidth};
    lines += "  " + declaration + (fits ? " = " : " =\n      ") + value + "\n";
    names.push_back(variable.name);
  }
  return any_alone ? lines : wrap_list("  const auto& [", names, "] = " + std::string(kJointArrays) + ";\n");
}

// A part: its declarations and `run`, in a namespace of its own under what its file would begin with. Of a resident
// launch `run` is given its arrays one by one; else they are in the struct `arrays`.
std::string print_part(const KernelPart& part, bool resident, const std::string& arrays, ExprPrinter& printer) {
  const Kernel& kernel = part.kernel;
  std::string text;
  for (const std::string& line : kernel.description) text += print_comment(line, 0);
  text += "namespace " + kernel.name + " {\n";
  const std::string body = print_block(kernel.body, 2, printer);
  std::string all = body;
  for (const std::string& paragraph : print_declarations(kernel, {}, printer)) all += paragraph;
  const bool several = kernel.launch.grid[0] > 1;
  if (several || (!resident && !part.last)) all += " " + kernel.launch.grid_spelling[0];
  const std::vector<NamedConstant> constants = constants_read(kernel.constants, std::move(all));
  for (const std::string& paragraph : print_declarations(kernel, constants, printer)) text += "\n" + paragraph;
  std::vector<std::string> parameters;
  if (!part.block.empty()) parameters.push_back("int " + part.block);
  if (resident) {
    for (const Parameter& parameter : kernel.parameters)
      parameters.push_back(print_parameter(*parameter.variable, true));
    // What of a function that is not inlined is taken for constant is not decided by its __restrict__ alone.
    const std::string opening = part.calls > 1 ? "__device__ __forceinline__ void run(" : "__device__ void run(";
    text += "\n" + wrap_list(opening, parameters, ") {\n") + body;
  } else {
    parameters.push_back("const " + arrays + "& " + kJointArrays);
    text += "\n" + explain_pointers(kernel, true) + wrap_list("__device__ void run(", parameters, ") {\n");
    text += print_own_arrays(kernel) + body;
  }
  return text + "}\n\n}  // namespace " + kernel.name + "\n";
}

// Parts that divide the blocks of a launch among them; the others are the last block's.
size_t count_divided(const Kernel& joint) {
  return static_cast<size_t>(
      std::count_if(joint.parts.begin(), joint.parts.end(), [](const KernelPart& part) { return !part.last; }));
}

bool reads_block(const KernelPart& part) { return !part.block.empty() || part.places > 1; }

//   if (block < 5 * update::kBlocks) {
//     update::run(block % update::kBlocks, arrays.update[block / update::kBlocks]);
//     return;
//   }
//   block -= 5 * update::kBlocks;
std::string print_dispatch(const Kernel& joint) {
  std::string text;
  const size_t count = count_divided(joint);
  for (size_t i = 0; i < count; ++i) {
    const std::string& name = joint.parts[i].kernel.name;
    const int64_t places = joint.parts[i].places;
    const std::string blocks = name + "::" + joint.parts[i].kernel.launch.grid_spelling[0];
    const std::string all = (places > 1 ? std::to_string(places) + " * " : "") + blocks;
    const std::string place = joint.parts[i].block.empty() ? "" : places > 1 ? "block % " + blocks + ", " : "block, ";
    const std::string run =
        name + "::run(" + place + "arrays." + name + (places > 1 ? "[block / " + blocks + "]" : "") + ");\n";
    if (i + 1 == count) return text + "  " + run;
    text += "  if (block < " + all + ") {\n    " + run + "    return;\n  }\n";
    if (i + 2 < count || reads_block(joint.parts[i + 1])) text += "  block -= " + all + ";\n";
  }
  return text;
}

//   // The block that finishes last sees what all have stored, and goes on alone.
//   if (!is_last_block(arrays.finished)) return;
//   sum::run(arrays.sum);
std::string print_last_parts(const Kernel& joint) {
  std::string text = "\n";
  if (joint.finished != nullptr) {
    text += "  // The block that finishes last sees what all have stored, and goes on alone.\n  if (!is_last_block(" +
            std::string(kJointArrays) + "." + joint.finished->name + ")) return;\n";
  }
  bool first = joint.finished != nullptr;
  for (size_t i = count_divided(joint); i < joint.parts.size(); ++i) {
    const std::string& name = joint.parts[i].kernel.name;
    const bool several = joint.parts[i].kernel.launch.grid[0] > 1;
    if (!first) text += "  __syncthreads();\n";
    const std::string number = several ? "i, " : joint.parts[i].block.empty() ? "" : "0, ";
    text += several ? "  for (int i = 0; i < " + name + "::" + joint.parts[i].kernel.launch.grid_spelling[0] + "; ++i) "
                    : "  ";
    text += name + "::run(" + number + kJointArrays + "." + name + ");\n";
    first = false;
  }
  return text;
}

std::string print_block_number(const Kernel& joint) {
  const size_t count = count_divided(joint);
  const bool changes = count > 2 || (count == 2 && reads_block(joint.parts[1]));
  if (count > 1) return std::string(changes ? "  int" : "  const int") + " block = blockIdx.x;\n";
  return reads_block(joint.parts[0]) ? "  const int block = blockIdx.x;\n" : "";
}

std::vector<std::string> print_joint(const Kernel& joint, ExprPrinter& printer) {
  std::vector<std::string> paragraphs;
  for (const KernelPart& part : joint.parts) {
    paragraphs.push_back(print_part(part, false, joint.arrays_type + "::" + part.arrays_type, printer));
  }
  paragraphs.push_back(print_constants(joint.constants));
  const size_t divided = count_divided(joint);
  std::string body = print_block_number(joint) + print_dispatch(joint);
  if (divided < joint.parts.size()) {
    if (divided > 1) {
      paragraphs.push_back("// What the blocks do before the last goes on.\n__device__ void run_parts(const " +
                           joint.arrays_type + "& " + kJointArrays + ") {\n" + body + "}\n");
      body = "  run_parts(" + std::string(kJointArrays) + ");\n";
    }
    body += print_last_parts(joint);
  }
  paragraphs.push_back("__global__ void __launch_bounds__(" + block_size(joint) + ")\n" + joint.name +
                       "(const __grid_constant__ " + joint.arrays_type + " " + kJointArrays + ") {\n" + body + "}\n");
  return paragraphs;
}

//   // What steps hand on, and the places that have it in turn. Nothing writes state_in.
//   struct State {
//     float* weight;
//   } state_in, state_2, state_out;
std::string print_places(const Kernel& joint, const PlaceStruct& structs) {
  std::string comment = "What steps hand on, and the places that have it in turn.";
  for (const PlaceStruct::Place& place : structs.places) {
    const auto is_written = [&](size_t parameter) { return joint.parameters[parameter].output; };
    if (std::ranges::none_of(place.parameters, is_written)) comment += " Nothing writes " + place.name + ".";
  }
  std::string text = print_comment(comment, 2) + "  struct " + structs.type + " {\n";
  for (size_t member = 0; member < structs.members.size(); ++member) {
    const CType type = place_member_type(joint, structs, member);
    text += "    " + print_type(type) + " " + structs.members[member] + ";\n";
  }
  std::vector<std::string> names;
  for (const PlaceStruct::Place& place : structs.places) names.push_back(place.name);
  return text + wrap_list("  } ", names, ";\n");
}

}  // namespace

CType place_member_type(const Kernel& joint, const PlaceStruct& structs, size_t member) {
  CType type = joint.parameters[structs.places[0].parameters[member]].variable->type;
  for (const PlaceStruct::Place& place : structs.places) {
    const CType& own = joint.parameters[place.parameters[member]].variable->type;
    if (own.kind == CType::Kind::kPointer) type = own;
  }
  return type;
}

std::vector<size_t> parameters_in_no_place(const Kernel& joint) {
  std::set<size_t> placed;
  for (const PlaceStruct& structs : joint.places) {
    for (const PlaceStruct::Place& place : structs.places)
      placed.insert(place.parameters.begin(), place.parameters.end());
  }
  std::vector<size_t> others;
  for (size_t i = 0; i < joint.parameters.size(); ++i) {
    if (placed.count(i) == 0) others.push_back(i);
  }
  return others;
}

std::string print_joint_arrays(const Kernel& joint) {
  std::string text = "struct " + joint.arrays_type + " {\n";
  if (joint.resident) {
    for (const PlaceStruct& structs : joint.places) text += print_places(joint, structs);
    for (const size_t parameter : parameters_in_no_place(joint))
      text += "  " + print_parameter(*joint.parameters[parameter].variable, false) + ";\n";
    return text + "};\n";
  }
  for (const KernelPart& part : joint.parts) {
    text += "  struct " + part.arrays_type + " {\n";
    for (const Parameter& parameter : part.kernel.parameters) {
      text += "    " + print_parameter(*parameter.variable, false) + ";\n";
    }
    text += "  } " + part.kernel.name + (part.places > 1 ? "[" + std::to_string(part.places) + "]" : "") + ";\n";
  }
  if (joint.finished != nullptr) text += "  " + print_parameter(*joint.finished, false) + ";\n";
  return text + "};\n";
}

std::string print_launch_signature(const Kernel& kernel, int trailing) {
  std::vector<std::string> parameters;
  const bool in_struct = has_arrays_struct(kernel);
  if (in_struct) parameters.push_back("const " + kernel.arrays_type + "& " + kJointArrays);
  for (const Parameter& parameter : kernel.parameters) {
    if (!in_struct) parameters.push_back(print_parameter(*parameter.variable, false));
  }
  parameters.push_back("cudaStream_t stream");
  // What follows on the line takes its columns, too.
  const std::string text = wrap_list("enqueue(", parameters, ")" + std::string(static_cast<size_t>(trailing), ' '));
  return "cudaError_t\n" + text.substr(0, text.size() - static_cast<size_t>(trailing));
}

std::string kernel_namespace(const std::string& program) { return program + "_kernels"; }

std::string print_kernel_file(const Kernel& kernel, const std::string& program) {
  ExprPrinter printer;
  // Of the anonymous namespace, with a blank line between them.
  std::vector<std::string> paragraphs;
  if (kernel.parts.empty() || kernel.resident) {
    const std::string global = print_global(kernel, printer);
    for (const KernelPart& part : kernel.parts) paragraphs.push_back(print_part(part, true, "", printer));
    std::string all = global + print_launch(kernel);
    for (const std::string& paragraph : print_declarations(kernel, {}, printer)) all += paragraph;
    for (std::string& text : print_declarations(kernel, constants_read(kernel.constants, std::move(all)), printer))
      paragraphs.push_back(std::move(text));
    paragraphs.push_back(global);
  } else {
    paragraphs = print_joint(kernel, printer);
  }

  std::string text;
  for (const std::string& line : kernel.description) text += print_comment(line, 0);
  if (!text.empty()) text += "\n";
  text += "#include \"kernels.h\"\n\n";
  // What the literals need is known now that the statements are printed.
  std::set<std::string> headers = kernel.headers;
  headers.insert("device/launch.cuh");
  headers.insert(printer.headers().begin(), printer.headers().end());
  std::string of_user;
  for (const std::string& header : headers)
    (is_user_header(header) ? of_user : text) += "#include \"" + header + "\"\n";
  if (!of_user.empty()) text += "\n" + of_user;
  const std::string name = kernel_namespace(program) + "::" + kernel.name;
  text += "\nnamespace " + name + " {\nnamespace {\n";
  for (const std::string& paragraph : paragraphs) text += "\n" + paragraph;
  return text + "\n}  // namespace\n\n" + print_launch(kernel) + "\n}  // namespace " + name + "\n";
}

}  // namespace sinter
