// By which sizes callers pick one of several programs that are the same otherwise.
#include <algorithm>
#include <numeric>

#include "emitter/joined/joined_host.h"
#include "emitter/text/emit_names.h"

namespace sinter {

namespace {

// A dimension, or a size that the text has a name for, as each program has it.
using Values = std::vector<int64_t>;

bool varies(const Values& values) {
  return std::any_of(values.begin(), values.end(), [&](int64_t value) { return value != values[0]; });
}

// Where one grows, the other does.
bool grow_alike(const Values& a, const Values& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = 0; k < a.size(); ++k) {
      if ((a[i] < a[k]) != (b[i] < b[k])) return false;
    }
  }
  return true;
}

bool differ_in_sizes(const HostTensor& a, const HostTensor& b) {
  return a.name == b.name && a.shape.dtype == b.shape.dtype && a.shape.rank() == b.shape.rank();
}

bool differ_in_sizes(const std::vector<HostTensor>& a, const std::vector<HostTensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const HostTensor& one, const HostTensor& other) { return differ_in_sizes(one, other); });
}

struct Dimension {
  std::string place;  // "x[0]"
  Values values;
};

// The dimensions that are not the same in all programs, in the order of inputs and outputs.
std::vector<Dimension> varying_dimensions(const std::vector<HostProgram>& programs) {
  std::vector<Dimension> found;
  for (const auto tensors : {&HostProgram::inputs, &HostProgram::outputs}) {
    for (size_t i = 0; i < (programs[0].*tensors).size(); ++i) {
      const HostTensor& first = (programs[0].*tensors)[i];
      for (int dim = 0; dim < first.shape.rank(); ++dim) {
        Dimension dimension = {.place = first.name + "[" + std::to_string(dim) + "]", .values = {}};
        for (const HostProgram& program : programs)
          dimension.values.push_back((program.*tensors)[i].shape.dims[static_cast<size_t>(dim)]);
        if (varies(dimension.values)) found.push_back(std::move(dimension));
      }
    }
  }
  return found;
}

// Where a size is a dimension: "x[0], y[0]"; if it is none, where one grows with it.
std::string places_of(const Values& size, const std::vector<Dimension>& dimensions) {
  std::string same, alike;
  for (const Dimension& dimension : dimensions) {
    if (dimension.values == size) same += (same.empty() ? "" : ", ") + dimension.place;
    if (grow_alike(dimension.values, size)) alike += (alike.empty() ? "" : ", ") + dimension.place;
  }
  return same.empty() ? alike : same;
}

// The named sizes that are not the same in all programs.
std::map<std::string, Values> varying_names(const std::vector<JoinedProgram>& joined) {
  std::map<std::string, Values> found;
  for (const auto& [name, size] : joined[0].sizes) {
    Values values;
    for (const JoinedProgram& program : joined) {
      const auto size_of = program.sizes.find(name);
      if (size_of != program.sizes.end()) values.push_back(size_of->second);
    }
    if (values.size() == joined.size() && varies(values)) found[name] = values;
  }
  return found;
}

int64_t bytes_of(const HostProgram& program) {
  int64_t bytes = 0;
  for (const auto tensors : {&HostProgram::inputs, &HostProgram::outputs}) {
    for (const HostTensor& tensor : program.*tensors) bytes += tensor.shape.bytes();
  }
  return bytes;
}

}  // namespace

std::optional<JoinedSizes> sizes_of(const std::vector<JoinedProgram>& joined,
                                    const std::vector<HostProgram>& programs) {
  for (const HostProgram& program : programs) {
    if (!program.sized.empty()) return std::nullopt;  // its caller says sizes in every run
    if (!differ_in_sizes(programs[0].inputs, program.inputs)) return std::nullopt;
    if (!differ_in_sizes(programs[0].outputs, program.outputs)) return std::nullopt;
  }
  const std::vector<Dimension> dimensions = varying_dimensions(programs);
  std::vector<Values> sizes;
  JoinedSizes result;
  NameScope taken({"name", "inputs", "outputs", "entry"});
  // Of a text that names them, dimensions are formulas of the names.
  for (const auto& [name, values] : varying_names(joined)) {
    result.places.push_back(places_of(values, dimensions));
    if (result.places.back().empty()) return std::nullopt;  // of no array: it computes something else, a step more, say
    sizes.push_back(values);
    result.names.push_back(taken.unique(safe_identifier(name)));
  }
  const bool are_named = !sizes.empty();
  for (const Dimension& dimension : dimensions) {
    if (are_named || std::find(sizes.begin(), sizes.end(), dimension.values) != sizes.end()) continue;
    result.places.push_back(places_of(dimension.values, dimensions));
    sizes.push_back(dimension.values);
    result.names.push_back(taken.unique("size"));
  }
  result.values.resize(programs.size());
  for (const Values& values : sizes) {
    for (size_t i = 0; i < programs.size(); ++i) result.values[i].push_back(values[i]);
  }
  const std::set<Values> different(result.values.begin(), result.values.end());
  if (different.size() != programs.size()) return std::nullopt;
  result.order.resize(programs.size());
  std::iota(result.order.begin(), result.order.end(), size_t{0});
  std::sort(result.order.begin(), result.order.end(), [&](size_t a, size_t b) {
    return std::pair(bytes_of(programs[a]), result.values[a]) < std::pair(bytes_of(programs[b]), result.values[b]);
  });
  return result;
}

}  // namespace sinter
