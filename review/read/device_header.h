// Reads a header of the user's own with clang, as a kernel that includes it does: which of its functions kernels can
// call for each element.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emitter/host/emit_project.h"
#include "ir/values/dtype.h"

namespace sinter {

// A place in a header; line 0: none.
struct HeaderPlace {
  std::string path;
  unsigned line = 0, column = 0;
};

// The type of a parameter or result: that of elements, or another.
struct HeaderType {
  std::optional<DType> element;
  std::string text;  // as C++ has it: "const Vec3 &"
};

struct HeaderFunction {
  struct Parameter {
    std::string name;
    HeaderType type;
  };
  HeaderType result;
  std::vector<Parameter> parameters;
  HeaderPlace place;
  // Why kernels cannot call it, and what to write instead; empty where they can.
  std::string unusable, hint;
};

// What clang does not take of a header.
struct HeaderError {
  HeaderPlace place;
  std::string message;
};

struct DeviceHeader {
  // By each of the qualified names asked for: the function, or its overloads; empty where there is none.
  std::map<std::string, std::vector<HeaderFunction>> functions;
  std::set<std::string> others;  // qualified names of the __device__ functions that there are
  std::vector<HeaderError> errors;
};

// `headers` holds the header and what it includes, by the paths by which kernels include them.
DeviceHeader read_device_header(const FileSet& headers, const std::string& path, const std::vector<std::string>& names);

}  // namespace sinter
