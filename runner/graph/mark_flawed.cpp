#include "graph/mark_flawed.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace gxr {
namespace {

auto order_of(const Location& where) { return std::tuple(where.source, where.line, where.column); }

/// The text from `where` to the next anchor belongs to this entity and, if there is one, component.
struct Anchor {
  Location where;
  EntityId entity = kNone;
  ComponentId component = kNone;
};

class Anchors {
 public:
  Anchors(const Document& document, const Graph& graph) {
    add_borders(document.parts());
    for (const IncludedFile& file : document.included()) {
      add_borders(file.parts);
    }
    for (const GraphEntity& entity : graph.entities) {
      add({entity.where, entity.id, kNone});
      for (const Location where : entity.documents) {
        add({where, entity.id, kNone});
      }
    }
    for (const GraphComponent& component : graph.components) {
      if (!graph.entity_of(component).where.known()) {
        continue;  // a connection that an entity's `inputs` say: the text is that entity's
      }
      add({component.where, component.entity, component.id});
      add({component.type_location, component.entity, component.id});
      for (const ParameterAssignment& assignment : component.parameters) {
        add({assignment.key_location, component.entity, component.id});
      }
    }
    // An entity's anchor stands behind the border of its document.
    std::ranges::stable_sort(anchors_, {}, [](const Anchor& a) { return order_of(a.where); });
  }

  /// Calls `mark` for all to whom the text at `where` belongs: a file that is included twice makes
  /// two of each.
  template <class Mark>
  void at(Location where, const Mark& mark) const {
    auto anchor = std::ranges::upper_bound(anchors_, order_of(where), {},
                                           [](const Anchor& a) { return order_of(a.where); });
    if (anchor == anchors_.begin() || std::prev(anchor)->where.source != where.source) {
      return;
    }
    const Location begin = std::prev(anchor)->where;
    while (anchor != anchors_.begin() && (--anchor)->where == begin) {
      mark(*anchor);
    }
  }

 private:
  /// A document that makes no entity: what is wrong in it is nobody's.
  void add_borders(const std::vector<DocumentPart>& parts) {
    for (const DocumentPart& part : parts) {
      add({part.root->location(), kNone, kNone});
    }
  }

  void add(const Anchor& anchor) {
    if (anchor.where.known()) {
      anchors_.push_back(anchor);
    }
  }

  std::vector<Anchor> anchors_;
};

}  // namespace

void mark_flawed(const Document& document, const Diagnostics& diagnostics, Graph& graph) {
  if (diagnostics.errors() == 0) {
    return;
  }
  const Anchors anchors(document, graph);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::Error) {
      continue;
    }
    anchors.at(diagnostic.where, [&](const Anchor& anchor) {
      if (anchor.entity != kNone) {
        graph.entities[anchor.entity].flawed = true;
      }
      if (anchor.component != kNone) {
        graph.components[anchor.component].flawed = true;
      }
    });
  }
}

}  // namespace gxr
