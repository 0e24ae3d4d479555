// The body of `run`: pointers to what lies in the arena and among the constants, copies of donated inputs that were not
// given in place, then launches, copies and loops from top to bottom.
//
//   float* const max = at<float>(instance->workspace, 0);  // f32[4096]
//
//   // reduce.5 (softmax.py:12)
//   if (failed({"row_max", kernels::row_max::enqueue(in->x, max, stream)})) return kSoftmaxCudaError;
#include <algorithm>
#include <set>

#include "emitter/host/arrays_struct.h"
#include "emitter/host/emit_host.h"
#include "emitter/kernels/print_kernel.h"
#include "emitter/kernels/print_statements.h"
#include "emitter/text/declarations.h"
#include "emitter/text/emit_names.h"
#include "ir/module/host_functions.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/host/interface_sizes.h"

namespace sinter {

namespace {

// Names the template's text uses inside `run`.
const std::set<std::string> kNamesInRun = {
    "arm",     "at",  "check_run",  "chosen", "failed", "failure",   "goes_on", "in",  "kernels", "instance",
    "library", "out", "last_error", "range",  "stream", "read_back", "run",     "std", "wrong"};

class StepWriter {
 public:
  explicit StepWriter(const HostProgram& host) : host_(host), plan_(host.program->plan), names_(kNamesInRun) {}

  std::string write() {
    collect(plan_.steps);
    check_sizes();
    declare_buffers();
    copy_donated();
    write_steps();
    if (plan_.steps.empty()) line("static_cast<void>(stream);");
    return text_;
  }

 private:
  // A list of steps that is being written, and what follows it.
  struct Frame {
    const std::vector<HostStep>* steps;
    size_t next = 0;
    const HostStep* while_step = nullptr;  // steps are its condition
    const HostStep* loop = nullptr;        // steps are its body
    const HostStep* branch = nullptr;      // steps are its arm `arm`
    const HostStep* fork = nullptr;        // steps are its arm `arm`
    std::string branches = {};             // the variable of a fork
    size_t arm = 0;
    const LoopNode* node = nullptr;  // of while_step or loop, where a graph may have it
  };

  void line(const std::string& text) { text_ += std::string(indent_, ' ') + text + "\n"; }
  void blank() {
    if (!text_.ends_with("{\n")) text_ += "\n";
  }
  void comment(const HostStep& step, const std::string& otherwise) {
    blank();
    const std::string& words = step.comment.empty() ? otherwise : step.comment;
    if (!words.empty()) text_ += print_comment(words, indent_);
  }

  const Buffer& buffer(size_t position) const {
    check(position < plan_.buffers.size(), "emit_run_steps", "a step names a buffer that is not there");
    return plan_.buffers[position];
  }

  // Which buffers the steps read or write, and which are swapped.
  void collect(const std::vector<HostStep>& steps) {
    used_.assign(plan_.buffers.size(), false);
    swapped_.assign(plan_.buffers.size(), false);
    for_each_step(steps, [&](const HostStep& step) {
      for (const size_t position : step.buffers) {
        buffer(position);
        used_[position] = true;
        if (step.kind == HostStep::Kind::kSwap) swapped_[position] = true;
      }
    });
  }

  static std::string pointee(const Buffer& buffer) { return std::string(dtype_cuda_name(buffer.shape.dtype)); }

  const HostTensor& input_of(const Buffer& buffer) const {
    check(buffer.index >= 0 && buffer.index < std::ssize(host_.inputs), "emit_run_steps", "no such input");
    return host_.inputs[buffer.index];
  }
  const HostTensor& weight_of(const Buffer& buffer) const {
    check(buffer.index >= 0 && buffer.index < std::ssize(host_.weights), "emit_run_steps", "no such weight");
    return host_.weights[buffer.index];
  }
  const HostTensor& output_of(int64_t index) const {
    check(index >= 0 && index < std::ssize(host_.outputs), "emit_run_steps", "no such output");
    return host_.outputs[index];
  }

  // Where a buffer is at the start of `run`.
  std::string place(const Buffer& buffer) const {
    const std::string type = pointee(buffer);
    const auto of_caller = [&](const std::string& member, const HostTensor& tensor, const std::string& cuda_type) {
      // Complex numbers are pairs of reals in the C interface, floats of a byte their bits.
      return tensor.c_type == tensor.cuda_type ? member : "reinterpret_cast<" + cuda_type + "*>(" + member + ")";
    };
    switch (buffer.kind) {
      case Buffer::Kind::kInput:
        return of_caller("in->" + input_of(buffer).name, input_of(buffer), "const " + type);
      case Buffer::Kind::kOutput:
        return of_caller("out->" + output_of(buffer.index).name, output_of(buffer.index), type);
      case Buffer::Kind::kDonated:
        return of_caller("out->" + output_of(buffer.output).name, output_of(buffer.output), type);
      case Buffer::Kind::kArena:
        return "at<" + type + ">(instance->workspace, " + std::to_string(buffer.offset) + ")";
      case Buffer::Kind::kConstant:
        return "at<const " + type + ">(instance->constants, " + std::to_string(buffer.offset) + ")";
      case Buffer::Kind::kWeight:
        return of_caller("instance->weights." + weight_of(buffer).name, weight_of(buffer), "const " + type);
      case Buffer::Kind::kFinished:
        return "instance->finished" + (buffer.index > 0 ? " + " + std::to_string(buffer.index) : "");
      case Buffer::Kind::kPointer:
        return "";  // says its first kPoint
    }
    return "";
  }

  //   if (in->size < 0 || in->size > 1024) return wrong_size("size", in->size, 1024);
  //   const int size = static_cast<int>(in->size);
  void check_sizes() {
    std::set<std::string> passed;
    for_each_step(plan_.steps, [&](const HostStep& step) {
      for (const HostStep::Scalar& scalar : step.scalars) passed.insert(scalar.counter);
    });
    for (size_t i = 0; i < host_.inputs.size(); ++i) {
      const HostTensor& input = host_.inputs[i];
      if (!input.bound) continue;
      const std::string member = "in->" + input.name, bound = std::to_string(*input.bound);
      const std::string test = "if (" + member + " < 0 || " + member + " > " + bound + ")";
      const std::string result = "return wrong_size(\"" + input.name + "\", " + member + ", " + bound + ");";
      const bool fits = static_cast<size_t>(kLineWidth) >= indent_ + test.size() + 1 + result.size();
      line(fits ? test + " " + result : test);
      if (!fits) line("  " + result);
      if (!passed.contains(size_scalar(i))) continue;
      const std::string number = names_.unique(input.name);
      counters_.emplace(size_scalar(i), number);
      line("const int " + number + " = static_cast<int>(" + member + ");");
    }
  }

  // Buffers that have no short spelling, or whose pointer changes, get a variable.
  void declare_buffers() {
    std::vector<DeclaredArray> arrays;
    spelling_.resize(plan_.buffers.size());
    for (size_t i = 0; i < plan_.buffers.size(); ++i) {
      if (!used_[i]) continue;
      const Buffer& buffer = plan_.buffers[i];
      check(buffer.shape.is_array(), "emit_run_steps", "the buffer '" + buffer.name + "' is no array");
      if (buffer.kind == Buffer::Kind::kPointer) continue;
      const std::string value = place(buffer);
      if (value.find('(') == std::string::npos && !swapped_[i]) {
        spelling_[i] = value;
        continue;
      }
      const bool constant = !is_written(buffer);
      spelling_[i] = names_.unique(safe_identifier(buffer.name));
      arrays.push_back(
          {(constant ? "const " : "") + pointee(buffer) + "* " + (swapped_[i] ? "" : "const ") + spelling_[i] + " =",
           value + ";", to_string(buffer.shape, false)});
    }
    if (!arrays.empty()) text_ += "\n" + print_declarations(arrays, indent_);
  }

  // An input that is computed upon in place, in the output's memory.
  void copy_donated() {
    std::set<std::pair<int64_t, int64_t>> pairs;
    for (const Buffer& buffer : plan_.buffers) {
      if (buffer.kind != Buffer::Kind::kDonated || buffer.shape.bytes() == 0) continue;
      if (!pairs.emplace(buffer.index, buffer.output).second) continue;
      const std::string from = "in->" + input_of(buffer).name, to = "out->" + output_of(buffer.output).name;
      text_ += pairs.size() == 1 ? "\n  // Donated inputs are computed upon in the memory of their outputs.\n" : "";
      line("if (" + from + " != " + to + " &&");
      line("    failed({\"copy\", " + copy_call(to, from, buffer.shape.bytes()) + "})) {");
      line("  return " + cuda_error() + ";");
      line("}");
    }
  }

  static std::string copy_call(const std::string& to, const std::string& from, int64_t bytes) {
    return "cudaMemcpyAsync(" + to + ", " + from + ", " + std::to_string(bytes) + ", cudaMemcpyDeviceToDevice, stream)";
  }

  std::string cuda_error() const { return "k" + host_.type + "CudaError"; }

  // if (condition failed({"what", call})) return k...CudaError;  The call is broken between its arguments where it is
  // long.
  void checked(const std::string& condition, const std::string& what, const std::string& function,
               std::vector<std::string> arguments) {
    const std::string opening =
        std::string(indent_, ' ') + "if (" + condition + "failed({\"" + what + "\", " + function + "(";
    const std::string result = "return " + cuda_error() + ";";
    const std::string one_line = wrap_list(opening, arguments, ")})) ");
    if (one_line.find('\n') == std::string::npos && std::ssize(one_line) + std::ssize(result) <= kLineWidth) {
      text_ += one_line + result + "\n";
    } else {
      text_ += wrap_list(opening, arguments, ")})) {") + "\n";
      line("  " + result);
      line("}");
    }
  }

  void write_steps() {
    std::vector<Frame> frames = {{.steps = &plan_.steps}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.next < frame.steps->size()) {
        if (frame.loop != nullptr && frame.node != nullptr && frame.next == frame.node->moves) turn_arrays(*frame.node);
        const HostStep& step = (*frame.steps)[frame.next++];
        if (step.kind == HostStep::Kind::kLoop) {
          open_loop(step);
          frames.push_back({.steps = &step.body, .loop = &step});
        } else if (step.kind == HostStep::Kind::kWhile) {
          comment(step, "");
          const LoopNode* node = node_of(step);
          if (node != nullptr) open_node(*node);
          line("for (;;) {");
          indent_ += 2;
          frames.push_back({.steps = &step.condition, .while_step = &step, .node = node});
        } else if (step.kind == HostStep::Kind::kBranch) {
          open_branch(step);
          frames.push_back({.steps = &step.arms[0], .branch = &step});
        } else if (step.kind == HostStep::Kind::kFork) {
          frames.push_back({.steps = &step.arms[0], .fork = &step, .branches = open_fork(step)});
        } else {
          write_step(step);
        }
        last_ = step.kind;
        continue;
      }
      const Frame done = frame;
      frames.pop_back();
      if (done.while_step != nullptr) {
        read_condition(*done.while_step);
        frames.push_back({.steps = &done.while_step->body, .loop = done.while_step, .node = done.node});
      } else if (done.fork != nullptr) {
        const bool is_last = done.arm + 1 == done.fork->arms.size();
        if (is_last) {
          blank();
          write_edge(done.branches, "join");
          continue;
        }
        begin_arm(done.branches, *done.fork, done.arm + 1);
        frames.push_back({.steps = &done.fork->arms[done.arm + 1],
                          .fork = done.fork,
                          .branches = done.branches,
                          .arm = done.arm + 1});
      } else if (done.branch != nullptr) {
        indent_ -= 2;
        if (done.arm + 1 < done.branch->arms.size()) {
          open_arm(*done.branch, done.arm + 1);
          frames.push_back({.steps = &done.branch->arms[done.arm + 1], .branch = done.branch, .arm = done.arm + 1});
          continue;
        }
        line("}");
        indent_ -= 2;
        line("}");
        if (decides_in_graph(host_)) close_node();
      } else if (done.loop != nullptr) {
        if (done.node != nullptr && !done.node->turns.empty()) {
          indent_ -= 2;
          line("}");
        }
        indent_ -= 2;
        line("}");
        if (done.node != nullptr) close_node();
        last_ = done.loop->kind;
        if (done.loop->kind == HostStep::Kind::kLoop) close_loop(*done.loop);
      }
    }
  }

  // Branches<2> branches(stream, last_error);
  // if (!branches.begin()) return k...CudaError;
  std::string open_fork(const HostStep& step) {
    const std::string branches = names_.unique("branches");
    blank();
    line("// In a graph of the run these are branches, side by side; else they follow each other.");
    line("Branches<" + std::to_string(step.arms.size()) + "> " + branches + "(" + stream_ + ", last_error);");
    begin_arm(branches, step, 0);
    return branches;
  }
  // // branch 2 of 5
  // if (!branches.begin()) return k...CudaError;
  void begin_arm(const std::string& branches, const HostStep& fork, size_t arm) {
    blank();
    line("// branch " + std::to_string(arm + 1) + " of " + std::to_string(fork.arms.size()));
    write_edge(branches, "begin");
  }
  void write_edge(const std::string& branches, const std::string& edge) {
    line("if (!" + branches + "." + edge + "()) return " + cuda_error() + ";");
  }

  void open_loop(const HostStep& step) {
    comment(step, "");
    const std::string type = step.trip <= INT32_MAX ? "int" : "int64_t";
    const std::string counter = names_.unique(step.counter.empty() ? "step" : safe_identifier(step.counter));
    check(counters_.emplace(step.counter, counter).second, "emit_run_steps", "nested loops share a counter");
    line("for (" + type + " " + counter + " = 0; " + counter + " < " + std::to_string(step.trip) + "; ++" + counter +
         ") {");
    indent_ += 2;
  }

  void close_loop(const HostStep& step) {
    names_.release(counters_.at(step.counter));
    counters_.erase(step.counter);
  }

  const LoopNode* node_of(const HostStep& step) const {
    return decides_in_graph(host_) ? &host_.graph.loops.at(&step) : nullptr;
  }

  // DataLoop loop(instance->condition, stream);
  // if (loop.recorded) {  // arrays go to where its steps leave them
  //   if (failed({"copy", loop.start_at(x_spare, &x_current, ...)})) return k...CudaError;
  // }
  void open_node(const LoopNode& node) {
    const std::string loop = names_.unique("loop");
    line("DataLoop " + loop + "(instance->condition, " + stream_ + ");");
    if (!node.starts.empty()) {
      line("if (" + loop + ".recorded) {  // arrays go to where its steps leave them");
      indent_ += 2;
      for (const ArrayCopy& start : node.starts) {
        const std::string bytes = std::to_string(buffer(start.from).shape.bytes());
        checked("", "copy", loop + ".start_at", {spelling_[start.to], "&" + spelling_[start.from], bytes});
      }
      indent_ -= 2;
      line("}");
    }
    push_node(loop);
  }

  // What is put on the stream from here on is of the loop's or branch's variable.
  void push_node(const std::string& variable) {
    nodes_.push_back({variable, stream_});
    stream_ = variable + ".stream";
  }
  // Its variable stays: what follows stands in the same scope.
  void close_node() {
    stream_ = nodes_.back().stream_around;
    nodes_.pop_back();
  }

  // if (loop.recorded) {
  //   if (failed({"copy", cudaMemcpyAsync(x_current, x_next, ...)})) return k...CudaError;
  // } else {
  //   ...  what moves pointers
  void turn_arrays(const LoopNode& node) {
    if (node.turns.empty()) return;
    blank();
    line("if (" + nodes_.back().variable + ".recorded) {");
    indent_ += 2;
    for (const ArrayCopy& turn : node.turns) {
      const int64_t bytes = buffer(turn.from).shape.bytes();
      if (bytes == 0) continue;
      checked("", "copy", "cudaMemcpyAsync",
              {spelling_[turn.to], spelling_[turn.from], std::to_string(bytes), "cudaMemcpyDeviceToDevice", stream_});
    }
    indent_ -= 2;
    line("} else {");
    indent_ += 2;
    last_ = HostStep::Kind::kPoint;
  }

  // {
  //   bool chosen = false;
  //   if (failed({"condition", read_back(..., &chosen)})) return k...CudaError;
  //   if (chosen) {
  // or, where it may be nodes of a graph,
  // DataBranch<bool, 2> branch(instance->condition, ..., stream);
  // for (;;) {
  //   int arm = branch.kNone;
  //   if (failed({"condition", branch.ask(&arm)})) return k...CudaError;
  //   if (arm == branch.kNone) break;
  //   if (arm == 0) {
  void open_branch(const HostStep& step) {
    check(step.buffers.size() == 1 && step.arms.size() > 1, "emit_run_steps", "a branch needs a selector and arms");
    const DType dtype = buffer(step.buffers[0]).shape.dtype;
    check(dtype == DType::kS32 || (dtype == DType::kPred && step.arms.size() == 2), "emit_run_steps",
          "a selector is a pred of two or an s32");
    comment(step, "");
    const std::string type = dtype == DType::kPred ? "bool" : "int";
    if (decides_in_graph(host_)) {
      const std::string branch = names_.unique("branch");
      line(wrap_list("DataBranch<" + type + ", " + std::to_string(step.arms.size()) + "> " + branch + "(",
                     {"instance->condition", spelling_[step.buffers[0]], stream_}, ");"));
      line("for (;;) {");
      indent_ += 2;
      line("int arm = " + branch + ".kNone;");
      checked("", "condition", branch + ".ask", {"&arm"});
      line("if (arm == " + branch + ".kNone) break;");
      push_node(branch);
    } else {
      line("{");
      indent_ += 2;
      line(dtype == DType::kPred ? "bool chosen = false;" : "int chosen = 0;");
      read_back(step, "chosen");
    }
    open_arm(step, 0);
  }

  void open_arm(const HostStep& step, size_t arm) {
    const bool pred = buffer(step.buffers[0]).shape.dtype == DType::kPred;
    std::string test = pred ? "chosen" : "chosen == " + std::to_string(arm);
    if (decides_in_graph(host_)) test = "arm == " + std::to_string(arm);
    const std::string otherwise = arm == 0 ? "" : "} else ";
    line(arm + 1 == step.arms.size() ? otherwise + "{" : otherwise + "if (" + test + ") {");
    indent_ += 2;
  }

  // The host waits for what decides.
  void read_back(const HostStep& step, const std::string& variable) {
    checked("", "condition", "read_back",
            {"instance->condition", spelling_[step.buffers[0]], "stream", "&" + variable});
  }

  void read_condition(const HostStep& step) {
    check(step.buffers.size() == 1, "emit_run_steps", "a while step needs the buffer of its condition");
    check(buffer(step.buffers[0]).shape.dtype == DType::kPred, "emit_run_steps", "a condition is a pred");
    blank();
    line("bool goes_on = false;");
    if (decides_in_graph(host_)) {
      checked("", "condition", nodes_.back().variable + ".ask", {spelling_[step.buffers[0]], "&goes_on"});
    } else {
      read_back(step, "goes_on");
    }
    line("if (!goes_on) break;");
  }

  // A pointer of a loop's state: declared before the loop, set again at the end of its body.
  void write_point(const HostStep& step) {
    check(step.buffers.size() == 2, "emit_run_steps", "a pointer is given one buffer");
    const Buffer& pointer = buffer(step.buffers[0]);
    check(pointer.kind == Buffer::Kind::kPointer, "emit_run_steps", "only pointers can be given another buffer");
    check(pointer.constant || is_written(buffer(step.buffers[1])), "emit_run_steps", "an input may be written");
    if (last_ != HostStep::Kind::kPoint) blank();
    std::string& spelling = spelling_[step.buffers[0]];
    if (!spelling.empty()) {
      line(spelling + " = " + spelling_[step.buffers[1]] + ";");
      return;
    }
    spelling = names_.unique(safe_identifier(pointer.name));
    line((pointer.constant ? "const " : "") + pointee(pointer) + "* " + spelling + " = " + spelling_[step.buffers[1]] +
         ";");
  }

  void write_step(const HostStep& step) {
    if (step.kind == HostStep::Kind::kLaunch) return write_launch(step);
    if (step.kind == HostStep::Kind::kPoint) return write_point(step);
    if (step.kind == HostStep::Kind::kClear) return write_clear(step);
    if (step.kind == HostStep::Kind::kCall) return write_call(step);
    check(step.buffers.size() == 2, "emit_run_steps", "copy and swap take two buffers");
    const Buffer &first = buffer(step.buffers[0]), &second = buffer(step.buffers[1]);
    const std::string &one = spelling_[step.buffers[0]], &other = spelling_[step.buffers[1]];
    if (step.kind == HostStep::Kind::kSwap) {
      check(first.shape.dtype == second.shape.dtype, "emit_run_steps", "swapped buffers differ in type");
      const bool pointers = first.kind == Buffer::Kind::kPointer && second.kind == Buffer::Kind::kPointer;
      check(pointers ? first.constant == second.constant : is_written(first) && is_written(second), "emit_run_steps",
            "an input or constant is swapped");
      const bool follows = last_ == HostStep::Kind::kSwap || last_ == HostStep::Kind::kPoint;
      if (!follows || !step.comment.empty()) comment(step, "");
      line("std::swap(" + one + ", " + other + ");");
      return;
    }
    check(is_written(second) && first.shape.bytes() == second.shape.bytes(), "emit_run_steps",
          "a copy's target is an input or constant, or has another size");
    if (first.shape.bytes() == 0) return;
    comment(step, "");
    const std::string condition = step.unless_same ? one + " != " + other + " && " : "";
    checked(condition, "copy", "cudaMemcpyAsync",
            {other, one, std::to_string(first.shape.bytes()), "cudaMemcpyDeviceToDevice", stream_});
  }

  void write_clear(const HostStep& step) {
    check(step.buffers.size() == 1, "emit_run_steps", "a clear takes one buffer");
    const Buffer& cleared = buffer(step.buffers[0]);
    check(is_written(cleared), "emit_run_steps", "an input or constant is cleared");
    if (cleared.shape.bytes() == 0) return;
    comment(step, "");
    checked("", "clear", "cudaMemsetAsync",
            {spelling_[step.buffers[0]], "0", std::to_string(cleared.shape.bytes()), stream_});
  }

  void write_call(const HostStep& step) {
    const DeviceFunctionName called = parse_function_name(step.call.function);
    const bool of_user = !called.header.empty();
    const std::vector<std::string>& numbers = step.call.numbers;
    std::vector<std::string> arguments = {of_user ? "stream" : "instance->library"};
    if (!of_user) arguments.insert(arguments.end(), numbers.begin(), numbers.end());
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      check(i < step.call.operands || is_written(buffer(step.buffers[i])), step.call.function,
            "writes an input or constant");
      arguments.push_back(spelling_[step.buffers[i]]);
    }
    comment(step, "");
    if (of_user) {
      arguments.insert(arguments.end(), numbers.begin(), numbers.end());
      return checked("", called.function, "::" + called.function, std::move(arguments));
    }
    arguments.push_back("stream");
    const std::string type(dtype_cuda_name(step.call.dtype));
    checked("", step.call.function, "library::" + step.call.function + "<" + type + ">", std::move(arguments));
  }

  static bool is_written(const Buffer& buffer) {
    if (buffer.kind == Buffer::Kind::kPointer) return !buffer.constant;
    return buffer.kind != Buffer::Kind::kInput && buffer.kind != Buffer::Kind::kConstant &&
           buffer.kind != Buffer::Kind::kWeight;
  }

  void write_launch(const HostStep& step) {
    check(step.kernel < host_.program->kernels.size(), "emit_run_steps", "a launch names a kernel that is not there");
    const Kernel& kernel = host_.program->kernels[step.kernel];
    check(kernel.parameters.size() == step.buffers.size() + step.scalars.size(), kernel.name,
          "a launch has not as many arguments as the kernel");
    std::vector<std::string> arguments;
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      const Buffer& argument = buffer(step.buffers[i]);
      const CType& type = kernel.parameters[i].variable->type;
      const bool read_only = type.kind == CType::Kind::kConstPointer;
      check(read_only || type.kind == CType::Kind::kPointer, kernel.name, "a buffer is given for a value");
      check(read_only || is_written(argument), kernel.name, "writes an input or constant");
      check(type.dtype == argument.shape.dtype, kernel.name,
            "parameter " + std::to_string(i) + " and buffer '" + argument.name + "' differ in type");
      arguments.push_back(spelling_[step.buffers[i]]);
    }
    for (const HostStep::Scalar& scalar : step.scalars) {
      const auto counter = counters_.find(scalar.counter);
      check(scalar.counter.empty() || counter != counters_.end(), kernel.name,
            "takes the counter of a loop it is not in");
      arguments.push_back(scalar.counter.empty() ? std::to_string(scalar.number) : counter->second);
    }
    comment(step, "");
    if (has_arrays_struct(kernel)) {
      const std::string name = names_.unique(kernel.name + "_arrays");
      const auto may_write = [&](size_t argument) { return is_written(buffer(step.buffers[argument])); };
      text_ += print_arrays_struct(kernel, name, arguments, may_write, indent_);
      arguments = {name};
    }
    arguments.push_back(stream_);
    checked("", kernel.name, "kernels::" + kernel.name + "::enqueue", std::move(arguments));
  }

  const HostProgram& host_;
  const HostPlan& plan_;
  NameScope names_;
  std::string text_;
  size_t indent_ = 2;
  HostStep::Kind last_ = HostStep::Kind::kLaunch;  // of the step written last
  std::vector<bool> used_, swapped_;
  std::vector<std::string> spelling_;            // of each buffer, as an argument
  std::map<std::string, std::string> counters_;  // of the open loops: as the plan names it -> as it is spelled
  // The open loops that data ends, and branches.
  struct OpenNode {
    std::string variable, stream_around;
  };
  std::vector<OpenNode> nodes_;
  std::string stream_ = "stream";  // of the step that is written
};

}  // namespace

std::string emit_run_steps(const HostProgram& host) { return StepWriter(host).write(); }

}  // namespace sinter
