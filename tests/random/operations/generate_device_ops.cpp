// Operations among devices where there is one: each hands on its operand, or zeros. Pairs of a start and its end.
// Numbers that are known before a program runs.
#include "ir/infer/infer_common.h"
#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

// Values to hand on together, of one element type.
std::vector<Term> random_operands(Draft& draft, int64_t least_rank, int64_t most) {
  std::vector<Term> operands = {pick_of_rank(draft, least_rank, 5)};
  for (int64_t more = draft.random().between(0, most - 1); more > 0; --more) {
    operands.push_back(want(draft, operands[0].dtype(), operands[0].dims()));
  }
  return operands;
}

std::vector<Instruction*> nodes(const std::vector<Term>& terms) {
  std::vector<Instruction*> result;
  for (const Term& term : terms) result.push_back(term.node);
  return result;
}

std::vector<Facts> facts_of(const std::vector<Term>& terms) {
  std::vector<Facts> facts;
  for (const Term& term : terms) facts.push_back(term.facts);
  return facts;
}

// The operands' shapes: of one operand its own, of several a tuple.
Shape handed_on(const std::vector<Term>& operands) {
  std::vector<Shape> shapes;
  for (const Term& operand : operands) shapes.push_back(operand.node->shape);
  return single_or_tuple(std::move(shapes));
}

// What joins devices along a dimension, cuts for them along one, or reduces over them.
void add_joined(Draft& draft) {
  static const std::vector<Opcode> kOps = {Opcode::kAllGather, Opcode::kReduceScatter, Opcode::kAllToAll,
                                           Opcode::kAllReduce};
  Random& random = draft.random();
  const Opcode opcode = random.pick(kOps);
  const bool started = random.chance(30);
  const bool reduces = opcode == Opcode::kAllReduce || opcode == Opcode::kReduceScatter;
  const std::vector<Term> operands = random_operands(draft, 1, 2);
  Attributes attributes;
  if (opcode != Opcode::kAllReduce) attributes.dimensions = {random.below(operands[0].rank())};
  if (reduces) {
    attributes.to_apply = combiner(draft, random.chance(50) ? Opcode::kAdd : Opcode::kMultiply, operands[0].dtype());
  }
  if (random.chance(50)) attributes.replica_groups = "{{0}}";
  if (opcode == Opcode::kAllReduce && started) {
    Instruction* start = add_node(draft, Opcode::kAllReduceStart, nodes(operands), attributes);
    add_results(draft, add_node(draft, Opcode::kAllReduceDone, {start}), facts_of(operands));
    return;
  }
  const Shape shape = handed_on(operands);
  if (opcode == Opcode::kAllGather && started && operands.size() == 1) {
    const Shape both = Shape::tuple({shape, shape});
    Instruction* start = add_node(draft, Opcode::kAllGatherStart, nodes(operands), attributes, &both);
    add_results(draft, add_node(draft, Opcode::kAllGatherDone, {start}), facts_of(operands));
    return;
  }
  add_results(draft, add_node(draft, opcode, nodes(operands), attributes, &shape), facts_of(operands));
}

// From the device to itself, or to nobody, who then has zeros.
void add_permuted(Draft& draft) {
  Random& random = draft.random();
  // There is no zero of that type.
  const Term operand = pick(draft, [](const Term& term) { return term.dtype() != DType::kF8E8M0FNU; });
  const Facts facts = either(operand.facts, {.magnitude = 0, .integral = true});
  Attributes attributes;
  attributes.source_target_pairs = random.chance(80) ? "{{0,0}}" : "{}";
  if (random.chance(50)) {
    add_stated(draft, Opcode::kCollectivePermute, operand.node->shape, {operand}, facts, attributes);
    return;
  }
  const Shape started = Shape::tuple({operand.node->shape, operand.node->shape});
  Instruction* start = add_node(draft, Opcode::kCollectivePermuteStart, {operand.node}, attributes, &started);
  term_of(draft, add_node(draft, Opcode::kCollectivePermuteDone, {start}), facts);
}

}  // namespace

void add_collective(Draft& draft) {
  if (draft.random().chance(60)) {
    add_joined(draft);
  } else {
    add_permuted(draft);
  }
}

// One that waits for tokens, or is sent to all devices, or says how it is spread over them.
void add_handed_on(Draft& draft) {
  Random& random = draft.random();
  const Term operand = pick(draft);
  Attributes attributes;
  switch (random.below(3)) {
    case 0: {
      Instruction* token = add_node(draft, Opcode::kAfterAll, {});
      if (random.chance(40)) token = add_node(draft, Opcode::kAfterAll, {token, token});
      term_of(draft, add_node(draft, Opcode::kAddDependency, {operand.node, token}), operand.facts);
      return;
    }
    case 1:
      attributes.replica_groups = "{{0}}";
      add(draft, Opcode::kCollectiveBroadcast, {operand}, operand.facts, attributes);
      return;
    default:
      attributes.domain = "{kind=\"sharding\", entry={replicated}, exit={replicated}}";
      add(draft, Opcode::kDomain, {operand}, operand.facts, attributes);
      return;
  }
}

void add_copy_pair(Draft& draft) {
  const Term operand = pick(draft);
  const Shape& shape = operand.node->shape;
  const Shape started = Shape::tuple({shape, shape, Shape::scalar(DType::kU32)});
  Instruction* start = add_node(draft, Opcode::kCopyStart, {operand.node}, {}, &started);
  term_of(draft, add_node(draft, Opcode::kCopyDone, {start}), operand.facts);
}

// The size of a dimension, or the number of the device.
void add_known_number(Draft& draft) {
  Random& random = draft.random();
  if (random.chance(20)) {
    add(draft, random.chance(50) ? Opcode::kReplicaId : Opcode::kPartitionId, {}, {});
    return;
  }
  Term operand = pick_of_rank(draft, 1, 5);
  Attributes attributes;
  attributes.dimensions = {random.below(operand.rank())};
  add(draft, Opcode::kGetDimensionSize, {operand}, {}, attributes);
  if (random.chance(50)) return;
  // What is said of its size at run time is no news: the type has no dynamic dimensions.
  operand = add_stated(draft, Opcode::kSetDimensionSize, operand.node->shape, {operand, want(draft, DType::kS32, {})},
                       operand.facts, attributes);
  if (random.chance(50)) return;
  const Sizes flat = {count(operand.dims())};
  add_stated(draft, Opcode::kDynamicReshape, Shape::array(operand.dtype(), flat),
             {operand, want(draft, DType::kS32, {})}, operand.facts);
}

}  // namespace sinter
