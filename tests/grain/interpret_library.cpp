// Calls: conversions, constructors, the program's functions, and the library's functions of arrays.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "tests/grain/interpret.h"

namespace sinter::grain_test {

using grain::Argument;
using grain::Expr;
using grain::Function;

namespace {

// Along the first dimension, for each place of the others.
Value along_first(const Value& array, const std::function<void(std::vector<Cell>&)>& change) {
  Value result = array;
  result.many = std::make_shared<std::vector<Cell>>(*array.many);
  const int64_t length = array.dims.at(0), rest = length == 0 ? 0 : count_of(array.dims) / length;
  for (int64_t column = 0; column < rest; ++column) {
    std::vector<Cell> line;
    for (int64_t i = 0; i < length; ++i) line.push_back((*array.many)[static_cast<size_t>(i * rest + column)]);
    change(line);
    for (int64_t i = 0; i < length; ++i)
      (*result.many)[static_cast<size_t>(i * rest + column)] = line[static_cast<size_t>(i)];
  }
  return result;
}

// NaN after all others; -0 before 0.
bool is_before(DType dtype, const Cell& a, const Cell& b) {
  if (!is_float(dtype)) return holds("<", dtype, a, b);
  if (std::isnan(a.real) || std::isnan(b.real)) return !std::isnan(a.real);
  if (a.real == b.real) return false;
  return a.real < b.real;
}

Value of_key(uint32_t first, uint32_t second) {
  Value key;
  key.kind = Value::Kind::kRecord;
  key.fields = {Value::integer(DType::kU32, first), Value::integer(DType::kU32, second)};
  return key;
}

// Threefry 2x32 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", with twenty rounds.
std::pair<uint32_t, uint32_t> threefry(const Value& key, uint32_t a, uint32_t b) {
  const auto k0 = static_cast<uint32_t>(key.fields[0].one.integer),
             k1 = static_cast<uint32_t>(key.fields[1].one.integer);
  const uint32_t keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDA};
  constexpr int kRotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  a += keys[0];
  b += keys[1];
  for (uint32_t round = 0; round < 20; ++round) {
    a += b;
    b = std::rotl(b, kRotations[round % 8]) ^ a;
    if (round % 4 != 3) continue;
    const uint32_t done = round / 4 + 1;
    a += keys[done % 3];
    b += keys[(done + 1) % 3] + done;
  }
  return {a, b};
}

}  // namespace

const Function* Interpreter::find_function(const std::string& name) const {
  const auto found = call_->names->functions.find(name);
  return found == call_->names->functions.end() ? nullptr : found->second;
}

std::vector<Value> Interpreter::evaluate_call(const Expr& expr, const Wanted& wanted) {
  const std::string& name = expr.text;
  const auto argument = [&](size_t i) -> const Expr& { return *expr.arguments.at(i).value; };
  if (!expr.function.empty()) throw Unknown("bits");
  std::optional<DType> dtype = dtype_from_name(name);
  if (const auto generic = call_->generics.find(name); generic != call_->generics.end()) dtype = generic->second;
  if (dtype) {
    Value value = evaluate(argument(0));
    if (value.is_constant()) {
      // Rounded once; a fraction for an integer truncates.
      if (is_integer(*dtype) && !value.is_whole) value = Value::whole(static_cast<int64_t>(value.one.real));
      if (*dtype == DType::kPred) return {Value::pred(value.is_whole ? value.one.integer != 0 : value.one.real != 0)};
      return {settled(value, *dtype)};
    }
    if (value.is_open()) return {settle(value, argument(0), *dtype)};
    const DType from = value.dtype;
    return {lifted({value}, *dtype, [&](const std::vector<Cell>& cells) { return converted(from, *dtype, cells[0]); })};
  }
  if (const auto record = call_->names->records.find(name); record != call_->names->records.end()) {
    Value made;
    made.kind = Value::Kind::kRecord;
    made.record = record->second;
    made.fields.resize(record->second->fields.size());
    std::vector<size_t> ranks;
    for (size_t i = 0; i < expr.arguments.size(); ++i) {
      size_t place = i;
      for (size_t f = 0; f < made.fields.size(); ++f) {
        if (record->second->fields[f].name == expr.arguments[i].name) place = f;
      }
      const std::optional<DType> type = dtype_from_name(record->second->fields[place].type->name);
      Value field = evaluate(argument(i), {type, nullptr});
      if (field.is_open() && type) field = settle(field, argument(i), *type);
      made.fields[place] = field;
    }
    for (size_t f = 0; f < made.fields.size(); ++f) {
      const size_t own = record->second->fields[f].type->dims.size();
      const Dims& dims = made.fields[f].dims;
      if (dims.size() > own) made.dims.assign(dims.begin(), dims.end() - static_cast<int64_t>(own));
    }
    for (size_t f = 0; f < made.fields.size(); ++f) {
      const size_t own = record->second->fields[f].type->dims.size();
      if (made.fields[f].dims.size() == own) made.fields[f] = repeated(made.fields[f], made.dims);
    }
    return {made};
  }
  if (const Function* function = find_function(name)) {
    std::vector<Value> arguments(function->parameters.size());
    std::vector<const Expr*> exprs(arguments.size());
    for (size_t i = 0; i < expr.arguments.size(); ++i) {
      size_t place = i;
      for (size_t p = 0; p < arguments.size(); ++p) {
        if (function->parameters[p].name == expr.arguments[i].name) place = p;
      }
      exprs[place] = &argument(i);
      arguments[place] = evaluate(argument(i));
    }
    // A constant takes the parameter's type, or that of another argument of the same T.
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].is_open()) continue;
      std::optional<DType> type = dtype_from_name(function->parameters[i].type->name);
      for (size_t j = 0; j < arguments.size() && !type; ++j) {
        if (function->parameters[j].type->name == function->parameters[i].type->name && arguments[j].is_typed())
          type = arguments[j].dtype;
      }
      if (type) arguments[i] = settle(arguments[i], *exprs[i], *type);
    }
    return call_lifted(*function, std::move(arguments));
  }
  if (!is_element_function(name) && name != "complex" && name != "real" && name != "imag")
    return array_function(expr, wanted);
  std::vector<Value> operands;
  std::vector<const Expr*> exprs;
  for (const Argument& given : expr.arguments) {
    operands.push_back(evaluate(*given.value));
    exprs.push_back(given.value.get());
    if (!given.name.empty()) throw Unknown("an element function with arguments by name");
  }
  if (std::all_of(operands.begin(), operands.end(), [](const Value& value) { return value.is_constant(); })) {
    const bool is_whole =
        name != "sqrt" && std::all_of(operands.begin(), operands.end(), [](const Value& v) { return v.is_whole; });
    std::vector<Cell> cells;
    for (const Value& operand : operands) cells.push_back(settled(operand, is_whole ? DType::kS64 : DType::kF64).one);
    if (is_whole && (name == "floor" || name == "ceil")) return {operands[0]};
    const Cell result = apply(name, is_whole ? DType::kS64 : DType::kF64, cells);
    return {is_whole ? Value::whole(result.integer) : Value::fraction(result.real)};
  }
  meet(operands, exprs, wanted);
  if (operands[0].is_open()) return {Value::open(false, operands[0].dims)};
  return {by_array(operands[0], [&](const Value& first) -> Value {
    std::vector<Value> arrays = operands;
    if (operands[0].is_record()) {
      if (operands.size() > 1) throw Unknown("a function of several records");
      arrays = {first};
    }
    const DType type = first.dtype;
    if (name == "complex" || name == "real" || name == "imag") {
      const DType result = name == "complex" ? (type == DType::kF32 ? DType::kC64 : DType::kC128)
                                             : (type == DType::kC64 ? DType::kF32 : DType::kF64);
      return lifted(arrays, result, [&](const std::vector<Cell>& cells) -> Cell {
        if (name == "complex") return {0, cells[0].real, cells[1].real};
        return {0, name == "real" ? cells[0].real : cells[0].imag, 0};
      });
    }
    return lifted(arrays, name == "is_nan" || name == "is_finite" ? DType::kPred : type,
                  [&](const std::vector<Cell>& cells) { return apply(name, type, cells); });
  })};
}

std::vector<Value> Interpreter::array_function(const Expr& expr, const Wanted& wanted) {
  const std::string& name = expr.text;
  // Arguments by place, then by name.
  std::map<std::string, const Expr*> named;
  std::vector<const Expr*> placed;
  for (const Argument& given : expr.arguments) {
    if (given.name.empty()) {
      placed.push_back(given.value.get());
    } else {
      named[given.name] = given.value.get();
    }
  }
  const auto shape = [&](const Expr& list) {
    Dims dims;
    for (const grain::ExprPtr& dim : plain(list).children) dims.push_back(integer(*dim));
    return dims;
  };
  if (name == "cumsum" || name == "cumprod" || name == "cummax" || name == "cummin") {
    return {by_array(evaluate(*placed.at(0)), [&](const Value& x) {
      const std::string sign = name == "cumsum" ? "+" : name == "cumprod" ? "*" : name.substr(3);
      const bool accumulates = name == "cumsum" && is_float(x.dtype);
      return along_first(x, [&](std::vector<Cell>& line) {
        if (line.empty()) return;
        Cell sum = line[0];
        for (size_t i = 1; i < line.size(); ++i) {
          sum = combine(sign, accumulates ? DType::kF64 : x.dtype, sum, line[i]);
          line[i] = sum;
          if (accumulates) line[i].real = rounded(x.dtype, sum.real);
        }
      });
    })};
  }
  if (name == "scan") {
    const Function* function = find_function(plain(*placed.at(0)).text);
    const Value x = evaluate(*placed.at(1));
    std::vector<Value> elements;
    for (int64_t i = 0; i < x.dims.at(0); ++i) {
      Value element = part(x, {i});
      if (i > 0) element = call_lifted(*function, {elements.back(), element}).at(0);
      elements.push_back(element);
    }
    if (elements.empty()) return {x};
    return {stacked({x.dims[0]}, elements, elements[0])};
  }
  if (name == "reverse") {
    return {by_array(evaluate(*placed.at(0), wanted), [](const Value& x) {
      return along_first(x, [](std::vector<Cell>& line) { std::reverse(line.begin(), line.end()); });
    })};
  }
  if (name == "reshape") {
    const Dims dims = shape(*placed.at(1));
    const Value x = evaluate(*placed.at(0), wanted);
    if (x.is_record()) throw Unknown("reshape of records");
    if (count_of(x.dims) != count_of(dims) && !probes_) throw Meaningless("a reshape changes the number of elements");
    Value result = Value::array(x.dtype, dims);
    for (size_t i = 0; i < result.many->size() && (!probes_ || i < static_cast<size_t>(count_of(x.dims))); ++i)
      (*result.many)[i] = x.cell(i);
    if (dims.empty()) return {part(result, {})};
    return {result};
  }
  if (name == "diagonal") {
    const Value x = evaluate(*placed.at(0), wanted);
    std::vector<Value> elements;
    for (int64_t i = 0; i < x.dims.at(0); ++i) elements.push_back(part(x, {i, i}));
    if (elements.empty()) throw Unknown("a diagonal of nothing");
    return {stacked({x.dims[0]}, elements, elements[0])};
  }
  if (name == "concat") {
    std::vector<Value> pieces;
    for (const Expr* piece : placed) pieces.push_back(evaluate(*piece));
    meet(pieces, placed, wanted);
    std::vector<Value> elements;
    int64_t length = 0;
    for (const Value& piece : pieces) {
      length += piece.dims.at(0);
      for (int64_t i = 0; i < piece.dims[0]; ++i) elements.push_back(part(piece, {i}));
    }
    if (elements.empty()) return {pieces.at(0)};
    return {stacked({length}, elements, elements[0])};
  }
  if (name == "sort" || name == "argsort" || name == "top_k") {
    std::vector<Value> arrays;
    const bool takes_many = name == "sort";
    for (size_t i = 0; i < (takes_many ? placed.size() : 1); ++i) arrays.push_back(evaluate(*placed.at(i)));
    const int64_t keys = takes_many && named.count("keys") != 0 ? integer(*named["keys"]) : 1;
    const int64_t length = arrays[0].dims.at(0), rest = length == 0 ? 0 : count_of(arrays[0].dims) / length;
    int64_t kept = length;
    if (name == "top_k") {
      kept = integer(placed.size() > 1 ? *placed[1] : *named.at("k"));
      if (kept > length) throw Meaningless("top_k of fewer");
      if (arrays[0].dims.size() != 1) throw Unknown("top_k of a matrix");
    }
    Dims dims = arrays[0].dims;
    dims[0] = kept;
    std::vector<Value> results;
    for (const Value& array : arrays) results.push_back(Value::array(array.dtype, dims));
    Value places = Value::array(DType::kS32, dims);
    for (int64_t column = 0; column < rest; ++column) {
      std::vector<int64_t> order(static_cast<size_t>(length));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        for (int64_t key = 0; key < keys; ++key) {
          const Value& array = arrays[static_cast<size_t>(key)];
          const Cell& x = array.cell(static_cast<size_t>(a * rest + column));
          const Cell& y = array.cell(static_cast<size_t>(b * rest + column));
          if (name == "top_k") return is_before(array.dtype, y, x);
          if (is_before(array.dtype, x, y)) return true;
          if (is_before(array.dtype, y, x)) return false;
        }
        return false;
      });
      for (int64_t i = 0; i < kept; ++i) {
        const auto to = static_cast<size_t>(i * rest + column);
        (*places.many)[to].integer = order[static_cast<size_t>(i)];
        for (size_t a = 0; a < arrays.size(); ++a)
          (*results[a].many)[to] = arrays[a].cell(static_cast<size_t>(order[static_cast<size_t>(i)] * rest + column));
      }
    }
    if (name == "argsort") return {places};
    if (name == "top_k") results.push_back(places);
    return results;
  }
  if (name == "split" || name == "fold_in" || name == "bits" || name == "uniform") {
    const Value key = evaluate(*placed.at(0));
    if (!key.is_record() || key.fields.size() != 2) throw Meaningless("no key");
    if (name == "fold_in") {
      const Value data = settle(evaluate(*placed.at(1)), *placed[1], DType::kU32);
      const auto [a, b] = threefry(key, 0, static_cast<uint32_t>(data.one.integer));
      return {of_key(a, b)};
    }
    if (name == "split") {
      std::vector<Value> keys;
      const int64_t count = integer(*placed.at(1));
      for (int64_t i = 0; i < count; ++i) {
        const auto [a, b] = threefry(key, 0, static_cast<uint32_t>(i));
        keys.push_back(of_key(a, b));
      }
      return {stacked({count}, keys, of_key(0, 0))};
    }
    const Dims dims = shape(*placed.at(1));
    const auto option = [&](size_t place, const char* option_name, double standard) {
      const Expr* given = place < placed.size()           ? placed[place]
                          : named.count(option_name) != 0 ? named[option_name]
                                                          : nullptr;
      return given == nullptr ? Value::typed(DType::kF32, {0, standard, 0})
                              : settle(evaluate(*given, {DType::kF32, nullptr}), *given, DType::kF32);
    };
    const Value low = name == "uniform" ? option(2, "low", 0) : Value();
    const Value high = name == "uniform" ? option(3, "high", 1) : Value();
    Value result = Value::array(name == "bits" ? DType::kU32 : DType::kF32, dims);
    for (size_t i = 0; i < result.many->size(); ++i) {
      const auto [a, b] = threefry(key, 0, static_cast<uint32_t>(i));
      const uint32_t bits = a ^ b;
      Cell& cell = (*result.many)[i];
      if (name == "bits") {
        cell.integer = bits;
        continue;
      }
      const Cell unit{0, static_cast<double>(std::bit_cast<float>((bits >> 9) | 0x3F800000U) - 1.0F), 0};
      const Cell width = combine("-", DType::kF32, high.one, low.one);
      cell = combine("max", DType::kF32, low.one,
                     combine("+", DType::kF32, combine("*", DType::kF32, unit, width), low.one));
    }
    if (dims.empty()) return {part(result, {})};
    return {result};
  }
  throw Unknown(name);
}

}  // namespace sinter::grain_test
