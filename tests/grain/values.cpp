#include "tests/grain/values.h"

#include "ir/values/dtype.h"

namespace sinter::grain_test {

Value Value::typed(DType dtype, Cell cell) {
  Value value;
  value.dtype = dtype;
  value.one = cell;
  return value;
}

Value Value::whole(int64_t number) {
  Value value;
  value.kind = Kind::kConstant;
  value.one = {number, static_cast<double>(number), 0};
  return value;
}

Value Value::fraction(double number) {
  Value value;
  value.kind = Kind::kConstant;
  value.is_whole = false;
  value.one = {0, number, 0};
  return value;
}

Value Value::open(bool is_whole, Dims dims) {
  Value value;
  value.kind = Kind::kOpen;
  value.is_whole = is_whole;
  value.dims = std::move(dims);
  value.many = std::make_shared<std::vector<Cell>>(static_cast<size_t>(count_of(value.dims)));
  return value;
}

Value Value::array(DType dtype, Dims dims) {
  Value value = open(true, std::move(dims));
  value.kind = Kind::kTyped;
  value.dtype = dtype;
  return value;
}

int64_t count_of(const Dims& dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  return count;
}

void each_place(const Dims& dims, const std::function<void(const Dims&)>& visit) {
  if (count_of(dims) == 0) return;
  Dims place(dims.size(), 0);
  for (;;) {
    visit(place);
    size_t axis = dims.size();
    while (axis > 0 && ++place[axis - 1] == dims[axis - 1]) place[--axis] = 0;
    if (axis == 0) return;
  }
}

int64_t position(const Dims& dims, const Dims& place) {
  int64_t result = 0;
  for (size_t i = 0; i < dims.size(); ++i) result = result * dims[i] + place[i];
  return result;
}

Value by_array(const Value& value, const std::function<Value(const Value&)>& change) {
  if (!value.is_record()) return change(value);
  Value result = value;
  for (Value& field : result.fields) field = by_array(field, change);
  return result;
}

Value settled(const Value& constant, DType dtype) {
  if (!constant.is_open()) return constant;
  Value result = constant.dims.empty() ? Value::typed(dtype, {}) : Value::array(dtype, constant.dims);
  const auto settle = [&](const Cell& cell) -> Cell {
    if (is_integer(dtype) || dtype == DType::kPred) return {cell.integer, 0, 0};
    return {0, rounded(dtype, constant.is_whole ? static_cast<double>(cell.integer) : cell.real), 0};
  };
  if (constant.dims.empty()) {
    result.one = settle(constant.cell(0));
    return result;
  }
  for (size_t i = 0; i < result.many->size(); ++i) (*result.many)[i] = settle((*constant.many)[i]);
  return result;
}

Value lifted(const std::vector<Value>& operands, DType result, const std::function<Cell(const std::vector<Cell>&)>& f) {
  for (const Value& operand : operands) {
    if (!operand.is_record()) continue;
    Value made = operand;
    for (size_t field = 0; field < operand.fields.size(); ++field) {
      std::vector<Value> of_field;
      for (const Value& other : operands) {
        of_field.push_back(other.is_record() ? other.fields[field] : other);
      }
      made.fields[field] = lifted(of_field, result, f);
    }
    return made;
  }
  const Dims* dims = nullptr;
  for (const Value& operand : operands) {
    if (operand.dims.empty()) continue;
    if (dims != nullptr && *dims != operand.dims) throw Meaningless("arrays in one operation differ in shape");
    dims = &operand.dims;
  }
  std::vector<Cell> cells(operands.size());
  if (dims == nullptr) {
    for (size_t i = 0; i < operands.size(); ++i) cells[i] = operands[i].cell(0);
    return Value::typed(result, f(cells));
  }
  Value made = Value::array(result, *dims);
  for (size_t at = 0; at < made.many->size(); ++at) {
    for (size_t i = 0; i < operands.size(); ++i) cells[i] = operands[i].cell(operands[i].dims.empty() ? 0 : at);
    (*made.many)[at] = f(cells);
  }
  return made;
}

Value part(const Value& value, const Dims& place) {
  Value result = value;
  result.dims.erase(result.dims.begin(), result.dims.begin() + static_cast<int64_t>(place.size()));
  if (value.is_record()) {
    for (Value& field : result.fields) field = part(field, place);
    return result;
  }
  if (place.empty()) return result;
  const Dims outer(value.dims.begin(), value.dims.begin() + static_cast<int64_t>(place.size()));
  const int64_t size = count_of(result.dims), begin = position(outer, place) * size;
  if (result.dims.empty()) {
    result.one = (*value.many)[static_cast<size_t>(begin)];
    result.many = nullptr;
    return result;
  }
  result.many = std::make_shared<std::vector<Cell>>(value.many->begin() + begin, value.many->begin() + begin + size);
  return result;
}

Value stacked(const Dims& outer, const std::vector<Value>& elements, const Value& like) {
  Value result = like;
  result.dims.insert(result.dims.begin(), outer.begin(), outer.end());
  if (like.is_record()) {
    for (size_t field = 0; field < like.fields.size(); ++field) {
      std::vector<Value> of_field;
      of_field.reserve(elements.size());
      for (const Value& element : elements) of_field.push_back(element.fields[field]);
      result.fields[field] = stacked(outer, of_field, like.fields[field]);
    }
    return result;
  }
  if (result.dims.empty()) return elements.at(0);
  result.many = std::make_shared<std::vector<Cell>>();
  for (const Value& element : elements) {
    if (element.dims != like.dims) throw Meaningless("elements of one array differ in shape");
    const int64_t count = count_of(element.dims);
    for (int64_t i = 0; i < count; ++i) result.many->push_back(element.cell(static_cast<size_t>(i)));
  }
  return result;
}

Value transposed(const Value& value, const std::vector<size_t>& order) {
  bool is_same = true;
  for (size_t i = 0; i < order.size(); ++i) is_same = is_same && order[i] == i;
  if (is_same) return value;
  Value result = value;
  std::vector<size_t> whole = order;
  for (size_t i = order.size(); i < value.dims.size(); ++i) whole.push_back(i);
  for (size_t i = 0; i < whole.size(); ++i) result.dims[i] = value.dims[whole[i]];
  if (value.is_record()) {
    for (Value& field : result.fields) field = transposed(field, order);
    return result;
  }
  result.many = std::make_shared<std::vector<Cell>>(value.many->size());
  size_t at = 0;
  Dims place(value.dims.size());
  each_place(result.dims, [&](const Dims& to) {
    for (size_t i = 0; i < whole.size(); ++i) place[whole[i]] = to[i];
    (*result.many)[at++] = (*value.many)[static_cast<size_t>(position(value.dims, place))];
  });
  return result;
}

Value repeated(const Value& value, const Dims& outer) {
  if (outer.empty()) return value;
  return stacked(outer, std::vector<Value>(static_cast<size_t>(count_of(outer)), value), value);
}

Literal to_literal(const Value& array) {
  Literal literal(Shape::array(array.dtype, array.dims));
  const int64_t count = count_of(array.dims);
  for (int64_t i = 0; i < count; ++i) {
    const Cell& cell = array.cell(static_cast<size_t>(i));
    if (array.dtype == DType::kC64) {
      literal.mutable_values<float>()[static_cast<size_t>(2 * i)] = static_cast<float>(cell.real);
      literal.mutable_values<float>()[static_cast<size_t>(2 * i + 1)] = static_cast<float>(cell.imag);
    } else if (array.dtype == DType::kC128) {
      literal.mutable_values<double>()[static_cast<size_t>(2 * i)] = cell.real;
      literal.mutable_values<double>()[static_cast<size_t>(2 * i + 1)] = cell.imag;
    } else if (is_float(array.dtype)) {
      literal.set_real(i, cell.real);
    } else {
      literal.set_integer(i, cell.integer);
    }
  }
  return literal;
}

Value from_literal(const Literal& literal) {
  const Shape& shape = literal.shape();
  Value value = Value::array(shape.dtype, shape.dims);
  for (int64_t i = 0; i < count_of(shape.dims); ++i) {
    Cell& cell = (*value.many)[static_cast<size_t>(i)];
    if (shape.dtype == DType::kC64) {
      cell.real = literal.values<float>()[static_cast<size_t>(2 * i)];
      cell.imag = literal.values<float>()[static_cast<size_t>(2 * i + 1)];
    } else if (shape.dtype == DType::kC128) {
      cell.real = literal.values<double>()[static_cast<size_t>(2 * i)];
      cell.imag = literal.values<double>()[static_cast<size_t>(2 * i + 1)];
    } else if (is_float(shape.dtype)) {
      cell.real = literal.real_at(i);
    } else {
      cell.integer = literal.integer_at(i);
    }
  }
  if (shape.dims.empty()) {
    value.one = (*value.many)[0];
    value.many = nullptr;
  }
  return value;
}

}  // namespace sinter::grain_test
