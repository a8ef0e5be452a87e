#include "graph/lost_names.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_set>

#include "graph/document_keys.hpp"

namespace gxr {
namespace {

bool has_text(const Value* value) {
  return value != nullptr && value->is_scalar() && !value->text().empty();
}

std::size_t count_key(const Value& map, std::string_view key) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    count += map.key(i).text() == key ? 1U : 0U;
  }
  return count;
}

bool is_short(const Value& root) { return root.find("operator") != nullptr; }

bool has_unknown_key(const Value& root) {
  for (std::size_t i = 0; i < root.size(); ++i) {
    if (!is_document_key(root.key(i).text(), is_short(root))) {
      return true;
    }
  }
  return false;
}

/// The text of each key that is unknown, or of a name that is written twice.
void add_odd_names(const Value& root, Graph& graph) {
  const bool several = count_key(root, "name") > 1;
  for (std::size_t i = 0; i < root.size(); ++i) {
    const std::string_view key = root.key(i).text();
    const bool odd = key == "name" ? several : !is_document_key(key, is_short(root));
    if (odd && has_text(&root.value(i))) {
      graph.lost_entities.insert(root.value(i).text());
    }
  }
}

bool note_document(const Value& root, bool compat_gxf, Graph& graph) {
  const Value* name = root.find("name");
  const Value* list = root.find("components");
  const bool no_list = list != nullptr && !list->is_sequence() && !list->is_null();
  const bool reserved = has_text(name) && name->text().starts_with("__");
  if (reserved) {
    const std::size_t begin = std::min(name->text().find_first_not_of('_'), name->text().size());
    graph.lost_entities.insert(name->text().substr(begin));
  } else if (name != nullptr && !name->is_scalar() && !name->is_null()) {
    graph.lost_nameless = true;
  }
  // Documents without '---' between them each have a list; only one of them counts.
  const bool several_lists = count_key(root, "components") > 1;
  const bool unknown_key = !compat_gxf && has_unknown_key(root);
  if (!compat_gxf) {
    add_odd_names(root, graph);
  }
  const bool makes_nothing = list == nullptr && !is_short(root);
  const bool lost = no_list || reserved || (unknown_key && makes_nothing) || several_lists;
  if (lost && has_text(name)) {
    graph.lost_entities.insert(name->text());
  } else if (lost) {
    graph.lost_unnamed = true;
  }
  return lost || unknown_key;
}

}  // namespace

bool note_lost_entities(std::span<const DocumentPart> parts, const Diagnostics& diagnostics,
                        Graph& graph) {
  bool any = false;
  for (const DocumentPart& part : parts) {
    any = note_document(*part.root, diagnostics.compat_gxf(), graph) || any;
  }
  return any;
}

void note_unusable(std::span<const DocumentPart> parts, Graph& graph) {
  for (const DocumentPart& part : parts) {
    bool named = false;
    const Value& root = *part.root;
    for (std::size_t i = 0; root.is_sequence() && i < root.size(); ++i) {
      const Value& item = root.at(i);
      const bool entity = item.is_map() && (item.find("components") != nullptr || is_short(item));
      const Value* name = entity ? item.find("name") : nullptr;
      if (has_text(name)) {
        graph.lost_entities.insert(name->text());
        named = true;
      }
    }
    graph.lost_nameless = graph.lost_nameless || !named;
  }
}

void note_lost_component(const Value& entry, const GraphEntity& entity, Graph& graph) {
  LostComponents& lost = graph.lost_components[entity.id];
  bool named = false;
  for (std::size_t i = 0; entry.is_map() && i < entry.size(); ++i) {
    const std::string_view key = entry.key(i).text();
    if (key != "type" && key != "parameters" && has_text(&entry.value(i))) {
      lost.names.insert(entry.value(i).text());
      named = true;
    }
  }
  lost.nameless = lost.nameless || !named;
}

bool has_duplicate_key(const Value& map) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; map.is_map() && i < map.size(); ++i) {
    if (!seen.insert(map.key(i).text()).second) {
      return true;
    }
  }
  return false;
}

}  // namespace gxr
