// matrix_programs: loops over small matrices, and systems of them, that a thread has in its registers, alone and in
// batches; compared with the evaluator.
#include <complex>
#include <utility>

#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

struct Spec {
  std::string name;
  DType dtype = DType::kF32;
  int64_t batch = 0;  // 0: no dimension
  int64_t states = 4, measured = 2, steps = 9;
};

// Matrices near the identity, so that what is solved is far from singular; vectors around zero.
Literal draw(const Shape& shape, size_t number) {
  Literal literal(shape);
  uint64_t state = (number + 1) * 0x9e3779b97f4a7c15u + 1;
  const int64_t columns = shape.rank() > 0 ? shape.dims.back() : 1;
  const int64_t rows = shape.rank() > 1 ? shape.dims[shape.dims.size() - 2] : 1;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double value = static_cast<double>(state >> 33) / static_cast<double>(1u << 30) - 1;
    const bool is_diagonal = rows == columns && rows > 1 && i / columns % rows == i % columns;
    const double real = is_diagonal ? 1.5 : value / 4;
    if (shape.dtype == DType::kC64) {
      literal.mutable_values<std::complex<float>>()[static_cast<size_t>(i)] = {static_cast<float>(real),
                                                                               is_diagonal ? 0 : -0.125f};
    } else if (is_float(shape.dtype)) {
      literal.set_real(i, real);
    } else {
      literal.set_integer(i, i % columns);
    }
  }
  return literal;
}

class Text {
 public:
  explicit Text(const Spec& spec) : spec_(spec) {}

  std::string shape(Dims dims, bool batched = true, DType dtype = DType::kPred) const {
    if (batched && spec_.batch > 0) dims.insert(dims.begin(), spec_.batch);
    return shape_text(dtype == DType::kPred ? spec_.dtype : dtype, dims);
  }
  // The value of an operation, by a name.
  std::string add(const std::string& shape, const std::string& operation) {
    const std::string name = "v" + std::to_string(count_++);
    lines_ += "  " + name + " = " + shape + " " + operation + "\n";
    return name;
  }
  // a b, of matrices that are all of the batch, or (b) of none.
  std::string multiply(const std::string& a, const std::string& b, int64_t rows, int64_t columns, bool b_batched = true,
                       bool b_transposed = false) {
    const std::string from = spec_.batch > 0 ? "2" : "1";
    const bool both = spec_.batch > 0 && b_batched;
    const int64_t b_from = (both ? 1 : 0) + (b_transposed ? 1 : 0);
    return add(shape({rows, columns}), "dot(" + a + ", " + b + "), lhs_contracting_dims={" + from +
                                           "}, rhs_contracting_dims={" + std::to_string(b_from) + "}" +
                                           (both ? ", lhs_batch_dims={0}, rhs_batch_dims={0}" : ""));
  }
  std::string transpose(const std::string& a, int64_t rows, int64_t columns) {
    return add(shape({columns, rows}),
               "transpose(" + a + "), dimensions={" + (spec_.batch > 0 ? "0,2,1" : "1,0") + "}");
  }
  std::string take() { return std::exchange(lines_, {}); }

 private:
  const Spec& spec_;
  std::string lines_;
  int count_ = 0;
};

// A filter: p = f p f' + f; s = h p h' + r; gain by Cholesky; x = x + k (z[t] - h x); p = p - k h p; all of x stacked.
StageProgram filter(const Spec& spec, bool reversed) {
  Text text(spec);
  const int64_t n = spec.states, m = spec.measured;
  const Dims vector = {n, 1};
  Dims all = {spec.steps};
  if (spec.batch > 0) all.push_back(spec.batch);
  Dims all_z = all;
  all_z.insert(all_z.end(), {m, 1});
  Dims all_x = all;
  all_x.insert(all_x.end(), vector.begin(), vector.end());
  const std::string state = "(s32[], " + text.shape(vector) + ", " + text.shape({n, n}) + ", " +
                            shape_text(spec.dtype, all_x) + ", " + shape_text(spec.dtype, all_z) + ", " +
                            text.shape({n, n}, false) + ", " + text.shape({m, n}, false) + ", " +
                            text.shape({m, m}, false) + ")";
  const auto element = [&](const std::string& shape, int index) {
    return text.add(shape, "get-tuple-element(state), index=" + std::to_string(index));
  };
  const std::string t = element("s32[]", 0), x = element(text.shape(vector), 1), p = element(text.shape({n, n}), 2),
                    xs = element(shape_text(spec.dtype, all_x), 3), z = element(shape_text(spec.dtype, all_z), 4),
                    f = element(text.shape({n, n}, false), 5), h = element(text.shape({m, n}, false), 6),
                    r = element(text.shape({m, m}, false), 7);
  const auto everywhere = [&](const std::string& a, const Dims& dims) {
    return text.add(text.shape(dims), "broadcast(" + a + "), dimensions={" + (spec.batch > 0 ? "1,2" : "0,1") + "}");
  };
  const std::string one = text.add("s32[]", "constant(1)"), zero = text.add("s32[]", "constant(0)"),
                    last = text.add("s32[]", "constant(" + std::to_string(spec.steps - 1) + ")");
  const std::string at = reversed ? text.add("s32[]", "subtract(" + last + ", " + t + ")") : t;
  std::string starts = at;
  for (size_t d = 1; d < all_z.size(); ++d) starts += ", " + zero;
  Dims piece_z = all_z, piece_x = all_x;
  piece_z[0] = piece_x[0] = 1;
  std::string sizes;
  for (const int64_t dim : piece_z) sizes += (sizes.empty() ? "" : ",") + std::to_string(dim);
  const std::string here = text.add(
      text.shape({m, 1}), "reshape(" +
                              text.add(shape_text(spec.dtype, piece_z), "dynamic-slice(" + z + ", " + starts +
                                                                            "), dynamic_slice_sizes={" + sizes + "}") +
                              ")");
  const std::string pf = text.multiply(p, f, n, n, false, true);
  const std::string fpf = text.multiply(text.transpose(pf, n, n), f, n, n, false, true);
  const std::string p_next = text.add(text.shape({n, n}), "add(" + fpf + ", " + everywhere(f, {n, n}) + ")");
  const std::string ph = text.multiply(p_next, h, n, m, false, true);
  const std::string hph = text.multiply(text.transpose(ph, n, m), h, m, m, false, true);
  const std::string s = text.add(text.shape({m, m}), "add(" + hph + ", " + everywhere(r, {m, m}) + ")");
  const std::string factor = text.add(text.shape({m, m}), "cholesky(" + s + "), lower=true");
  const std::string half = text.add(text.shape({m, n}), "triangular-solve(" + factor + ", " + text.transpose(ph, n, m) +
                                                            "), left_side=true, lower=true, unit_diagonal=false, "
                                                            "transpose_a=NO_TRANSPOSE");
  const std::string gain = text.transpose(
      text.add(text.shape({m, n}), "triangular-solve(" + factor + ", " + half +
                                       "), left_side=true, lower=true, unit_diagonal=false, transpose_a=ADJOINT"),
      m, n);
  const std::string hx = text.transpose(text.multiply(text.transpose(x, n, 1), h, 1, m, false, true), 1, m);
  const std::string apart = text.add(text.shape({m, 1}), "subtract(" + here + ", " + hx + ")");
  const std::string x_next = text.add(text.shape(vector), "add(" + x + ", " + text.multiply(gain, apart, n, 1) + ")");
  const std::string p_left = text.add(
      text.shape({n, n}), "subtract(" + p_next + ", " + text.multiply(gain, text.transpose(ph, n, m), n, n) + ")");
  const std::string piece = text.add(shape_text(spec.dtype, piece_x), "reshape(" + x_next + ")");
  const std::string xs_next =
      text.add(shape_text(spec.dtype, all_x), "dynamic-update-slice(" + xs + ", " + piece + ", " + starts + ")");
  const std::string t_next = text.add("s32[]", "add(" + t + ", " + one + ")");
  std::string module = "HloModule " + spec.name + "\n\nbody {\n  state = " + state + " parameter(0)\n" + text.take() +
                       "  ROOT next = " + state + " tuple(" + t_next + ", " + x_next + ", " + p_left + ", " + xs_next +
                       ", " + z + ", " + f + ", " + h + ", " + r + ")\n}\n\ncondition {\n  state = " + state +
                       " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n  end = s32[] constant(" +
                       std::to_string(spec.steps) + ")\n  ROOT more = pred[] compare(t, end), direction=LT\n}\n\n";
  module +=
      "ENTRY main {\n  x = " + text.shape(vector) + " parameter(0)\n  p = " + text.shape({n, n}) +
      " parameter(1)\n  z = " + shape_text(spec.dtype, all_z) + " parameter(2)\n  f = " + text.shape({n, n}, false) +
      " parameter(3)\n  h = " + text.shape({m, n}, false) + " parameter(4)\n  r = " + text.shape({m, m}, false) +
      " parameter(5)\n  t = s32[] constant(0)\n  zero = " + shape_text(spec.dtype, {}) +
      " constant(0)\n  xs = " + shape_text(spec.dtype, all_x) + " broadcast(zero), dimensions={}\n  start = " + state +
      " tuple(t, x, p, xs, z, f, h, r)\n  end = " + state +
      " while(start), condition=condition, body=body\n  x_end = " + text.shape(vector) +
      " get-tuple-element(end), index=1\n  p_end = " + text.shape({n, n}) +
      " get-tuple-element(end), index=2\n  xs_end = " + shape_text(spec.dtype, all_x) +
      " get-tuple-element(end), index=3\n  ROOT all = (" + text.shape(vector) + ", " + text.shape({n, n}) + ", " +
      shape_text(spec.dtype, all_x) + ") tuple(x_end, p_end, xs_end)\n}\n";
  return {spec.name, module, draw};
}

// a^-1 b by pivots: what LU gives, its permutation applied to b, two triangles.
StageProgram solve(const Spec& spec) {
  Text text(spec);
  const int64_t n = spec.states, k = spec.measured;
  const std::string pivots = text.shape({n}, true, DType::kS32), failed = text.shape({}, true, DType::kS32);
  const std::string a = text.add(text.shape({n, n}), "parameter(0)"), b = text.add(text.shape({n, k}), "parameter(1)");
  const std::string lu =
      text.add("(" + text.shape({n, n}) + ", " + pivots + ", " + failed + ")",
               "custom-call(" + a + "), custom_call_target=\"cusolver_getrf_ffi\", backend_config={}");
  const auto element = [&](const std::string& shape, int index) {
    return text.add(shape, "get-tuple-element(" + lu + "), index=" + std::to_string(index));
  };
  const std::string both = element(text.shape({n, n}), 0), from_one = element(pivots, 1), info = element(failed, 2);
  const std::string one = text.add("s32[]", "constant(1)");
  const std::string from_zero =
      text.add(pivots, "subtract(" + from_one + ", " + text.add(pivots, "broadcast(" + one + "), dimensions={}") + ")");
  const std::string order = text.add(
      pivots, "custom-call(" + from_zero + "), custom_call_target=\"cu_lu_pivots_to_permutation\", backend_config={}");
  const std::string rows = text.add(
      text.shape({n, k}),
      "gather(" + b + ", " + text.add(text.shape({n, 1}, true, DType::kS32), "reshape(" + order + ")") +
          (spec.batch > 0 ? "), offset_dims={2}, collapsed_slice_dims={1}, start_index_map={1}, "
                            "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, "
                            "slice_sizes={1,1," +
                                std::to_string(k) + "}"
                          : "), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
                            "slice_sizes={1," +
                                std::to_string(k) + "}"));
  const std::string lower =
      text.add(text.shape({n, k}), "triangular-solve(" + both + ", " + rows +
                                       "), left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE");
  const std::string result =
      text.add(text.shape({n, k}), "triangular-solve(" + both + ", " + lower +
                                       "), left_side=true, lower=false, unit_diagonal=false, transpose_a=NO_TRANSPOSE");
  return {spec.name,
          "HloModule " + spec.name + "\n\nENTRY main {\n" + text.take() + "  ROOT all = (" + text.shape({n, k}) + ", " +
              failed + ") tuple(" + result + ", " + info + ")\n}\n",
          draw};
}

// The state changes places with itself in each step, and an inner loop counts with the outer one.
StageProgram exchange(int64_t batch) {
  const Spec spec = {.batch = batch};
  const std::string matrix = Text(spec).shape({2, 2});
  const std::string name = "exchange_" + std::to_string(batch);
  const std::string dims = batch > 0 ? "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                                       "rhs_contracting_dims={1}"
                                     : "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const std::string state = "(s32[], " + matrix + ", " + matrix + ")";
  const std::string inner = "(s32[], s32[], " + matrix + ", " + matrix + ")";
  const auto less = [](const std::string& called, const std::string& type, int end) {
    return called + " {\n  state = " + type +
           " parameter(0)\n  i = s32[] get-tuple-element(state), index=0\n  end = "
           "s32[] constant(" +
           std::to_string(end) + ")\n  ROOT more = pred[] compare(i, end), direction=LT\n}\n\n";
  };
  return {
      name,
      "HloModule " + name + "\n\n" + less("inner_more", inner, 3) + less("more", state, 7) +
          "inner_body {\n  state = " + inner +
          " parameter(0)\n  i = s32[] get-tuple-element(state), index=0\n  t = s32[] get-tuple-element(state), "
          "index=1\n  a = " +
          matrix + " get-tuple-element(state), index=2\n  b = " + matrix +
          " get-tuple-element(state), index=3\n  one = s32[] constant(1)\n  i_next = s32[] add(i, one)\n  ab = " +
          matrix + " dot(a, b), " + dims +
          "\n  sum = s32[] add(i, t)\n  part = f32[] convert(sum)\n  tenth = f32[] "
          "constant(0.01)\n  little = f32[] multiply(part, tenth)\n  all = " +
          matrix + " broadcast(little), dimensions={}\n  half = f32[] constant(0.5)\n  halves = " + matrix +
          " broadcast(half), dimensions={}\n  smaller = " + matrix + " multiply(ab, halves)\n  c = " + matrix +
          " add(smaller, all)\n  ROOT next = " + inner + " tuple(i_next, t, c, b)\n}\n\nbody {\n  state = " + state +
          " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n  a = " + matrix +
          " get-tuple-element(state), index=1\n  b = " + matrix +
          " get-tuple-element(state), index=2\n  one = s32[] constant(1)\n  t_next = s32[] add(t, one)\n  zero = s32[] "
          "constant(0)\n  start = " +
          inner + " tuple(zero, t, a, b)\n  end = " + inner +
          " while(start), condition=inner_more, body=inner_body\n  c = " + matrix +
          " get-tuple-element(end), index=2\n  ROOT next = " + state +
          " tuple(t_next, b, c)\n}\n\nENTRY main {\n  a = " + matrix + " parameter(0)\n  b = " + matrix +
          " parameter(1)\n  t = s32[] constant(0)\n  start = " + state + " tuple(t, a, b)\n  end = " + state +
          " while(start), condition=more, body=body\n  a_end = " + matrix +
          " get-tuple-element(end), index=1\n  b_end = " + matrix + " get-tuple-element(end), index=2\n  ROOT all = (" +
          matrix + ", " + matrix + ") tuple(a_end, b_end)\n}\n",
      draw};
}

// x A' = x, again and again: what is solved is the next state, which the call has the other way round.
StageProgram carried(const Spec& spec) {
  const Text text(spec);
  const std::string a = text.shape({spec.states, spec.states}), x = text.shape({spec.measured, spec.states});
  const std::string state = "(s32[], " + x + ", " + a + ")";
  const std::string head = " {\n  state = " + state + " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n";
  return {
      spec.name,
      "HloModule " + spec.name + "\n\nbody" + head + "  x = " + x + " get-tuple-element(state), index=1\n  a = " + a +
          " get-tuple-element(state), index=2\n  one = s32[] constant(1)\n  t_next = s32[] add(t, one)\n  y = " + x +
          " triangular-solve(a, x), left_side=false, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE\n"
          "  ROOT next = " +
          state + " tuple(t_next, y, a)\n}\n\nmore" + head + "  limit = s32[] constant(" + std::to_string(spec.steps) +
          ")\n  ROOT less = pred[] compare(t, limit), direction=LT\n}\n\nENTRY main {\n  a = " + a +
          " parameter(0)\n  x = " + x + " parameter(1)\n  t = s32[] constant(0)\n  start = " + state +
          " tuple(t, x, a)\n  end = " + state + " while(start), condition=more, body=body\n  ROOT x_end = " + x +
          " get-tuple-element(end), index=1\n}\n",
      draw};
}

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  }
  return text;
}

// Systems that are solved by pivots, one in each step, which need nothing of each other: backwards.
StageProgram mapped(const std::string& name, int64_t extent, int64_t sides, int64_t steps) {
  constexpr const char* kText = R"(
body {
  state = (s32[], f32[STEPS,N,K], f32[STEPS,N,N], f32[STEPS,N,K]) parameter(0)
  t = s32[] get-tuple-element(state), index=0
  xs = f32[STEPS,N,K] get-tuple-element(state), index=1
  as = f32[STEPS,N,N] get-tuple-element(state), index=2
  bs = f32[STEPS,N,K] get-tuple-element(state), index=3
  zero = s32[] constant(0)
  one = s32[] constant(1)
  last = s32[] constant(LAST)
  back = s32[] subtract(last, t)
  a_part = f32[1,N,N] dynamic-slice(as, back, zero, zero), dynamic_slice_sizes={1,N,N}
  a = f32[N,N] reshape(a_part)
  b_part = f32[1,N,K] dynamic-slice(bs, back, zero, zero), dynamic_slice_sizes={1,N,K}
  b = f32[N,K] reshape(b_part)
  lu = (f32[N,N], s32[N], s32[]) custom-call(a), custom_call_target="cusolver_getrf_ffi", backend_config={}
  factors = f32[N,N] get-tuple-element(lu), index=0
  from_one = s32[N] get-tuple-element(lu), index=1
  ones = s32[N] broadcast(one), dimensions={}
  pivots = s32[N] subtract(from_one, ones)
  order = s32[N] custom-call(pivots), custom_call_target="cu_lu_pivots_to_permutation", backend_config={}
  places = s32[N,1] reshape(order)
  rows = f32[N,K] gather(b, places), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,K}
  lower = f32[N,K] triangular-solve(factors, rows), left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE
  x = f32[N,K] triangular-solve(factors, lower), left_side=true, lower=false, unit_diagonal=false, transpose_a=NO_TRANSPOSE
  x_part = f32[1,N,K] reshape(x)
  next_xs = f32[STEPS,N,K] dynamic-update-slice(xs, x_part, back, zero, zero)
  next_t = s32[] add(t, one)
  ROOT next = (s32[], f32[STEPS,N,K], f32[STEPS,N,N], f32[STEPS,N,K]) tuple(next_t, next_xs, as, bs)
}

condition {
  tested = (s32[], f32[STEPS,N,K], f32[STEPS,N,N], f32[STEPS,N,K]) parameter(0)
  step = s32[] get-tuple-element(tested), index=0
  steps = s32[] constant(STEPS)
  ROOT less = pred[] compare(step, steps), direction=LT
}

ENTRY main {
  as_in = f32[STEPS,N,N] parameter(0)
  bs_in = f32[STEPS,N,K] parameter(1)
  first = s32[] constant(0)
  nothing = f32[] constant(0)
  none = f32[STEPS,N,K] broadcast(nothing), dimensions={}
  start = (s32[], f32[STEPS,N,K], f32[STEPS,N,N], f32[STEPS,N,K]) tuple(first, none, as_in, bs_in)
  loop = (s32[], f32[STEPS,N,K], f32[STEPS,N,N], f32[STEPS,N,K]) while(start), condition=condition, body=body
  ROOT all = f32[STEPS,N,K] get-tuple-element(loop), index=1
}
)";
  return {name,
          "HloModule " + name +
              replaced(kText, {{"STEPS", std::to_string(steps)},
                               {"LAST", std::to_string(steps - 1)},
                               {"N,", std::to_string(extent) + ","},
                               {",N", "," + std::to_string(extent)},
                               {"[N]", "[" + std::to_string(extent) + "]"},
                               {",K", "," + std::to_string(sides)}}),
          draw};
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> all;
  for (const Spec& spec :
       {Spec{"filter"}, Spec{"filter_1", DType::kF32, 1}, Spec{"filter_3", DType::kF32, 3},
        Spec{"filter_300", DType::kF32, 300}, Spec{"filter_4", DType::kF32, 4},
        Spec{"filter_f64", DType::kF64, 5, 3, 3}, Spec{"filter_of_1", DType::kF32, 0, 3, 1},
        Spec{"filter_6", DType::kF32, 0, 6, 3}, Spec{"filter_5", DType::kF32, 33, 5, 4, 1},
        Spec{"filter_8", DType::kF32, 0, 8, 2, 3}, Spec{"filter_9", DType::kF32, 7, 9, 5, 8},
        Spec{"filter_12", DType::kF64, 300, 12, 3, 4}, Spec{"filter_17", DType::kF32, 0, 17, 8, 9}}) {
    all.push_back(filter(spec, false));
  }
  all.push_back(filter({"smoother", DType::kF32, 7}, true));
  for (const Spec& spec :
       {Spec{"solve"}, Spec{"solve_1", DType::kF32, 1, 3, 1}, Spec{"solve_200", DType::kF32, 200, 4, 1},
        Spec{"solve_f64", DType::kF64, 129, 5, 3}, Spec{"solve_c64", DType::kC64, 9, 3, 2},
        Spec{"solve_8", DType::kF32, 40, 8, 8}, Spec{"solve_of_1", DType::kF32, 20, 1, 1}}) {
    all.push_back(solve(spec));
  }
  for (const Spec& spec : {Spec{"carried", DType::kF32, 0, 3, 3}, Spec{"carried_apart", DType::kF64, 0, 4, 2},
                           Spec{"carried_20", DType::kF32, 20, 3, 2}, Spec{"carried_1", DType::kF32, 0, 3, 1}}) {
    all.push_back(carried(spec));
  }
  all.push_back(mapped("mapped", 3, 2, 37));
  all.push_back(mapped("mapped_8", 8, 8, 130));
  all.push_back(mapped("mapped_13", 13, 3, 9));
  all.push_back(exchange(0));
  all.push_back(exchange(50));
  return all;
}

double tolerance(DType dtype) { return dtype == DType::kF64 ? 1e-10 : 5e-4; }

}  // namespace
}  // namespace sinter

int main() {
  const std::vector<sinter::StageProgram> programs = sinter::programs();
  int status = sinter::run_stage_programs(programs, sinter::tolerance);
  for (const sinter::StageProgram& program : programs) {
    // What little this one has to do, a loop of thread scope does as fast.
    const bool is_other = program.name == "exchange_0";
    if (!is_other && !sinter::has_in_plan(program, "stage matrices {")) status = 1;
  }
  return status;
}
