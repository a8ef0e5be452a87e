#include "graph/start_order.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gxr {
namespace {

/// The file's start_order list; reports a second one and what is not a list.
const Value* find_list(std::span<const DocumentPart> parts, Diagnostics& diagnostics) {
  const Value* list = nullptr;
  for (const DocumentPart& part : parts) {
    const Value* value = part.root->find("start_order");
    if (value == nullptr || value->is_null()) {
      continue;
    }
    if (!value->is_sequence()) {
      diagnostics.insist(diagnostics.add(DiagnosticCode::StartOrder, *value,
                                         "'start_order' must be a list of entity names",
                                         "write [first, second]"));
    } else if (list != nullptr) {
      diagnostics
          .insist(diagnostics.add(DiagnosticCode::StartOrder, *value,
                                  "this file has a second 'start_order'",
                                  "keep one list with all names"))
          .related.push_back({list->location(), "the first one is here"});
    } else {
      list = value;
    }
  }
  return list;
}

std::vector<std::string_view> entity_names(std::span<const DocumentPart> parts) {
  std::vector<std::string_view> names;
  for (const DocumentPart& part : parts) {
    const Value* name = part.root->find("name");
    const bool entity =
        part.root->find("components") != nullptr || part.root->find("operator") != nullptr;
    if (name != nullptr && name->is_scalar() && entity) {
      names.push_back(name->text());
    }
  }
  return names;
}

class Ranks {
 public:
  Ranks(const Value& list, std::span<const DocumentPart> parts, const Graph& graph,
        Diagnostics& diagnostics)
      : names_(entity_names(parts)), graph_(graph), diagnostics_(diagnostics) {
    if (list.size() > names_.size() && !graph.has_gaps()) {
      report_too_many(list);
    }
    std::vector<std::string_view> sorted = names_;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& name = list.at(i);
      if (!std::ranges::binary_search(sorted, name.text())) {
        if (!graph_.has_lost_entity(name.text())) {
          report_unknown(name);
        }
      } else if (!ranks_.emplace(name.text(), i).second) {
        diagnostics_.add(
            DiagnosticCode::StartOrder, name,
            "entity '" + std::string(name.text()) + "' is listed twice in 'start_order'",
            "remove one");
      }
    }
  }

  [[nodiscard]] std::size_t of(const DocumentPart& part) const {
    const Value* name = part.root->find("name");
    const auto rank = ranks_.find(name == nullptr ? std::string_view{} : name->text());
    return rank == ranks_.end() ? SIZE_MAX : rank->second;
  }

 private:
  /// The one length that GXF refuses.
  void report_too_many(const Value& list) {
    diagnostics_.insist(
        diagnostics_.add(DiagnosticCode::StartOrder, list,
                         "'start_order' has more names (" + std::to_string(list.size()) +
                             ") than this file has documents with a name and components (" +
                             std::to_string(names_.size()) + ")",
                         "leave out what is not in this file"));
  }

  void report_unknown(const Value& name) {
    const bool suggest = ++unknown_ <= 20;  // each costs a look at all names
    diagnostics_.add(
        DiagnosticCode::StartOrder, name,
        "'start_order' names '" + std::string(name.text()) + "', but this file has no such entity",
        suggest ? suggestion(name.text(), names_) : "");
  }

  std::vector<std::string_view> names_;
  const Graph& graph_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, std::size_t> ranks_;
  int unknown_ = 0;
};

}  // namespace

std::vector<std::size_t> start_order(std::span<const DocumentPart> parts, const Graph& graph,
                                     Diagnostics& diagnostics) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (const Value* list = find_list(parts, diagnostics)) {
    const Ranks ranks(*list, parts, graph, diagnostics);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks.of(parts[i]); });
  }
  return order;
}

}  // namespace gxr
