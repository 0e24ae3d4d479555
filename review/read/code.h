// The code of one CUDA file as a tree that says what runs and nothing of how it is spelled. read_code.h makes it of
// clang's AST; canonical_text.h writes two such trees so that equal texts mean equal programs.
//
// The tree holds no types of its own, for they follow from its leaves: the types of variables and numbers, the results
// of functions, the targets of casts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// Memory that an access touches: an entity's own, or what the entity points or refers to; of it, the members along
// `path` (".0.2"), with "[]" for any element. Entity -1 and `pointee`: memory that is not known.
struct Place {
  int entity = -1;
  bool pointee = true;
  bool open = true;  // members of this are at the path; false behind a cast
  std::string path;
};

struct Access {
  Place place;
  bool write = false;
};

struct CodeNode {
  enum class Kind : uint8_t {
    kWord,        // an operator, a statement or a type: `text` and its parts, in their order
    kName,        // a variable, function or type: `entity`
    kNumber,      // `text` has value and type, `shown` what a reader sees
    kCommuting,   // an operator whose two parts may change places
    kStatements,  // parts that run one after another
  };
  Kind kind = Kind::kWord;
  std::string text;
  std::string shown;
  std::string spelled;  // of a number: the source's expression
  int entity = -1;
  int line = 0;  // in the file that was read; 0 where it stands in another
  std::vector<CodeNode> parts;

  // What the node does by itself, besides what its parts do.
  std::vector<Access> accesses;
  bool waits = false;   // orders memory and threads: a barrier, an exchange between lanes, an atomic, an unknown call
  bool leaves = false;  // break, continue: the rest of the loop's body may not run
  bool returns = false;
};

// A variable, function or type that is defined somewhere in what was read. Its name is of no account.
struct Entity {
  enum class Kind : uint8_t { kVariable, kFunction, kType };
  Kind kind = Kind::kVariable;
  std::string name;     // for reports
  int line = 0;         // as above
  CodeNode definition;  // a variable's type and, outside functions, its value; a function's parameters and body
  bool kernel = false;  // a __global__ function
  // What other files may call it by: "softmax_kernels::step::enqueue", "softmax_run"; empty if they cannot.
  std::string exported;

  // Variables.
  bool local = false;       // one a thread: not shared between threads, not kept between calls
  bool parameter = false;   // of a function
  bool restricted = false;  // a __restrict__ pointer
  bool escapes = false;     // its address is taken: what is known of no place may touch it
  bool reassigned = false;  // written after it was made
  bool alias = false;       // a reference or pointer that is made once, to `target`
  Place target;
  bool apart = false;  // a reference or pointer that a call made without being given one, to shared memory
};

// A named constant of the file: "kRows" is "64".
struct FileConstant {
  std::string name, value, spelled;
  int line = 0;
};

// Text that one build takes and another may leave out, from #if to #endif; a pragma, or a macro of the build's: its
// tokens.
struct Conditional {
  std::string file;  // "device/maximum.cuh"
  int line = 0;
  std::string tokens;
  bool pragma = false;  // or such a macro
  std::string place() const { return file + ":" + std::to_string(line); }
};

struct Code {
  std::vector<Entity> entities;
  // Functions and variables that other files may name, kernels, and what runs by itself, in the order of the text.
  std::vector<int> roots;
  std::vector<Conditional> conditionals;  // of all that was read
  std::vector<FileConstant> numbers;      // in the order of the text
  std::vector<std::string> not_followed;  // what clang read and we do not follow; nothing can be said of such code
};

// The names of what other files may call.
std::vector<std::string> exported_names(const Code& code);

// All accesses of a node and its parts, and whether any waits or leaves.
struct Effects {
  std::vector<Access> accesses;
  bool waits = false;
  bool leaves = false;  // what follows may not run
  bool returns = false;
};

// The memory behind aliases.
Place resolved(const Code& code, Place place);

// True if both may be one memory.
bool may_overlap(const Code& code, const Place& a, const Place& b);

void add_effects(const CodeNode& node, Effects* effects);
Effects effects_of(const CodeNode& node);

// True if neither order of the two can be told from the other.
bool independent(const Code& code, const Effects& a, const Effects& b);

// Reads no memory but local variables, writes nothing, waits for nothing.
bool is_pure(const Code& code, const Effects& effects);

}  // namespace sinter
