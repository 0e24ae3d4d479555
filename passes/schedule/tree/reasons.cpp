#include "passes/schedule/tree/reasons.h"

#include <algorithm>

namespace sinter {
namespace {

constexpr std::string_view kCheaper = "nothing; storing is the cheaper choice";

constexpr Reason kReasons[] = {
    {"recomputed-too-often",
     "several kernels need the value, and computing it in each would cost more than storing it once", kCheaper},
    {"recomputed-reduction", "a kernel holding the value would make a reduction again for each of its uses", kCheaper},
    {"slower-together",
     "a kernel that computes the value beside what reads it is predicted to take longer than two kernels, the value in "
     "memory between them (docs/cost.md)",
     kCheaper},
    {"domain-mismatch",
     "the consumer's threads are laid out over another shape, and the value is not a matter of one element a thread "
     "there",
     "the same shape on both sides; a reduction over the last axes"},
    {"serial-reduction",
     "a kernel holding the value would make this reduction in each step of another one, by few threads, one after the "
     "other",
     kCheaper},
    {"few-rows",
     "the kernel that makes this reduction has few blocks, since it has few rows: what comes of it for each of many "
     "elements has a kernel of its own",
     "more rows at a time: a larger batch"},
    {"contraction-operand",
     "a matrix product reads the value: computed in its kernel, it would be made again by every tile, or for every "
     "element",
     kCheaper},
    {"one-contraction", "the kernel that reads this matrix product computes another one already",
     "nothing; each matrix product has a kernel"},
    {"host-loop-operand", "a loop that the host runs reads the value",
     "a loop body in which each element depends on its own index alone"},
    {"own-stage",
     "a sort, a top-k or the like: it has kernels of its own, and what reads its result reads it from memory",
     "nothing; what comes before it element by element is computed where it is read, and what follows a Fourier "
     "transform "
     "and has a place for each of its elements where that is stored"},
    {"own-stage-operand",
     "a sort, a top-k or the like reads the value, which it cannot compute where it reads an element (a reduction, a "
     "matrix product, a loop)",
     "nothing; what is element by element would be computed there"},
    {"library-call", "the value is the result of a library's call",
     "a matrix that fits a block (docs/schedule.md, Library calls)"},
    {"library-operand", "a library's call reads the value",
     "a matrix that fits a block (docs/schedule.md, Library calls)"},
    {"statement-limit",
     "one kernel holding it would be longer than 2,000 statements or compute more than four times its instructions",
     "a loop (`jax.lax.scan`, `jax.lax.fori_loop`) in place of steps written out"},
    {"unsupported-op", "the op has no form inside a kernel of this kind", "another op; `sinter opt --list-ops`"},
    {"empty-concatenate", "every piece of a concatenation is empty", "pieces that are not empty"},
    {"left-out", "`--without` leaves out the move that could have kept it", "compiling without that option"},
    {"plan", "the plan file has one kernel store the value and another read it",
     "a plan in which one kernel computes both (docs/schedule.md, Editing a plan)"},
    {"host-loop-carry", "the value starts, is or decides the state of a loop that the host runs",
     "what lets the loop run in a kernel: see loop-crosses-threads, loop-serial, loop-state-large"},
    {"loop-result",
     "a loop inside a kernel gives the value, and another kernel reads it over a domain of its own (a transposition, "
     "a reduction)",
     "results read as the loop leaves them"},
    {"host-loop-result",
     "the state of a loop that the host runs ends elsewhere than its result is wanted: it is still a parameter, two "
     "results are one value, or the number of iterations is not known",
     "a fixed number of iterations"},
    {"donated-input-read",
     "a donated input is read after its output is written, or by other threads than those that write it: the output "
     "is computed aside and copied, so that both may be one array",
     "reading the input last; not donating it"},
    {"update-in-place",
     "the kernel stores an update in place, and computes what is updated, or what reads the result, too",
     "a kernel of its own for each update"},
    {"updated-in-place",
     "a donated input is updated in place: it is copied first if the caller gives another array for the output, which "
     "is not counted as bytes or as a launch",
     "giving one array for both"},
    {"result-elsewhere", "a result is a parameter, a constant, or another result",
     "not returning what the caller has already"},
    {"host-branch",
     "the host reads the selector of this conditional and launches the arm's kernels: an arm holds a matrix product or "
     "a reduction of long rows, which have kernels of their own",
     "a select, where both arms may be computed"},
    {"tuple-opaque", "the argument of a conditional is not a tuple of arrays that is built for it",
     "a tuple built at the call"},
    {"loop-crosses-threads",
     "an element of the loop's state depends on other elements of the state (a stencil, a reduction, a matrix product "
     "in the body), so threads cannot run it alone, and these are more than the threads of a block: the loop runs on "
     "the host, its state in device memory",
     "a body in which each element depends on its own index alone; at most 1,024 elements that need each other, of "
     "which a batch (`jax.vmap`) may have any number"},
    {"loop-serial",
     "a step of the loop reduces so many elements that one thread, or one block, would take longer than the kernels of "
     "a step: the loop runs on the host",
     "sums of integers, minima and maxima that nothing in the loop reads; a wider parallel axis"},
    {"loop-state-large", "a thread would hold too many values of the loop's state in registers",
     "fewer carries a thread; a wider parallel axis"},
    {"loop-state-opaque", "the loop's state is not a tuple of arrays that its body builds",
     "a state that the body builds as a tuple of arrays"},
    {"stack-is-read", "an array that the loop fills step by step is also read inside the loop",
     "carrying the element that is read beside the array"},
    {"stack-partial",
     "a step writes a part of the stacked output that is neither whole nor one row at the loop's counter",
     "one row a step at the loop's counter, as `jax.lax.scan` stacks its outputs"},
    {"stack-row-large", "what a step writes does not spread evenly over the threads that run the loop",
     "rows of the shape that the loop carries"},
};

}  // namespace

std::span<const Reason> reasons() { return kReasons; }

const Reason* find_reason(std::string_view code) {
  const Reason* found =
      std::find_if(std::begin(kReasons), std::end(kReasons), [&](const Reason& reason) { return reason.code == code; });
  return found == std::end(kReasons) ? nullptr : found;
}

}  // namespace sinter
