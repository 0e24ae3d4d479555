#include "review/diff/canonical_text.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

#include "ir/support/is_word.h"

namespace sinter {

namespace {

using Kind = CodeNode::Kind;
using Colour = uint64_t;

Colour mix(Colour a, Colour b) {
  Colour x = a * 0x9e3779b97f4a7c15u + b + 0x7f4a7c15u;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 29);
}

Colour colour_of(const std::string& text) {
  Colour colour = 0xcbf29ce484222325u;
  for (const char c : text) colour = (colour ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mix(colour, text.size());
}

// Two colours: without numbers, and with them.
struct Colours {
  Colour shape = 0, full = 0;
  friend auto operator<=>(const Colours&, const Colours&) = default;
};

// What a statement does, for the question whether it may change places with another. Places are numbered.
class Footprints {
 public:
  explicit Footprints(const Code& code) : code_(code) {}

  struct Footprint {
    std::vector<int> reads, writes;
    bool waits = false, leaves = false, memory = false;
  };

  Footprint of(const CodeNode& node) {
    const Effects effects = effects_of(node);
    Footprint print = {.waits = effects.waits, .leaves = effects.leaves};
    for (const Access& access : effects.accesses) {
      const int number = number_of(resolved(code_, access.place));
      (access.write ? print.writes : print.reads).push_back(number);
      print.memory = print.memory || !local_[number];
    }
    for (std::vector<int>* list : {&print.reads, &print.writes}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return print;
  }

  bool independent(const Footprint& a, const Footprint& b) {
    if (a.leaves || b.leaves) return false;
    if ((a.waits && (b.waits || b.memory)) || (b.waits && a.memory)) return false;
    return !overlap(a.writes, b.writes) && !overlap(a.writes, b.reads) && !overlap(a.reads, b.writes);
  }

 private:
  int number_of(const Place& place) {
    const std::string key =
        std::to_string(place.entity) + (place.pointee ? "*" : "") + (place.open ? "" : "?") + place.path;
    const auto [found, added] = numbers_.try_emplace(key, static_cast<int>(places_.size()));
    if (added) {
      const bool is_local = place.entity >= 0 && !place.pointee && code_.entities[place.entity].local &&
                            !code_.entities[place.entity].escapes;
      places_.push_back(place);
      local_.push_back(is_local);
    }
    return found->second;
  }

  bool overlap(const std::vector<int>& a, const std::vector<int>& b) {
    for (const int first : a) {
      for (const int second : b) {
        if (first == second) return true;
        if (local_[first] && local_[second] && places_[first].entity != places_[second].entity) continue;
        const uint64_t key = (static_cast<uint64_t>(std::min(first, second)) << 32) | std::max(first, second);
        auto known = overlaps_.find(key);
        if (known == overlaps_.end()) {
          known = overlaps_.emplace(key, may_overlap(code_, places_[first], places_[second])).first;
        }
        if (known->second) return true;
      }
    }
    return false;
  }

  const Code& code_;
  std::unordered_map<std::string, int> numbers_;
  std::vector<Place> places_;
  std::vector<bool> local_;
  std::unordered_map<uint64_t, bool> overlaps_;
};

using Names = std::map<std::string, std::string>;

std::string with_renamed_words(const std::string& text, const Names& renamed) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string word = text.substr(i, std::max(end, i + 1) - i);
    const auto found = renamed.find(word);
    result += found == renamed.end() ? word : found->second;
    i += word.size();
  }
  return result;
}

std::string with_renamed(const std::string& text, const Names& renamed) {
  if (text.starts_with("function ")) {
    const auto found = renamed.find(text.substr(9));
    if (found != renamed.end()) return "function " + found->second;
  }
  // "type Hooks<SoftmaxInstance, SoftmaxOptions>", "function Failure::operator SoftmaxStatus".
  if (text.starts_with("type ") || text.find("::operator ") != std::string::npos)
    return with_renamed_words(text, renamed);
  if (text.starts_with("string ")) {
    // A launcher names the kernel that failed.
    const std::string enqueue = "::enqueue";
    const auto found = renamed.find(text.substr(7) + enqueue);
    if (found != renamed.end() && found->second.ends_with(enqueue))
      return "string " + found->second.substr(0, found->second.size() - enqueue.size());
  }
  return text;
}

void rename(CodeNode* node, const Names& renamed) {
  if (node->kind == Kind::kWord) node->text = with_renamed(node->text, renamed);
  for (CodeNode& part : node->parts) rename(&part, renamed);
}

class Writer {
 public:
  Writer(const Code& code, const CanonicalOptions& options, const Names& renamed)
      : code_(code), options_(options), renamed_(renamed), footprints_(code) {
    colour_entities();
  }

  std::vector<CanonicalToken> run(const std::vector<int>& roots) {
    for (const int root : roots) {
      if (!code_.entities[root].exported.empty()) add("as " + exported_name(code_.entities[root].exported));
      write_name(root, 0);
    }
    // Definitions stand in the order in which they are first named.
    for (size_t i = 0; i < order_.size(); ++i) {
      add("define #" + std::to_string(i));
      const Entity& entity = code_.entities[order_[i]];
      write(entity.definition, entity.kernel);
    }
    return std::move(tokens_);
  }

 private:
  // --- colours: what tells names apart that may be any ---------------------------------------------------------------

  Colours colour(const CodeNode& node) {
    Colours result;
    switch (node.kind) {
      case Kind::kName:
        result = entities_[node.entity];
        break;
      case Kind::kNumber: {
        const size_t type = node.text.rfind(':');
        result.shape = colour_of(node.text.substr(type == std::string::npos ? 0 : type));
        result.full = colour_of(node.text);
        break;
      }
      default: {
        result.shape = result.full = mix(colour_of(node.text), static_cast<Colour>(node.kind));
        std::vector<Colours> parts;
        parts.reserve(node.parts.size());
        for (const CodeNode& part : node.parts) parts.push_back(colour(part));
        const bool any_order = options_.any_parameter_order && node.text == "parameters";
        if (node.kind != Kind::kWord || any_order) std::sort(parts.begin(), parts.end());
        for (const Colours& part : parts) {
          result.shape = mix(result.shape, part.shape);
          result.full = mix(result.full, part.full);
        }
      }
    }
    if (options_.without_numbers) result.full = result.shape;
    known_[&node] = result;
    return result;
  }

  // What surrounds each name, of the colours known so far.
  void collect(const CodeNode& node, Colours around, std::vector<std::vector<Colours>>* found) {
    if (node.kind == Kind::kName) {
      (*found)[node.entity].push_back(around);
      return;
    }
    const bool any_order = options_.any_parameter_order && node.text == "parameters";
    const bool ordered = node.kind == Kind::kWord && !any_order;
    for (size_t i = 0; i < node.parts.size(); ++i) {
      Colours inner = around;
      if (node.kind == Kind::kStatements) {
        const Colours& statement = known_.at(&node.parts[i]);
        inner = {mix(inner.shape, statement.shape), mix(inner.full, statement.full)};
      }
      const Colour step = mix(colour_of(node.text), ordered ? i + 1 : 0);
      inner = {mix(inner.shape, step), mix(inner.full, step)};
      collect(node.parts[i], inner, found);
    }
  }

  void colour_entities() {
    entities_.assign(code_.entities.size(), {});
    for (size_t i = 0; i < code_.entities.size(); ++i) {
      const Colour kind = mix(static_cast<Colour>(code_.entities[i].kind), code_.entities[i].local);
      entities_[i] = {kind, kind};
    }
    // Each round lets names see one step further.
    constexpr int kRounds = 12;
    size_t distinct = 0;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Colours> next(code_.entities.size());
      for (size_t i = 0; i < code_.entities.size(); ++i) next[i] = colour(code_.entities[i].definition);
      std::vector<std::vector<Colours>> around(code_.entities.size());
      for (size_t i = 0; i < code_.entities.size(); ++i) collect(code_.entities[i].definition, next[i], &around);
      std::set<Colours> seen;
      for (size_t i = 0; i < code_.entities.size(); ++i) {
        std::sort(around[i].begin(), around[i].end());
        next[i] = {mix(next[i].shape, entities_[i].shape), mix(next[i].full, entities_[i].full)};
        for (const Colours& context : around[i]) {
          next[i] = {mix(next[i].shape, context.shape), mix(next[i].full, context.full)};
        }
        seen.insert(next[i]);
      }
      entities_ = std::move(next);
      if (seen.size() <= distinct) break;
      distinct = seen.size();
    }
    for (const Entity& entity : code_.entities) colour(entity.definition);
  }

  // What a function is called in its namespace, which is that of its file.
  std::string exported_name(std::string name) const {
    if (const auto found = renamed_.find(name); found != renamed_.end()) name = found->second;
    const size_t end = name.rfind("::");
    return end == std::string::npos ? name : name.substr(end + 2);
  }

  // --- text ----------------------------------------------------------------------------------------------------------

  void add(std::string text, int line = 0) { tokens_.push_back({.text = std::move(text), .line = line}); }

  void write_name(int entity, int line) {
    const auto [found, added] = numbers_.try_emplace(entity, static_cast<int>(order_.size()));
    if (added) order_.push_back(entity);
    tokens_.push_back({.text = "#" + std::to_string(found->second), .entity = entity, .line = line});
  }

  // The numbers of the names in a tree, those without one last: what tells apart what has the same colour.
  void numbers_in(const CodeNode& node, std::vector<int>* numbers) const {
    if (node.kind == Kind::kName) {
      const auto found = numbers_.find(node.entity);
      numbers->push_back(found == numbers_.end() ? INT32_MAX : found->second);
    }
    for (const CodeNode& part : node.parts) numbers_in(part, numbers);
  }

  bool comes_before(const CodeNode& a, const CodeNode& b) const {
    const Colours &first = known_.at(&a), &second = known_.at(&b);
    if (first != second) return first < second;
    std::vector<int> numbers, others;
    numbers_in(a, &numbers);
    numbers_in(b, &others);
    return numbers < others;
  }

  void write_statements(const std::vector<CodeNode>& list) {
    std::vector<Footprints::Footprint> prints;
    prints.reserve(list.size());
    for (const CodeNode& statement : list) prints.push_back(footprints_.of(statement));
    std::vector<int> waits_for(list.size(), 0);
    std::vector<std::vector<size_t>> then(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      for (size_t j = i + 1; j < list.size(); ++j) {
        if (footprints_.independent(prints[i], prints[j])) continue;
        then[i].push_back(j);
        ++waits_for[j];
      }
    }
    std::vector<size_t> ready;
    for (size_t i = 0; i < list.size(); ++i) {
      if (waits_for[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
      size_t best = 0;
      for (size_t i = 1; i < ready.size(); ++i) {
        if (comes_before(list[ready[i]], list[ready[best]])) best = i;
      }
      const size_t chosen = ready[best];
      ready.erase(ready.begin() + static_cast<int64_t>(best));
      write(list[chosen], false);
      for (const size_t next : then[chosen]) {
        if (--waits_for[next] == 0) ready.insert(std::lower_bound(ready.begin(), ready.end(), next), next);
      }
    }
  }

  void write(const CodeNode& node, bool of_kernel) {
    switch (node.kind) {
      case Kind::kName:
        write_name(node.entity, node.line);
        return;
      case Kind::kNumber:
        tokens_.push_back(
            {.text = node.text, .number = true, .shown = node.shown, .spelled = node.spelled, .line = node.line});
        return;
      case Kind::kStatements:
        add("{");
        write_statements(node.parts);
        add("}");
        return;
      case Kind::kCommuting: {
        add("(" + node.text, node.line);
        const bool swap = comes_before(node.parts[1], node.parts[0]);
        write(node.parts[swap ? 1 : 0], false);
        write(node.parts[swap ? 0 : 1], false);
        add(")");
        return;
      }
      case Kind::kWord:
        break;
    }
    add((node.parts.empty() ? "" : "(") + node.text, node.line);
    if (of_kernel && options_.any_parameter_order) {
      // The body names the parameters first.
      for (size_t i = node.parts.size(); i-- > 0;) write_parameters_last(node.parts[i]);
    } else {
      for (const CodeNode& part : node.parts) write(part, false);
    }
    if (!node.parts.empty()) add(")");
  }

  void write_parameters_last(const CodeNode& part) {
    if (part.kind != Kind::kWord || part.text != "parameters") return write(part, false);
    std::vector<int> numbers;
    numbers_in(part, &numbers);
    std::sort(numbers.begin(), numbers.end());
    add("(parameters");
    for (const int number : numbers) add(number == INT32_MAX ? "unused" : "#" + std::to_string(number));
    add(")");
  }

  const Code& code_;
  const CanonicalOptions& options_;
  const Names& renamed_;
  Footprints footprints_;
  std::vector<Colours> entities_;
  std::unordered_map<const CodeNode*, Colours> known_;
  std::vector<CanonicalToken> tokens_;
  std::map<int, int> numbers_;
  std::vector<int> order_;
};

}  // namespace

std::vector<CanonicalToken> canonical_text(Code code, const std::vector<int>& roots, const CanonicalOptions& options,
                                           const std::map<std::string, std::string>& renamed) {
  // Before anything is put into an order, which hangs on these names.
  if (!renamed.empty()) {
    for (Entity& entity : code.entities) rename(&entity.definition, renamed);
  }
  return Writer(code, options, renamed).run(roots);
}

}  // namespace sinter
