// C++ headers of five models in one program: what they take, what they refuse, and what becomes of instances. Compiled
// with exceptions and without; with WRONG, not at all.
#include <time.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#include "advance/advance.hpp"
#include "kinds/kinds.hpp"
#include "rising/rising.hpp"
#include "time/time.hpp"
#include "twice/twice.hpp"

#define EXPECT(condition)                                             \
  if (!(condition)) {                                                 \
    std::printf("line %d: %s\n", __LINE__, #condition), std::exit(1); \
  }

namespace {

template <class To, class From>
constexpr bool takes = std::is_constructible_v<To, From>;

using Input = decltype(twice::Inputs::x);
using Output = decltype(twice::Outputs::sum);
static_assert(std::is_same_v<Input, twice::Span<const float, 8>> && std::is_same_v<Output, twice::Span<float, 8>>);
static_assert(twice::count(&twice::Inputs::x) == 8);
static_assert(takes<Input, float*> && takes<Input, const float*> && takes<Output, float*>);
static_assert(takes<Input, const std::vector<float>&> && takes<Output, std::vector<float>&>);
static_assert(takes<Input, Output> && takes<Input, float (&)[8]>);
static_assert(!takes<Output, const float*> && !takes<Output, const std::vector<float>&> && !takes<Output, Input>);
static_assert(!takes<Output, const std::array<float, 8>&> && !takes<Output, const float (&)[8]>);
static_assert(!takes<Input, double*> && !takes<Input, std::vector<double>&> && !takes<Input, void*>);
static_assert(!takes<Input, int> && !takes<Input, float> && !takes<Input, float (&)[2][4]>);
static_assert(sizeof(kinds::Inputs) > 0 && std::is_same_v<decltype(kinds::Inputs::b), kinds::Span<const uint16_t, 4>>);
static_assert(std::is_same_v<decltype(kinds::Inputs::p), kinds::Span<const bool, 3>>);
static_assert(std::is_same_v<decltype(kinds::Inputs::z), kinds::Span<const float, 4>>);  // pairs
static_assert(std::is_same_v<decltype(kinds::Inputs::i), kinds::Span<const int8_t, 6>>);
static_assert(std::is_same_v<decltype(kinds::Inputs::scale), kinds::Span<const float, 1>>);
static_assert(std::is_nothrow_move_constructible_v<twice::Instance> && !std::is_copy_constructible_v<twice::Instance>);
static_assert(std::is_nothrow_move_assignable_v<twice::Instance> && !std::is_copy_assignable_v<twice::Instance>);

#ifdef WRONG
void wrong(std::array<float, 7>& seven, twice::Instance& model) {
#if WRONG == 1
  const twice::Inputs in = {seven};
#elif WRONG == 2
  float six[6];
  const twice::Outputs out = {six};
#elif WRONG == 3
  const twice::Instance copy(model);
#elif WRONG == 4
  model.try_run({seven.data()}, {seven.data()});  // and the status is not looked at
#endif
}
#endif

alignas(16) std::array<float, 8> x = {1, 2, 3, 4, 5, 6, 7, 8}, doubled;

bool is_doubled() {
  bool is = true;
  for (size_t i = 0; i < 8; ++i) is &= doubled[i] == 2 * x[i];
  doubled = {};
  return is;
}

// An instance, which must be there.
template <class Instance, class Status>
Instance created() {
  Status status;
  Instance model(status);
  EXPECT(status.ok() && *status.text() == '\0' && model);
  return model;
}

void test_arrays() {
  auto model = created<twice::Instance, twice::Status>();
  const std::vector<float> x_vector(x.begin(), x.end());
  std::vector<float> result(8);
  EXPECT(model.try_run({x}, {doubled}).ok() && is_doubled());
  EXPECT(model.try_run({x.data()}, {doubled.data()}, nullptr).ok() && is_doubled());
  EXPECT(model.try_run({x_vector}, {result}).ok() && result[7] == 16);
  alignas(16) float plain[8] = {3};
  EXPECT(model.try_run({plain}, {doubled}).ok() && doubled[0] == 6);
  twice::Inputs in;
  twice::Outputs out;
  EXPECT(model.try_run(in, out).code() == kTwiceInvalidArgument);  // null
  in.x = x;
  out.sum = doubled;
  EXPECT(model.try_run(in, out).ok() && is_doubled());
  // Results of one are arguments of the next.
  alignas(16) std::array<float, 8> again;
  EXPECT(model.try_run({x}, out).ok() && model.try_run({out.sum}, {again}).ok() && again[7] == 32);
#if __cplusplus >= 202002L
  EXPECT(model.try_run({.x = std::span(x)}, {.sum = std::span<float>(doubled)}).ok() && is_doubled());
#endif
}

// Sizes that are known when it runs.
void test_counts() {
  auto model = created<twice::Instance, twice::Status>();
  std::vector<float> seven(7), eight(8);
  twice::Status status = model.try_run({seven}, {eight});
  EXPECT(status.code() == kTwiceInvalidArgument);
  EXPECT(std::string(status.text()) == "twice: input x must have 8 elements");
  status = model.try_run({eight}, {std::vector<float>(9)});
  EXPECT(std::string(status.text()) == "twice: output sum must have 8 elements");
  EXPECT(model.try_run({eight}, {seven}).code() == kTwiceInvalidArgument);
}

void test_kinds() {
  static_assert(kinds::count(&kinds::Outputs::sum_2) == 6);
  auto model = created<kinds::Instance, kinds::Status>();
  alignas(16) std::array<uint16_t, 4> b = {0x3f80, 0, 0, 0xbf80}, minus_b;  // 1, 0, 0, -1
  alignas(16) std::array<bool, 3> p = {true, false, true}, not_p;
  alignas(16) std::array<float, 4> z = {1, 2, 3, 4}, two_z;
  alignas(16) std::array<int8_t, 6> i = {1, 2, 3, -4, 5, 6}, two_i;
  alignas(16) float scale[1] = {3}, square = 0;
  EXPECT(model.try_run({b, p, z, i, scale}, {minus_b, not_p, two_z, two_i, &square}).ok());
  EXPECT(minus_b[0] == 0xbf80 && minus_b[3] == 0x3f80 && !not_p[0] && not_p[1] && !not_p[2]);
  EXPECT(two_z[0] == 2 && two_z[3] == 8 && two_i[3] == -8 && two_i[5] == 12 && square == 9);
  // As the tables of the C interface have it.
  EXPECT(kKindsInputTable[0].bytes == sizeof b && kKindsInputTable[1].bytes == sizeof p);
  EXPECT(kKindsInputTable[2].bytes == sizeof z && kKindsInputTable[3].bytes == sizeof i);
}

// No inputs; and names that something has taken.
void test_others() {
  auto rising = created<rising::Instance, rising::Status>();
  alignas(16) std::array<int32_t, 5> result = {};
  EXPECT(rising.try_run({result}).ok() && result[4] == 4);
  EXPECT(rising.try_run({result}, nullptr).ok());
  auto times = created<time_model::Instance, time_model::Status>();
  alignas(16) std::array<float, 4> a = {5, 6, 7, 8}, b = {1, 2, 3, 4}, c = {};
  EXPECT(times.try_run({a, b}, {c}).ok() && c[0] == 4 && c[3] == 4);
  EXPECT(time(nullptr) != 0);
}

void test_lives() {
  using twice::Instance;
  auto model = created<Instance, twice::Status>();
  Instance other(std::move(model));
  EXPECT(!model && other && model.get() == nullptr);
  EXPECT(model.try_run({x}, {doubled}).code() == kTwiceInvalidArgument && other.try_run({x}, {doubled}).ok());
  EXPECT(is_doubled());
  model = std::move(other);
  EXPECT(model && !other && model.try_run({x}, {doubled}).ok());
  model = created<Instance, twice::Status>();  // what it had is destroyed
  Instance& itself = model;
  model = std::move(itself);
  EXPECT(model && model.try_run({x}, {doubled}).ok());
  std::swap(model, other);
  EXPECT(!model && other);
  other.reset();
  other.reset();
  EXPECT(!other && !other.try_run({x}, {doubled}).ok());
  std::vector<Instance> several;
  for (int i = 0; i < 5; ++i) several.push_back(created<Instance, twice::Status>());
  EXPECT(several[0].try_run({x}, {doubled}).ok());
  // The handle, for the functions of the C interface.
  const TwiceInputs in = {x.data()};
  const TwiceOutputs out = {doubled.data()};
  EXPECT(twice_run(several[4].get(), &in, &out, nullptr) == kTwiceOk);
}

void test_options() {
  EXPECT(twice::info().interface_hash == TWICE_INTERFACE);
  EXPECT(twice::workspace_bytes() == twice_workspace_bytes());
  twice::Options options;
  EXPECT(options.size == sizeof(TwiceOptions) && options.device == -1);
  twice::Status status;
  const twice::Instance model(options, status);
  EXPECT(status.ok() && model);
  options.device = 7;
  const twice::Instance none(options, status);
  EXPECT(!none && status.code() == kTwiceOtherDevice && std::strstr(status.text(), "no device 7") != nullptr);
  options.device = -1;
  options.interface_hash ^= 1;
  const twice::Instance of_other(options, status);
  EXPECT(!of_other && status.code() == kTwiceOtherInterface);
  EXPECT(std::strcmp(status.meaning(), "the caller was compiled with a header of another interface") == 0);
  EXPECT(std::strcmp(twice::Status().meaning(), "no error") == 0);
}

// A run that is launched as a graph: in place, where the input is the output, it goes on.
void test_graphs() {
  static_assert(std::is_nothrow_move_constructible_v<advance::Graph> && !std::is_copy_constructible_v<advance::Graph>);
  auto model = created<advance::Instance, advance::Status>();
  alignas(16) std::array<float, 64> state = {}, expected = {}, rate;
  rate.fill(0.5F);
  advance::Status status;
  advance::Graph graph(model, {state, rate}, {state}, status);
  EXPECT(status.ok() && graph && graph.get() != nullptr && state[0] == 0);
  for (int i = 0; i < 4; ++i) {
    EXPECT(graph.try_launch().ok() && model.try_run({expected, rate}, {expected}).ok());
    EXPECT(state == expected && state[0] != 0);
  }
  alignas(16) std::array<float, 64> other = {};
  EXPECT(graph.try_update({state, rate}, {other}).ok() && graph.try_launch(nullptr).ok() && state == expected);
  EXPECT(model.try_run({expected, rate}, {expected}).ok() && other == expected);
  EXPECT(graph.try_update({std::vector<float>(63), rate}, {other}).code() == kAdvanceInvalidArgument);
  EXPECT(graph.try_launch().ok());
  advance::Graph moved(std::move(graph));
  EXPECT(moved && !graph && graph.try_launch().code() == kAdvanceInvalidArgument);
  EXPECT(graph.try_update({state, rate}, {other}).code() == kAdvanceInvalidArgument && moved.try_launch().ok());
  graph = std::move(moved);
  EXPECT(graph && !moved && graph.try_launch().ok());
  const advance::Graph none(model, {state, std::vector<float>(7)}, {state}, status);
  EXPECT(!none && status.code() == kAdvanceInvalidArgument);
  // Without inputs.
  auto rising = created<rising::Instance, rising::Status>();
  alignas(16) std::array<int32_t, 5> result = {};
  rising::Status rising_status;
  const rising::Graph of_rising(rising, {result}, rising_status);
  EXPECT(rising_status.ok() && of_rising.try_launch().ok() && result[4] == 4);
}

// The options' allocator, of functions without names.
void test_allocator() {
  static int64_t given = 0, released = 0;
  kinds::Options options;
  options.allocate = [](void*, int64_t bytes) {
    given += bytes;
    return std::aligned_alloc(256, static_cast<size_t>(bytes + 255) / 256 * 256);
  };
  options.release = [](void*, void* memory, int64_t bytes) {
    released += bytes;
    std::free(memory);
  };
  {
    kinds::Status status;
    kinds::Instance model(options, status);
    EXPECT(status.ok() && given == kinds::workspace_bytes() && released == 0);
    kinds::Instance other(std::move(model));
  }
  EXPECT(released == given);
}

#ifdef __cpp_exceptions
template <class Call>
twice::Error thrown(Call call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return dynamic_cast<const twice::Error&>(error);
  }
  return twice::Error({});  // nothing was
}

void test_exceptions() {
  twice::Instance model;
  model.run({x}, {doubled});
  EXPECT(is_doubled());
  twice::Options options;
  options.device = 7;
  twice::Error error = thrown([&] { twice::Instance none(options); });
  EXPECT(error.code() == kTwiceOtherDevice && std::strcmp(error.what(), "twice: there is no device 7") == 0);
  EXPECT(std::strcmp(error.meaning(), twice_status_text(kTwiceOtherDevice)) == 0);
  error = thrown([&] { model.run({x}, {std::vector<float>(9)}); });
  EXPECT(error.code() == kTwiceInvalidArgument && std::strstr(error.what(), "sum must have 8") != nullptr);
  const twice::Instance moved(std::move(model));
  error = thrown([&] { model.run({x}, {doubled}); });
  EXPECT(error.code() == kTwiceInvalidArgument);
  rising::Instance rising{};
  alignas(16) std::array<int32_t, 5> result = {};
  rising.run({result});
  EXPECT(result[4] == 4);
  result = {};
  rising::Graph graph(rising, {result});
  graph.launch();
  EXPECT(result[4] == 4);
  graph.update({result});
  const rising::Graph taken(std::move(graph));
  taken.launch();
}
#else
void test_exceptions() {}
#endif

}  // namespace

int main() {
  test_arrays();
  test_counts();
  test_kinds();
  test_others();
  test_lives();
  test_options();
  test_graphs();
  test_allocator();
  test_exceptions();
  return 0;
}
