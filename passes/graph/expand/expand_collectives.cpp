// expand_collectives: what operations among devices mean where there is one.
//
//   %s = f32[8] all-reduce(%x), to_apply=%add        =>   %x
//   %p = f32[8] collective-permute(%x), source_target_pairs={{1,0}}   =>   zeros: nobody sends to device 0
//   %i = u32[] partition-id()                        =>   0
//
// A collective whose results do not have the types of its operands is one among several devices; it stays, and lowering
// refuses it. Starts and dones of asynchronous forms hand the values on.
#include "ir/module/one_device.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

void become_value(Instruction& instruction, Value value) { become(instruction, Opcode::kCopy, {value}); }

// The operands, or zeros of their shapes where nothing is sent here.
std::vector<Value> operand_values(GraphBuilder& at, const Instruction& instruction, size_t count, bool zeros) {
  std::vector<Value> values(instruction.operands().begin(),
                            instruction.operands().begin() + static_cast<std::ptrdiff_t>(count));
  for (Value& value : values) {
    if (!zeros) continue;
    value = at.splat(at.constant(Literal(Shape::scalar(value->shape.dtype))), value->shape.dims);
  }
  return values;
}

// One operand, or a tuple of all.
Value all_operands(GraphBuilder& at, const Instruction& instruction, size_t count, bool zeros) {
  const std::vector<Value> values = operand_values(at, instruction, count, zeros);
  return count == 1 ? values[0] : at.tuple(values);
}

void become_operands(Instruction& instruction, bool zeros) {
  GraphBuilder at(instruction);
  const std::vector<Value> values = operand_values(at, instruction, instruction.operands().size(), zeros);
  if (instruction.shape.is_tuple()) {
    become(instruction, Opcode::kTuple, values);
  } else {
    become_value(instruction, values[0]);
  }
}

// (operands, results, contexts...)
void become_started(Instruction& start, bool zeros) {
  GraphBuilder at(start);
  const size_t count = start.operands().size();
  std::vector<Value> state = {all_operands(at, start, count, false), all_operands(at, start, count, zeros)};
  for (size_t i = 2; i < start.shape.elements.size(); ++i) {
    state.push_back(
        at.splat(at.constant(Literal(Shape::scalar(start.shape.elements[i].dtype))), start.shape.elements[i].dims));
  }
  become(start, Opcode::kTuple, state);
}

void become_element(Instruction& instruction, int64_t index) {
  Attributes attributes;
  attributes.tuple_index = index;
  become(instruction, Opcode::kGetTupleElement, {instruction.operand(0)}, std::move(attributes));
}

// Rows [to, to + count) of the output are rows [from, from + count) of the input.
void become_segment_copy(Instruction& exchange) {
  GraphBuilder at(exchange);
  const Value input = exchange.operand(0);
  const Value output = exchange.operand(1);
  const DType index = DType::kS64;
  const std::vector<int64_t> rows = {output->shape.dims[0]};
  const auto number = [&](size_t operand) {
    return at.splat(at.convert(at.reshape(exchange.operand(operand), {}), index), rows);
  };
  const Value place = at.iota(index, rows, 0);
  const Value offset = at.subtract({place, number(4)});
  const Value source = at.add({number(2), offset});
  const Value zero = at.integer(index, 0, rows);
  Value is_sent = at.compare({offset, zero}, "GE");
  const auto ask = [&](Value condition) { is_sent = at.make(Opcode::kAnd, {is_sent, condition}); };
  ask(at.compare({offset, number(5)}, "LT"));
  ask(at.compare({source, zero}, "GE"));
  ask(at.compare({source, at.integer(index, input->shape.dims[0], rows)}, "LT"));
  Attributes attributes;
  attributes.offset_dims.emplace();
  for (int64_t d = 1; d < input->shape.rank(); ++d) attributes.offset_dims->push_back(d);
  attributes.collapsed_slice_dims = {0};
  attributes.start_index_map = {0};
  attributes.index_vector_dim = 1;
  attributes.slice_sizes = input->shape.dims;
  (*attributes.slice_sizes)[0] = 1;
  const Value sent = at.make(Opcode::kGather, {input, source}, std::move(attributes));
  become(exchange, Opcode::kSelect, {at.broadcast(is_sent, output->shape.dims, {0}), sent, output});
}

bool expand_collective(Instruction& instruction) {
  if (!why_not_on_one_device(instruction).empty()) return false;
  switch (instruction.opcode) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kAllGather:
    case Opcode::kAllToAll:
    case Opcode::kReduceScatter:
    case Opcode::kCollectiveBroadcast:
      become_operands(instruction, false);
      return true;
    case Opcode::kCollectivePermute:
      become_operands(instruction, !sends_to_itself(instruction));
      return true;
    case Opcode::kAllReduceDone:
      become_value(instruction, instruction.operand(0));
      return true;
    case Opcode::kAllGatherStart:
      become_started(instruction, false);
      return true;
    case Opcode::kCollectivePermuteStart:
      become_started(instruction, !sends_to_itself(instruction));
      return true;
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
      // A start among several devices stays, and its done with it.
      if (instruction.operand(0)->opcode != Opcode::kTuple) return false;
      become_element(instruction, 1);
      return true;
    case Opcode::kRaggedAllToAll:
      if (instruction.operand(0)->shape.dims[0] == 0) {
        become_value(instruction, instruction.operand(1));
      } else {
        become_segment_copy(instruction);
      }
      return true;
    case Opcode::kReplicaId:
    case Opcode::kPartitionId:
      become_splat(instruction, Literal(Shape::scalar(instruction.shape.dtype)));
      return true;
    case Opcode::kAddDependency:
      become_value(instruction, instruction.operand(0));
      return true;
    default:
      return false;
  }
}

}  // namespace

bool expand_collectives(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) changed |= expand_collective(instruction);
  }
  return changed;
}

}  // namespace sinter
