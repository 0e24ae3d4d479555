// A checked file to a Module. A definition is checked (names, types), then the ranges of its indices are found, then it
// is lowered; a call does so with the function's block, inline. Private to this room; its parts are spread over files
// by what they do.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frontend/grain/parse_grain.h"
#include "frontend/grain/text/parser.h"
#include "frontend/grain/text/syntax.h"
#include "frontend/grain/write/builder.h"
#include "frontend/grain/write/places.h"
#include "frontend/grain/write/value.h"

namespace sinter::grain {

// What a name stands for inside a function.
struct Binding {
  std::string name;
  Loc loc;
  std::string what;  // "a parameter", "an index", "a carry", ...
  Value value;
  Index* index = nullptr;
  bool used = false;
  bool is_local = false;                 // to a loop's step: for the message where it is used after it
  bool quiet = false;                    // no warning where it is not used
  const Statement* statement = nullptr;  // that defines it
};

using Scope = std::map<std::string, Binding>;

// A use of indices as a subscript, from which their ranges follow.
struct IndexUse {
  const Expr* access = nullptr;
  const Expr* subscript = nullptr;
  size_t axis = 0;
  Formula dim;
  bool has_rule = false;
};

// coefficient * index + ... + constant
struct Affine {
  Formula constant;
  std::vector<std::pair<Index*, Formula>> terms;
};

// The loop around a statement, whose definitions may stack.
struct Loop {
  std::string counter;
  Loc loc;
  bool is_for = false;
  bool stacks = false;  // its bounds are known when it is compiled
  Formula low, high;
  Part step;  // of s32, from 0
  struct Stack {
    std::string name;
    Loc loc;
    Type type;
    std::vector<Instruction*> next;  // a leaf each
    std::vector<Frame> frames;
    std::vector<std::optional<Interval>> intervals;  // every step gives an element
  };
  std::vector<Stack> stacks_made;
  Instruction* parameter = nullptr;
};

// A call that is being compiled.
struct Call {
  const Function* function = nullptr;
  const File* file = nullptr;
  Call* caller = nullptr;
  int depth = 0;               // callers
  std::set<std::string> dims;  // names that the parameters' types bring
  DimValues values;
  std::map<std::string, Element> generics;
  std::vector<Scope> scopes;
  std::vector<Loop*> loops;
  std::vector<const Block*> blocks;                        // around the statement
  std::set<std::string> primes;                            // carries of the loops around
  std::map<std::string, std::pair<Loc, Loc>> loop_locals;  // a name, and the loop that it was local to
  Frame ambient;                                           // what the arguments are framed by
  std::string path;                                        // entry/function
  int64_t frame = 0;                                       // of the stack frames
  std::map<std::string, Type> results;                     // declared
  std::map<std::string, Loc> result_locs;
};

// Calls nest this deep at most, and calls and expressions together.
inline constexpr int kMaxCalls = 100;
inline constexpr int kMaxTotalDepth = 2000;
// Statements and calls that are compiled, each as often as its function is called.
inline constexpr int64_t kMaxWork = 200'000;
// Leaves of a record; records in records.
inline constexpr int kMaxLeaves = 10'000;
inline constexpr int kMaxRecords = 100;

class Compiler {
 public:
  Compiler(Diagnostics& diagnostics, const GrainOptions& options)
      : diagnostics_(diagnostics), options_(options), builder_(*module_) {}

  std::unique_ptr<Module> compile();

 private:
  // compile_file.cpp: files, dims, constants, entries.
  struct FileNames {
    std::map<std::string, std::string> dims;  // name -> that of the formula's
    std::map<std::string, const DimDecl*> dim_decls;
    std::map<std::string, ConstDecl*> constants;
    std::map<std::string, const Record*> records;
    std::map<std::string, Function*> functions;
    std::map<std::string, const WeightsDecl*> weights;
    // Those of other files, by the file.
    std::map<std::string, const File*> imported;
  };
  File* load_file(const std::string& path, Loc import_loc);
  bool read_names(File& file);
  void import_names(File& file);
  void check_records(File& file);
  void value_dims(File& file);
  void check_requirements(File& file);
  void check_functions(File& file);
  void compile_entry(const Function& entry);
  void set_aliases(const Function& entry, const std::vector<Value>& results);
  void finish_module();

  // weights.cpp
  void type_weights(const File& file);
  void read_weights();
  void read_tensors(const WeightsDecl& decl, Value& value);
  void drop_unused_weights();
  void warn_unused();

  // How deep this compiler calls itself: functions are compiled where they are called, so that what the parser allows
  // for each of them adds up.
  class Deeper {
   public:
    Deeper(Compiler& compiler, Loc loc) : compiler_(compiler) {
      if (++compiler_.depth_ <= kMaxTotalDepth) return;
      --compiler_.depth_;
      compiler_.fail(loc, "E0607", "calls and what stands in them nest too deep",
                     "give a part of it a name of its own");
    }
    ~Deeper() { --compiler_.depth_; }

   private:
    Compiler& compiler_;
  };
  // Counts what is compiled, of functions and loops as often as that is.
  void count_work(Loc loc);

  // check/names.cpp
  [[noreturn]] void fail(Loc loc, std::string_view code, std::string message, std::string hint = "");
  void report(Loc loc, std::string_view code, std::string message, std::string hint = "");
  void warn(Loc loc, std::string_view code, std::string message, std::string hint = "");
  const Source& source() const;
  std::string where(Loc loc);  // "2:15"
  std::string quote(const Expr& expr) const;
  std::string quote(uint32_t begin, uint32_t end) const;
  FileNames& names() { return file_names_.at(call_->file); }
  Binding* find(const std::string& name);
  Binding& bind(const std::string& name, Loc loc, std::string what);
  void check_is_new(const std::string& name, Loc loc, bool is_index);
  [[noreturn]] void unknown_name(const Expr& expr);
  const Record* find_record(const std::string& name);
  Function* find_function(const std::string& name);
  Index* new_index(const std::string& name, Loc loc);
  Index* bind_index(Binder& binder);

  // check/mentions.cpp: for an editor.
  void mention(Loc loc, size_t length, std::string text, const Source& file, Loc definition);
  void mention(const Binding& binding, Loc loc);
  void mention_function(const Function& function, Loc loc);
  void mention_indices();
  void mention_dim(const std::string& name, Loc loc);

  // check/dimensions.cpp
  std::optional<Formula> formula(const Expr& expr);
  Formula dimension(const Expr& expr, bool in_type);  // reports what is none
  int64_t value_of(const Formula& formula, Loc loc);
  Formula same(const Formula& formula) const { return formula.with(equal_); }
  Type type_of(const TypeName& name);
  std::vector<Leaf> leaves(const Element& element) const;
  Type field_type(const Element& record, const Slot& field);
  Dims numbers(const std::vector<Formula>& dims);

  // check/constants.cpp: constants without a type.
  Number fold_unary(const Expr& expr, const Number& a);
  Number fold_binary(const Expr& expr, const Number& a, const Number& b);
  std::optional<Number> fold_call(const Expr& expr, const std::vector<Number>& arguments);
  void check_fits(const Expr& expr, const Number& number, const Element& element, const std::string& whose);
  // Gives what is open in it the element's type.
  void settle(Expr& expr, const Element& element, const std::string& whose = "");

  // check/check.cpp, check_access.cpp, check_reduce.cpp: the types of expressions.
  const Type& check(Expr& expr);
  void check_number(Expr& expr);
  void check_name(Expr& expr);
  void check_primed(Expr& expr);
  void check_unary(Expr& expr);
  void check_binary(Expr& expr);
  void check_if(Expr& expr);
  void check_access(Expr& expr);
  void check_subscripts(Expr& expr, const Type& base, std::vector<Formula>* dims);
  void check_field(Expr& expr);
  void check_array(Expr& expr);
  void check_reduce(Expr& expr);
  void check_with(Expr& expr);
  void add_indices(Expr& expr, const Expr& child);
  void agree(Expr& expr, Expr& a, Expr& b, const std::string& sign);
  std::vector<Formula> lifted_dims(const Expr& expr, const std::vector<const Expr*>& operands);

  // check/check_calls.cpp
  void check_call(Expr& expr);
  std::vector<Type> check_results(Expr& expr);  // of a call that may give several
  void check_conversion(Expr& expr, DType dtype);
  void check_construction(Expr& expr, const Record& record);
  std::vector<Type> check_user_call(Expr& expr, const Function& function);
  void place_arguments(Expr& expr, const std::string& name, const std::vector<std::string>& parameters,
                       size_t required);
  struct Signature {
    std::map<std::string, Formula> dims;  // the function's names, as the caller's formulas
    std::map<std::string, Element> generics;
    std::vector<Type> parameters, results;  // with the caller's formulas
    bool lifts = false;                     // over arrays or records
  };
  Signature match(Expr& expr, const Function& function);
  struct OwnTypes {
    std::vector<Type> parameters, results;
  };
  OwnTypes own_types(const Function& function, const std::set<std::string>& brought);
  // Whether an element is of a kind; of a record, whether all of its fields are. `is_of_kind` is &Element::is_float,
  // say.
  template <class Kind>
  bool is_throughout(const Element& element, const Kind& is_of_kind) {
    if (!element.is_record()) return std::invoke(is_of_kind, element);
    const std::vector<Slot>& fields = element.record->fields;
    return std::all_of(fields.begin(), fields.end(), [&](const Slot& field) {
      return is_throughout(field_type(element, field).element, is_of_kind);
    });
  }
  Element type_of_fields(const Expr& record, const Expr& other);
  void check_pair_function(const Function& function, const std::string& user, const Element& element, Loc loc);
  std::set<std::string> brought_dims(const Function& function);

  // library/library.cpp, library_arrays.cpp
  bool is_library(const std::string& name) const;
  std::vector<Type> check_library(Expr& expr);
  std::vector<Value> lower_library(Expr& expr);
  std::vector<Type> check_elementwise(Expr& expr);
  Value lower_elementwise(Expr& expr);
  Part erf_inv(const Part& x);
  std::vector<Formula> shape_argument(Expr& expr);
  int64_t constant_argument(Expr& expr, const std::string& what);
  const Type& check_array_argument(Expr& expr, Expr& x);
  std::vector<Type> check_array_function(Expr& expr);
  std::vector<Value> lower_array_function(Expr& expr);
  Part lower_cumulative(const Part& x, Opcode opcode);
  Value lower_scan(Expr& expr);
  std::vector<Value> lower_sort(Expr& expr);
  // Along the first axis of their types, by the first `keys` of them; stable. Those from `first` on.
  std::vector<Part> sort_parts(const std::vector<Part>& parts, int64_t keys, size_t first);
  std::vector<Value> lower_top_k(Expr& expr);
  Value lower_fft(Expr& expr);

  // library/library_matrices.cpp
  bool is_matrix_function(const std::string& name) const;
  std::vector<Type> check_matrix_function(Expr& expr);
  std::vector<Value> lower_matrix_function(Expr& expr);
  Part lower_cholesky(const Part& a);
  Part lower_triangular_solve(Expr& expr, const Part& a);
  // Its results: those of a library's routine, by LAPACK's name without the letter of its type.
  std::vector<Part> call_routine(const std::string& routine, const std::string& options,
                                 const std::vector<Part>& inputs, const std::vector<Shape>& results);
  // Zero where that does not hold of row and column.
  Part triangle(const Part& a, std::string_view direction);
  std::vector<Type> check_random(Expr& expr);
  Value lower_random(Expr& expr);

  // library/library_random.cpp
  Computation* threefry(const Dims& dims, const Dims& key_dims);
  Part key_word(const Part& key, int64_t word);
  std::array<Part, 2> random_words(const Part& key, const Dims& dims);
  Part random_bits(const Part& key, const Dims& dims);
  Part split_key(const Part& key, int64_t count);
  Part key_at(const Part& keys, int64_t i);
  Part random_permutation(Part key, int64_t n);
  Part random_uniform(const Part& key, const Dims& dims, const Part& low, const Part& high);

  // check/ranges.cpp: how far indices run.
  std::optional<Affine> affine(const Expr& expr);
  void resolve_ranges(const std::vector<Index*>& indices);
  void check_lone_uses();
  void warn_of_comparisons();
  void number_index(Index& index);
  Interval interval_of(const Affine& affine);

  // statements.cpp, definitions.cpp, branches.cpp
  void compile_block(const Block& block);
  void compile_statement(const Statement& statement);
  void compile_definition(const Statement& statement);
  void define(const Target& target, const Statement& statement, const Type& type, Value value);
  Value close(const Target& target, const Value& value, const Type& type);
  void compile_require(const Statement& statement);
  void leave_scope();
  struct StatementState;
  void compile_branch(const Statement& statement);
  void begin_statement(const Statement& statement, const std::string& name);
  Value broadcast_to(const Value& value, const Type& type);

  // loops.cpp
  void compile_loop(const Statement& statement);
  struct LoopState;
  void check_carries(const Statement& statement, LoopState& state);
  std::vector<Value> compile_body(const Statement& statement, LoopState& state, const std::vector<Value>& current,
                                  const Part& step);
  void try_body(const Statement& statement, LoopState& state);
  void lower_loop(const Statement& statement, LoopState& state);
  Part lower_condition(const Statement& statement, const std::vector<Value>& current);
  void stack(const Target& target, const Statement& statement, const Type& type, const Value& value);

  // calls.cpp
  std::vector<Value> run_function(const Function& function, Call& call);
  void enter(Call& call, Loc loc);
  std::vector<Value> call_function(const Function& function, const Signature* signature,
                                   const std::vector<Value>& arguments, Loc loc);
  std::vector<Value> call_body(const Function& function, const Signature* signature,
                               const std::vector<Value>& arguments, Loc loc);
  Value call_header(const Function& function, const std::vector<Value>& arguments);
  Computation* meaning_of(const Function& function);
  std::vector<Value> lower_user_call(Expr& expr);
  enum class Body : uint8_t { kOfCall, kMeaning };  // of an extern function: of its header, or what it means
  Computation* function_computation(const Function& function, const std::vector<Type>& types, Loc loc,
                                    Body body = Body::kOfCall);

  // lower/lower.cpp
  Value lower(Expr& expr);
  Value lower_number(const Number& number, const Element& element);
  Value lower_unary(Expr& expr);
  Value lower_binary(Expr& expr);
  Value lower_if(Expr& expr);
  Value lower_field(Expr& expr);
  Value lower_array(Expr& expr);
  Value lower_conversion(Expr& expr);
  Part arithmetic(const std::string& sign, const Part& a, const Part& b);
  Part power(const Part& base, Expr& exponent);
  Value field_of(const Value& value, const std::string& field);
  // Parts brought to one frame and shape; scalars go with all.
  Frame join(const std::vector<Part>& parts) const;
  Instruction* expand(const Part& part, const Frame& frame, const Dims& type_dims);
  Part elementwise(Opcode opcode, const std::vector<Part>& parts, const Attributes& attributes = {});
  Dims frame_dims(const Frame& frame) const;
  Dims type_dims(const Part& part) const;
  Part one(DType dtype, double value);
  Value concatenate(const std::vector<Value>& values, bool stacked);
  // A part for each leaf: of records leaf by leaf, where a single element goes with each.
  Value by_leaf(const Type& type, const std::vector<Value>& operands,
                const std::function<Part(const std::vector<Part>&)>& apply);
  // Indices in the place of a part's last axes, and the way back.
  Part lift(const Part& part, const std::vector<const Index*>& axes);
  Part lower_axes(const Part& part, const std::vector<const Index*>& axes);

  // lower/lower_access.cpp
  struct Access;
  Value lower_access(Expr& expr);
  Part access_part(Expr& expr, const Part& base);
  std::optional<Part> access_nothing(Expr& expr, const Part& base);
  void take_axis(Access& access, size_t axis, const Expr& subscript, const Affine& affine, Index* index);
  void pad_axis(Access& access, size_t axis, int64_t low, int64_t high);
  const Rule* rule_of(const Expr& expr, size_t subscript) const;
  void check_in_range(const Expr& expr, size_t subscript, const std::optional<Interval>& interval, int64_t extent);
  Part place_of(Expr& subscript);
  static DType place_type(const std::vector<Part>& places);
  Part wrapped(const Part& index, int64_t extent);
  Part clamped(const Part& index, int64_t low, int64_t high);

  // lower/lower_reduction.cpp
  Value lower_reduce(Expr& expr);
  std::optional<Part> lower_contraction(Expr& expr);
  Part lower_dot(const std::vector<Expr*>& a, const std::vector<Expr*>& b, const std::vector<Index*>& summed,
                 DType dtype);
  Part reduce_part(const Part& part, const std::vector<Index*>& indices, Opcode opcode, double initial);
  Value lower_argmax(Expr& expr);
  Value lower_user_reduce(Expr& expr);
  Part with_frame(const Part& part, const std::vector<Index*>& indices);
  std::optional<Part> lower_convolution(Expr& expr, Expr& image, Expr& kernel, const std::vector<Index*>& summed);
  std::optional<Part> lower_reduce_window(Expr& expr);

  // lower/lower_with.cpp
  Value lower_with(Expr& expr);

  Diagnostics& diagnostics_;
  const GrainOptions& options_;
  std::unique_ptr<Module> module_ = std::make_unique<Module>();
  Builder builder_;
  Places places_;
  std::vector<std::unique_ptr<File>> files_;
  std::map<std::string, File*> files_by_path_;
  std::vector<std::string> loading_;
  std::map<const File*, FileNames> file_names_;
  std::map<std::string, Formula> equal_;  // by require a == b
  DimValues dim_values_;
  std::vector<std::unique_ptr<Index>> all_indices_;
  std::vector<std::unique_ptr<Module>> scratch_;
  std::map<const WeightsDecl*, Value> weights_;
  Call* call_ = nullptr;
  std::map<const Function*, Computation*> meanings_;  // of extern functions, in HLO
  bool lowering_ = true;
  int depth_ = 0;
  int64_t work_ = 0;
  int serial_ = 0;
  std::set<std::string> reported_;
  // In `reported_`, of a carry that a step assigns without its prime: that it has no next value is no news.
  std::string said_of_carry(const std::string& name) const { return "carry " + name + " in " + call_->path; }
  struct Warning {
    Loc loc;
    std::string code, message, hint;
  };
  std::vector<Warning> warnings_;
  std::map<std::string, Loc> key_uses_;  // where a key was used first
  std::map<std::string, Computation*> threefry_;
  std::map<const Expr*, Signature> signatures_;  // of calls, as they were checked last

  struct MentionedIndex {
    const Index* index;
    const File* file;
    DimValues values;
    Loc loc;
  };
  std::vector<MentionedIndex> mentioned_indices_;

  // The statement that is compiled.
  std::vector<Index*> statement_indices_;
  std::vector<IndexUse> uses_;
  const Statement* statement_ = nullptr;
  std::vector<const Expr*> reductions_;  // around the expression that is checked
  int subscript_depth_ = 0;
  std::vector<const Expr*> compared_;  // comparisons of two indices
  const Type* expected_ = nullptr;     // that the definition is declared to have, for the base of `with`
};

// "first", "second", ...
std::string ordinal(size_t number);
// Through parentheses.
const Expr& plain(const Expr& expr);
Expr& plain(Expr& expr);

}  // namespace sinter::grain
