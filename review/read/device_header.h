// Reads a header of the user's own with clang, as a file that includes it does: which of its functions kernels can
// call for each element, and which the launcher can for whole arrays.
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

// The type of a parameter or result.
struct HeaderType {
  enum class Kind : uint8_t {
    kOther,
    kElement,    // by value or const reference
    kElements,   // a struct of elements, by value
    kUnnamed,    // one that has no name outside, as a function's own
    kArray,      // of elements, that is read: const float*
    kWritten,    // of elements, that is written: float*
    kWorkspace,  // void*
    kStream,     // cudaStream_t
    kError,      // cudaError_t
  };
  Kind kind = Kind::kOther;
  std::optional<DType> element;                        // of elements and arrays
  std::vector<std::pair<std::string, DType>> members;  // of a struct of elements
  std::string name;                                    // of it, from the global namespace: "nn::Vec3"
  std::string text;                                    // as C++ has it: "const Vec3 &"
};

struct HeaderFunction {
  struct Parameter {
    std::string name;
    HeaderType type;
  };
  HeaderType result;
  std::vector<Parameter> parameters;
  HeaderPlace place, body;
  // Of kernels: `// sinter: row` stands above it. It is called by all threads of a block, with pointers to a row each.
  bool of_row = false;
  bool is_template = false;  // of the number of threads, template <int kThreads>
  // Why it cannot be called, and what to write instead; empty where it can.
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
  std::set<std::string> others;  // qualified names of the functions of that side that there are
  std::vector<HeaderError> errors;
};

// Who calls: kernels, for each element, or the launcher, for whole arrays.
enum class CallSide : uint8_t { kKernels, kLauncher };

// `headers` holds the header and what it includes, by the paths by which emitted files include them.
DeviceHeader read_device_header(const FileSet& headers, const std::string& path, const std::vector<std::string>& names,
                                CallSide side);

}  // namespace sinter
