// Atoms: made with a fingerprint, so that comparing two takes no more than their first difference, and one object for
// all that are the same in every respect, so that expressions share them without counting who does. A program has
// few different ones; they are kept until the process ends.
#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_set>

#include "ir/index/index_algebra.h"

namespace sinter {
namespace {

constexpr int kMaxCost = 1 << 20;

uint64_t mix(uint64_t hash, uint64_t value) {
  uint64_t x = hash ^ (value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The fingerprint leaves out ranges: a coordinate of one kernel and one of another may differ in nothing else.
struct AtomHash {
  size_t operator()(const Atom& atom) const {
    const uint64_t hash = mix(atom.fingerprint[0], static_cast<uint64_t>(atom.range.low));
    return mix(hash, static_cast<uint64_t>(atom.range.high));
  }
};

struct IsSameAtom {
  bool operator()(const Atom& a, const Atom& b) const {
    return a.fingerprint == b.fingerprint && a.range == b.range && is_identical(a.operand, b.operand) &&
           is_identical(a.flat, b.flat);
  }
};

using AtomTable = std::unordered_set<Atom, AtomHash, IsSameAtom>;

// Each thread makes atoms in a table of its own, without a lock; the tables outlive the threads, as expressions may.
AtomTable& this_threads_atoms() {
  static std::mutex mutex;
  static std::list<AtomTable>& tables = *new std::list<AtomTable>;
  thread_local AtomTable& mine = [&]() -> AtomTable& {
    const std::lock_guard<std::mutex> lock(mutex);
    return tables.emplace_back();
  }();
  return mine;
}

const Atom* the_one(Atom atom) { return &*this_threads_atoms().insert(std::move(atom)).first; }

}  // namespace

uint64_t mix_expr(uint64_t hash, const IndexExpr& expr, int which) {
  for (const Term& term : expr.terms()) {
    hash = mix(hash, static_cast<uint64_t>(term.coefficient));
    hash = mix(hash, term.atom->fingerprint[which]);
  }
  return mix(hash, static_cast<uint64_t>(expr.constant()));
}

int cost_of(const IndexExpr& expr) {
  int cost = 0;
  for (const Term& term : expr.terms()) cost = std::min(kMaxCost, cost + term.atom->cost);
  return cost;
}

// Three-way order of different atoms or equal ones; loops where a recursive comparison would descend: only the
// first difference of two operands matters.
int compare_atoms(const Atom* a, const Atom* b) {
  while (!same_atom(*a, *b)) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    if (a->divisor != b->divisor) return a->divisor < b->divisor ? -1 : 1;
    const llvm::ArrayRef<Term> x = a->operand.terms();
    const llvm::ArrayRef<Term> y = b->operand.terms();
    size_t i = 0;
    const size_t common = std::min(x.size(), y.size());
    while (i < common && x[i].coefficient == y[i].coefficient && same_atom(*x[i].atom, *y[i].atom)) ++i;
    if (i == common) {
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      return a->operand.constant() < b->operand.constant() ? -1 : 1;
    }
    if (same_atom(*x[i].atom, *y[i].atom)) return x[i].coefficient < y[i].coefficient ? -1 : 1;
    a = x[i].atom;
    b = y[i].atom;
  }
  return 0;
}

const Atom* make_leaf(AtomKind kind, int id, IndexRange range) {
  Atom atom;
  atom.kind = kind;
  atom.id = id;
  atom.range = range;
  for (int which = 0; which < 2; ++which) {
    const uint64_t seed = mix(static_cast<uint64_t>(which), static_cast<uint64_t>(kind));
    atom.fingerprint[which] = mix(seed, static_cast<uint64_t>(id));
  }
  return the_one(std::move(atom));
}

const Atom* make_composite(AtomKind kind, IndexExpr operand, int64_t divisor, IndexExpr flat) {
  Atom atom;
  atom.kind = kind;
  atom.divisor = divisor;
  const IndexRange range = operand.range();
  atom.range = kind == AtomKind::kFloorDiv ? divide_range(range, divisor) : IndexRange{0, divisor - 1};
  for (const Term& term : flat.terms()) atom.depth = std::max(atom.depth, term.atom->depth);
  ++atom.depth;
  atom.cost = std::min(kMaxCost, cost_of(operand) + 1);
  for (int which = 0; which < 2; ++which) {
    uint64_t seed = mix(static_cast<uint64_t>(which), static_cast<uint64_t>(kind));
    seed = mix(seed, static_cast<uint64_t>(divisor));
    atom.fingerprint[which] = mix_expr(seed, operand, which);
  }
  atom.operand = std::move(operand);
  atom.flat = std::move(flat);
  return the_one(std::move(atom));
}

}  // namespace sinter
