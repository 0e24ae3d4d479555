#include "review/diff/pair_kernels.h"

#include <algorithm>
#include <functional>
#include <set>

#include "ir/support/sha256.h"
#include "review/diff/canonical_text.h"
#include "review/diff/kernel_comment.h"
#include "review/diff/simplify_code.h"

namespace sinter {

namespace {

// What is equal for kernels that are `text` of each other; empty where that is not known.
std::string key_of(const Side& side, const std::string& kernel) {
  const auto found = side.codes.find(Side::path_of(kernel));
  if (found == side.codes.end() || !found->second || !found->second->not_followed.empty()) return "";
  Code code = *found->second;
  simplify(&code, {});
  const std::vector<int> roots = code.roots;
  std::string key;
  for (const CanonicalToken& token : canonical_text(std::move(code), roots, {})) key += token.text + "\n";
  return sha256_hex(key);
}

using Overlaps = std::map<std::string, std::map<std::string, Overlap>>;

// By kernel after, then before.
Overlaps turned(const Overlaps& overlaps) {
  Overlaps result;
  for (const auto& [name, others] : overlaps) {
    for (const auto& [other, overlap] : others) {
      result[other][name] = {.both = overlap.both,
                             .before = overlap.after,
                             .after = overlap.before,
                             .known_before = overlap.known_after,
                             .known_after = overlap.known_before};
    }
  }
  return result;
}

// A whole and its parts, which have all of its values, and no others that the other side has.
void find_parts(const Overlaps& overlaps, bool split, KernelPairs* pairs, std::vector<KernelDiff>* found) {
  for (const auto& [whole, others] : overlaps) {
    if (!(split ? pairs->is_free_before(whole) : pairs->is_free_after(whole))) continue;
    std::vector<std::string> parts;
    size_t covered = 0, values = 0;
    for (const auto& [part, overlap] : others) {
      const bool is_free = split ? pairs->is_free_after(part) : pairs->is_free_before(part);
      if (!is_free || overlap.both < overlap.known_after) continue;
      parts.push_back(part);
      covered += overlap.both;
      values = overlap.known_before;
    }
    if (parts.size() < 2 || covered < values) continue;
    KernelDiff diff = {.verdict = split ? Verdict::kSplit : Verdict::kMerged};
    (split ? diff.before : diff.after) = {whole};
    (split ? diff.after : diff.before) = parts;
    (split ? pairs->after_of : pairs->before_of)[whole] = parts[0];
    for (const std::string& part : parts) (split ? pairs->before_of : pairs->after_of)[part] = whole;
    found->push_back(std::move(diff));
  }
}

// Those that have most in common first.
void pair_by_values(const Overlaps& overlaps, KernelPairs* pairs) {
  struct Candidate {
    double share;
    std::string before, after;
  };
  std::vector<Candidate> candidates;
  for (const auto& [name, others] : overlaps) {
    for (const auto& [other, overlap] : others) {
      const size_t either = overlap.before + overlap.after - overlap.both;
      // Of one name they are what is looked for, of as much in common.
      const double named = name == other ? 0.01 : 0;
      candidates.push_back({static_cast<double>(overlap.both) / static_cast<double>(either) + named, name, other});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.share > b.share; });
  constexpr double kLeast = 0.3;  // in common of what either computes: below, they are kernels of their own
  for (const Candidate& candidate : candidates) {
    if (candidate.share < kLeast) continue;
    if (pairs->is_free_before(candidate.before) && pairs->is_free_after(candidate.after)) {
      pairs->pair(candidate.before, candidate.after);
    }
  }
}

std::vector<KernelDiff> find_split_and_merged(const Side& before, const Side& after, KernelPairs* pairs);

}  // namespace

KernelPairs pair_kernels(const Side& before, const Side& after, const ModulePair* modules,
                         std::vector<KernelDiff>* split_and_merged) {
  KernelPairs pairs;
  const std::set<std::string> names_after(after.kernels.begin(), after.kernels.end());
  for (const std::string& name : before.kernels) {
    if (same_bytes(before, after, name)) pairs.pair(name, name);
  }
  const auto by = [&](const std::function<std::string(const Side&, const std::string&)>& key) {
    std::multimap<std::string, std::string> keys;
    for (const std::string& name : after.kernels) {
      if (!pairs.is_free_after(name)) continue;
      const std::string text = key(after, name);
      if (!text.empty()) keys.emplace(text, name);
    }
    for (const std::string& name : before.kernels) {
      if (!pairs.is_free_before(name)) continue;
      const auto [first, last] = keys.equal_range(key(before, name));
      if (first == last) continue;
      auto chosen = first;
      for (auto at = first; at != last; ++at) {
        if (at->second == name) chosen = at;  // of several the one of its name
      }
      pairs.pair(name, chosen->second);
      keys.erase(chosen);
    }
  };
  by([&](const Side& side, const std::string& name) { return key_of(side, name); });
  if (modules != nullptr) {
    const Overlaps overlaps = kernel_overlaps(*modules);
    find_parts(overlaps, true, &pairs, split_and_merged);
    find_parts(turned(overlaps), false, &pairs, split_and_merged);
    pair_by_values(overlaps, &pairs);
  }
  by([&](const Side& side, const std::string& name) { return computation_of(side, name); });
  for (const std::string& name : before.kernels) {
    if (pairs.is_free_before(name) && names_after.count(name) > 0 && pairs.is_free_after(name)) pairs.pair(name, name);
  }
  // Numbers behind a name come and go with others of that name: "sum_1", "sum".
  by([&](const Side&, const std::string& name) { return name.substr(0, name.find_last_not_of("0123456789_") + 1); });
  for (KernelDiff& diff : find_split_and_merged(before, after, &pairs)) split_and_merged->push_back(std::move(diff));
  return pairs;
}

namespace {

// By the formulas of their comments, of those that are left.
std::vector<KernelDiff> find_split_and_merged(const Side& before, const Side& after, KernelPairs* pairs) {
  std::vector<KernelDiff> found;
  const auto results = [](const Side& side, const std::string& name) {
    std::set<std::string> formulas;
    if (side.is_edited(Side::path_of(name))) return formulas;
    for (const std::string& formula : read_kernel_comment(side.text(name)).formulas) {
      formulas.insert(formula.substr(formula.find(" = ") + 3));
    }
    return formulas;
  };
  const auto find = [&](const Side& one_side, const Side& other_side, bool split) {
    for (const std::string& name : one_side.kernels) {
      const bool free = split ? pairs->is_free_before(name) : pairs->is_free_after(name);
      if (!free) continue;
      const std::set<std::string> whole = results(one_side, name);
      std::vector<std::string> parts;
      size_t covered = 0;
      for (const std::string& other : other_side.kernels) {
        if (!(split ? pairs->is_free_after(other) : pairs->is_free_before(other))) continue;
        const std::set<std::string> part = results(other_side, other);
        if (part.empty() || !std::includes(whole.begin(), whole.end(), part.begin(), part.end())) continue;
        parts.push_back(other);
        covered += part.size();
      }
      if (parts.size() < 2 || covered < whole.size()) continue;
      KernelDiff diff = {.verdict = split ? Verdict::kSplit : Verdict::kMerged};
      (split ? diff.before : diff.after) = {name};
      (split ? diff.after : diff.before) = parts;
      (split ? pairs->after_of : pairs->before_of)[name] = parts[0];
      for (const std::string& part : parts) (split ? pairs->before_of : pairs->after_of)[part] = name;
      found.push_back(std::move(diff));
    }
  };
  find(before, after, true);
  find(after, before, false);
  return found;
}

}  // namespace

}  // namespace sinter
