// The kernel IR: what the emitted CUDA C++ says, decided completely before it is spelled. Names, what is inlined,
// comments and blank lines are all here; emitter/kernels/print_kernel.cpp only writes it down.
//
// A Kernel owns its variables and expressions; pointers stay valid for the kernel's life. Expressions are
// immutable and may be shared.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/kernel/collectives.h"
#include "ir/kernel/work.h"
#include "ir/module/module.h"
#include "ir/support/boxed.h"
#include "ir/values/dtype.h"
#include "ir/values/literal.h"

namespace sinter {

// The C++ type of a variable or expression.
struct CType {
  enum class Kind : uint8_t { kValue, kPointer, kConstPointer, kArray, kVector, kNamed, kVoid };
  Kind kind = Kind::kValue;
  DType dtype = DType::kS32;
  bool is_restrict = true;         // pointers: __restrict__
  int64_t length = 0;              // of kArray (`float x[8]`), kVector (`Vector<float, 4>`) and kNamed (`Element x[8]`)
  Boxed<std::string> name = {};    // of kNamed: a type the kernel's text declares (`Shared`)
  Boxed<std::string> extent = {};  // how a length is spelled (`Element x[kColumns]`); nullopt: as a number
  static CType value(DType dtype) { return {.dtype = dtype}; }
  static CType named(std::string name) { return {.kind = Kind::kNamed, .name = std::move(name)}; }
  bool operator==(const CType&) const = default;
};

struct Variable {
  std::string name;  // decided by name_values; a hint before
  CType type;
  // Where the value comes from, for naming and paragraphs; nullptr for indices and the like.
  const Instruction* origin = nullptr;
  int id = 0;  // position in Kernel::variables
};

struct Expr {
  enum class Kind : uint8_t {
    kLiteral,      // literal (scalar)
    kInteger,      // integer: an index constant, spelled without suffix
    kVariable,     // variable
    kName,         // text: threadIdx.x, blockIdx.x, kThreads, INFINITY
    kPrefix,       // text operand[0]:                    -x, !x, ~x, &x
    kInfix,        // operand[0] text operand[1]:         x + y
    kConditional,  // operand[0] ? operand[1] : operand[2]
    kCall,         // text(operands...); text may hold template arguments: block_reduce<kThreads>
    kSubscript,    // operand[0][operand[1]]
    kMember,       // operand[0].text
    kCast,         // static_cast<type>(operand[0]), printed as a functional cast where the type is one word
    kBraces,       // {operands...}
  };
  Kind kind = Kind::kInteger;
  Sync sync = Sync::kNone;  // kCall: which threads wait for one another in it
  CType type;
  std::string text;
  int64_t integer = 0;
  Literal literal;
  const Variable* variable = nullptr;
  std::vector<const Expr*> operands;
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind : uint8_t {
    kLet,         // const T variable = value;
    kDeclare,     // T variable = value;   (value nullptr: T variable;)
    kAssign,      // target text value;    text is "=", "+=", ...: target is an Expr
    kExpression,  // value;
    kFor,       // for (int variable = begin; variable < end; variable += step) { body }; text: the step's name, if any
    kWhile,     // while (value) { body }
    kIf,        // if (value) { body } else { other }
    kReturn,    // return value;
    kBreak,     // break;
    kContinue,  // continue;
    kComment,   // // text     (wrapped at 100 columns), which opens a paragraph
    kNote,      // // text     on what follows it
    kBlank,     // an empty line
    kText,      // text: lines as they are, of the body that a stage's form has whatever it computes
    kScope,     // text { body };    a lambda: `const auto copy_tile = [&](int tile)`; no text: a block
  };
  Kind kind = Kind::kBlank;
  Variable* variable = nullptr;
  const Expr* target = nullptr;
  const Expr* value = nullptr;  // also the end of kFor
  const Expr* begin = nullptr;
  int64_t step = 1;
  // kFor: 0 no pragma, n >= 2 `#pragma unroll n`, kUnrollFully `#pragma unroll`.
  static constexpr int kUnrollFully = -1;
  int unroll = 0;
  std::string text = {};
  Block body = {};
  Block other = {};
  // For paragraphs: the instruction this statement computes (may be nullptr).
  const Instruction* origin = nullptr;
};

// Of an array, what a block of a launch reads or writes: the elements whose coordinate, `stride` elements apart and
// less than `extent`, is one of the block's: `each` of them, in the order of the blocks.
struct BlockShare {
  int64_t stride = 1, extent = 1, each = 1;
  bool operator==(const BlockShare&) const = default;
};

struct Parameter {
  Variable* variable = nullptr;
  bool output = false;
  std::optional<int64_t> bytes;          // of the array that a launch touches, or a bound; nullopt: all
  bool scratch = false;                  // an output that the launch's own blocks read again
  bool of_host = false;                  // the launch reads the pointer, for a TileMap; the kernel does not
  std::optional<BlockShare> share = {};  // nullopt: a block may touch what another one does
};

// Tiles of an array that the kernel's blocks have copied (templates/device/tile_copy.cuh): a parameter of the kernel,
// which its launch makes of the array's pointer. As TiledMatrices has them, spelled.
struct TileMap {
  std::string name;
  const Variable* array = nullptr;
  int64_t first = 0;  // element
  std::string extents[3], strides[2], tile[2];
};

// A constexpr at the head of the kernel file: `constexpr int kRows = 4096;  // comment`.
struct NamedConstant {
  std::string name;
  std::string type = "int";
  std::string value = {};
  std::string comment = {};
};

// A __device__ function, in the kernel's file.
struct DeviceFunction {
  std::string name;
  CType result;  // kNamed for a struct of several results
  std::vector<Variable*> parameters;
  std::vector<std::string> comment;
  Block body;
};

// `struct Threefry { uint32_t first; uint32_t second; };`: what a device function of several results returns.
struct ResultStruct {
  std::string name;
  std::vector<std::pair<std::string, DType>> members;
};

// A function object for a device helper:
//
//   struct Before {
//     __device__ bool operator()(const Element& a, const Element& b) const { return a.key < b.key; }
//   };
struct FunctionObject {
  std::string name;
  std::vector<std::string> comment;
  std::vector<const Variable*> members;
  CType result;
  std::vector<const Variable*> parameters;
  Block body;
};

// `struct Shared { float tile[16][17]; };` obtained by block_shared<Shared>().
struct SharedStruct {
  struct Member {
    std::string name;
    DType dtype = DType::kF32;
    std::vector<std::string> dims;  // constants by name or number
    std::string type = {};          // instead of dtype: a struct of the kernel's text
  };
  std::vector<Member> members;
  int64_t bytes = 0;
  std::string name = "Shared";  // of a launch's parts: that of the largest, "product::Shared"
  bool in_turns = false;        // of a launch's parts: all have the same memory, which the launch asks for
};

// How many threads a launch has. Extents are numbers; `spelling` is what the launch function says
// ("kElements / kThreads").
struct LaunchDimensions {
  int64_t grid[3] = {1, 1, 1};
  int64_t block = 1;
  std::string grid_spelling[3];
  bool alone = false;    // a block has a multiprocessor to itself: its threads may have many registers
  int64_t together = 0;  // blocks that a multiprocessor has at a time, by which registers go; 0: any number
  int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  int64_t threads() const { return blocks() * block; }
};

// Arrays that the steps of a resident launch move together, from place to place: of each place, a struct of pointers to
// them in the struct of all arrays.
//
//   struct State {
//     float* weight;
//     float* bias;
//   } state_in, state_out;
struct PlaceStruct {
  std::string type;
  std::vector<std::string> members;
  struct Place {
    std::string name;
    std::vector<size_t> parameters;  // by member: positions among the kernel's
  };
  std::vector<Place> places;
};

struct KernelPart;

class Kernel {
 public:
  Kernel() = default;
  // Moves only: statements and expressions point into the kernel.
  Kernel(Kernel&&) = default;
  Kernel& operator=(Kernel&&) = default;
  // The same kernel once more (copy_kernel.cpp). nullopt of one that has parts, or says something of another's.
  std::optional<Kernel> copy() const;

  std::string name;                      // "softmax": file kernels/softmax.cu, function, launch_softmax
  std::string item;                      // the kernel item of the tree it belongs to, where that has another name
  std::vector<std::string> description;  // the comment that opens the file, without "// "
  std::set<std::string> headers;         // "device/block_reduce.cuh"; launch.cuh is always included
  std::vector<NamedConstant> constants;
  std::vector<std::pair<std::string, std::string>> assertions;  // static_assert condition, message
  std::vector<ResultStruct> structs;
  std::vector<DeviceFunction> functions;
  std::vector<FunctionObject> function_objects;
  std::vector<std::string> declarations;  // more of them, as lines of text
  SharedStruct shared;
  std::vector<Parameter> parameters;
  std::vector<TileMap> tile_maps;  // in front of the parameters
  LaunchDimensions launch;
  Work work;  // of one launch
  Block body;
  // Of a launch that several kernels share: they, one after the other, instead of a body; `parameters` are theirs,
  // part by part and place by place, pointers before numbers.
  std::vector<KernelPart> parts;
  // Of parts: the struct of all their arrays, "UpdateArrays", which the kernel calls kJointArrays. Empty of a resident
  // launch that is given them one by one.
  std::string arrays_type;
  std::vector<PlaceStruct> places;     // of a resident launch: structs in that one
  const Variable* finished = nullptr;  // of parts: where blocks count themselves, to find the last; the last pointer
  // All blocks are on the device at the same time, and wait for one another: `body` calls `parts`, which have no arrays
  // of their own, and a launch has as many blocks as there is room for.
  bool resident = false;
  // Of a resident launch: no block needs what another one stores, so that they wait for none, and may come and go as
  // those of any launch.
  bool apart = false;
  std::vector<Round> rounds;  // of a resident launch
  double waits = 0;           // how often its blocks wait for one another

  Variable* variable(std::string name, CType type, const Instruction* origin = nullptr);

  const Expr* literal(Literal value);
  const Expr* integer(int64_t value);
  const Expr* reference(const Variable* variable);
  const Expr* name_expr(std::string text, CType type = CType::value(DType::kS32));
  const Expr* prefix(std::string op, const Expr* operand, CType type);
  const Expr* infix(const Expr* left, std::string op, const Expr* right, CType type);
  const Expr* conditional(const Expr* condition, const Expr* then, const Expr* otherwise);
  // `sync`: of a helper that does not say by itself which threads wait in it (collectives.h).
  const Expr* call(std::string function, std::vector<const Expr*> arguments, CType type, std::optional<Sync> sync = {});
  const Expr* subscript(const Expr* base, const Expr* index, CType type);
  const Expr* member(const Expr* base, std::string name, CType type);
  const Expr* cast(CType type, const Expr* operand);
  const Expr* braces(std::vector<const Expr*> operands, CType type);
  // The expression with other operands.
  const Expr* with_operands(Expr expr, std::vector<const Expr*> operands);

  // Every name_expr(from) becomes `to`.
  void rename(const std::string& from, const std::string& to);
  // Every call of `from` becomes one of `to`.
  void rename_call(const std::string& from, const std::string& to);
  // The array of that name in shared memory, wherever it is read or written.
  void rename_shared(const std::string& from, const std::string& to);

  const std::deque<Variable>& variables() const { return variables_; }

 private:
  const Expr* add(Expr expr);
  std::deque<Variable> variables_;
  std::deque<Expr> exprs_;
};

// A kernel that shares its launch: a device function, run in a range of blocks for each set of arrays it is given, or
// by the block that finishes last.
struct KernelPart {
  Kernel kernel;            // its launch is that of one place
  int64_t places = 1;       // sets of arrays
  bool last = false;        // of the last block, when all blocks have finished the parts before
  std::string block;        // what its body calls the number of the block, in its place; empty: it does not read it
  std::string arrays_type;  // the struct of one set of arrays, in the launch's: "Update1Arrays"
  int calls = 0;            // of a resident launch: the places of its text that call it
};

// Whether a launch passes its arrays in a struct of them: that of parts which divide its blocks, or a resident one of
// very many arrays.
inline bool has_arrays_struct(const Kernel& kernel) { return !kernel.arrays_type.empty(); }
// What the kernel and its launch function call that struct.
inline constexpr const char* kJointArrays = "arrays";

}  // namespace sinter
