// Batch normalisation as the operations it stands for. Statistics go over all dimensions but the feature one; a type
// narrower than f32 computes in f32.
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// C++ leaves the order of a call's arguments open: of those that make instructions, one at most stands inside a call.
class NormExpander {
 public:
  explicit NormExpander(Instruction& norm)
      : norm_(norm), feature_(*norm.attributes->feature_index), whole_(norm.operand(0)->shape) {
    result_type_ = whole_.dtype;
    whole_.layout = {};
    if (dtype_bits(whole_.dtype) < 32) whole_.dtype = DType::kF32;
    features_ = Shape::array(whole_.dtype, {whole_.dims[static_cast<size_t>(feature_)]});
    for (int64_t d = 0; d < whole_.rank(); ++d) {
      if (d == feature_) continue;
      others_.push_back(d);
      count_ *= static_cast<double>(whole_.dims[static_cast<size_t>(d)]);
    }
  }

  // y, mean and variance of (x, scale, offset)
  void training() {
    Instruction* x = wide(0);
    Instruction* mean = mean_of(x);
    Instruction* centred = binary(Opcode::kSubtract, x, spread(mean));
    Instruction* variance = mean_of(binary(Opcode::kMultiply, centred, centred));
    Instruction* y = scaled(centred, 1, variance);
    become(norm_, Opcode::kTuple, {narrow(y), narrow(mean), narrow(variance)});
  }

  // y of (x, scale, offset, mean, variance)
  void inference() {
    Instruction* centred = centred_by(3);
    Instruction* y = scaled(centred, 1, wide(4));
    if (result_type_ == whole_.dtype) {
      become(norm_, y->opcode, y->operands());
      norm_.parent()->remove(y);
    } else {
      become(norm_, Opcode::kConvert, {y});
    }
  }

  // Gradients of x, scale and offset, of (x, scale, mean, variance, gradient of y)
  void gradient() {
    Instruction* centred = centred_by(2);
    Instruction* deviation = deviation_of(wide(3));
    Instruction* normal = binary(Opcode::kDivide, centred, spread(deviation));
    Instruction* dy = wide(4);
    Instruction* scale_gradient = sum_of(binary(Opcode::kMultiply, dy, normal));
    Instruction* offset_gradient = sum_of(dy);
    Instruction* along = binary(Opcode::kMultiply, normal, spread(divided(scale_gradient)));
    Instruction* left = binary(Opcode::kSubtract, dy, spread(divided(offset_gradient)));
    Instruction* factor = binary(Opcode::kDivide, wide(1), deviation);
    Instruction* factors = spread(factor);
    Instruction* x_gradient = binary(Opcode::kMultiply, factors, binary(Opcode::kSubtract, left, along));
    become(norm_, Opcode::kTuple, {narrow(x_gradient), narrow(scale_gradient), narrow(offset_gradient)});
  }

 private:
  Instruction* convert(Instruction* value, DType dtype) {
    if (value->shape.dtype == dtype) return value;
    return insert_like(norm_, Opcode::kConvert, Shape::array(dtype, value->shape.dims), {value});
  }
  Instruction* wide(size_t operand) { return convert(norm_.operand(operand), whole_.dtype); }
  Instruction* narrow(Instruction* value) { return convert(value, result_type_); }

  Instruction* binary(Opcode opcode, Instruction* a, Instruction* b) {
    return insert_like(norm_, opcode, Shape::array(whole_.dtype, a->shape.dims), {a, b});
  }

  Instruction* real_like(double value, const Shape& shape) {
    return insert_broadcast_like(norm_, insert_scalar(norm_, real_literal(whole_.dtype, value)), shape);
  }

  // A value a feature, for every element.
  Instruction* spread(Instruction* value) {
    Attributes attributes;
    attributes.dimensions = {feature_};
    return insert_like(norm_, Opcode::kBroadcast, whole_, {value}, std::move(attributes));
  }

  Instruction* sum_of(Instruction* value) {
    Attributes attributes;
    attributes.dimensions = others_;
    attributes.to_apply = addition();
    Instruction* zero = insert_scalar(norm_, real_literal(whole_.dtype, 0));
    return insert_like(norm_, Opcode::kReduce, features_, {value, zero}, std::move(attributes));
  }

  Instruction* divided(Instruction* sum) { return binary(Opcode::kDivide, sum, real_like(count_, features_)); }
  Instruction* mean_of(Instruction* value) { return divided(sum_of(value)); }

  Instruction* deviation_of(Instruction* variance) {
    const double epsilon = *norm_.attributes->epsilon;
    Instruction* shifted = binary(Opcode::kAdd, variance, real_like(epsilon, features_));
    return insert_like(norm_, Opcode::kSqrt, features_, {shifted});
  }

  // Operand 0 without its mean, which is operand `mean`.
  Instruction* centred_by(size_t mean) {
    Instruction* x = wide(0);
    return binary(Opcode::kSubtract, x, spread(wide(mean)));
  }

  // By operand `scale`; the offset is the operand after it.
  Instruction* scaled(Instruction* centred, size_t scale, Instruction* variance) {
    Instruction* normal = binary(Opcode::kDivide, centred, spread(deviation_of(variance)));
    Instruction* product = binary(Opcode::kMultiply, normal, spread(wide(scale)));
    return binary(Opcode::kAdd, product, spread(wide(scale + 1)));
  }

  Computation* addition() {
    if (addition_ == nullptr) addition_ = combine_two(*norm_.parent()->parent(), Opcode::kAdd, whole_.dtype);
    return addition_;
  }

  Instruction& norm_;
  int64_t feature_;
  Shape whole_;     // of the computation
  Shape features_;  // a value a feature
  DType result_type_ = DType::kF32;
  std::vector<int64_t> others_;
  double count_ = 1;  // elements a feature
  Computation* addition_ = nullptr;
};

}  // namespace

bool expand_batch_norm(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> norms;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      switch (instruction.opcode) {
        case Opcode::kBatchNormTraining:
        case Opcode::kBatchNormInference:
        case Opcode::kBatchNormGrad:
          norms.push_back(&instruction);
          break;
        default:
          break;
      }
    }
  }
  for (Instruction* norm : norms) {
    NormExpander expander(*norm);
    if (norm->opcode == Opcode::kBatchNormTraining) {
      expander.training();
    } else if (norm->opcode == Opcode::kBatchNormGrad) {
      expander.gradient();
    } else {
      expander.inference();
    }
  }
  if (!norms.empty()) module.sort_computations();
  return !norms.empty();
}

}  // namespace sinter
