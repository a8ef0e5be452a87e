#pragma once

#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "graph/interface_resolver.hpp"
#include "graph/roles.hpp"
#include "graph/short_form.hpp"
#include "graph/suggester.hpp"

namespace gxr {

/// Finds the transmitters that inputs of short documents mean, when all entities are there.
class ShortInputs {
 public:
  ShortInputs(ShortForm& form, InterfaceResolver& interfaces, Suggester& suggester,
              Diagnostics& diagnostics, const Graph& graph)
      : form_(form),
        interfaces_(interfaces),
        suggester_(suggester),
        diagnostics_(diagnostics),
        graph_(graph) {}

  /// The entry of a Connection. Without a source if there is no such output, which was reported.
  struct Connection {
    const Value& entry;
    bool complete = true;
  };
  Connection connection(const ShortComponents::Input& input, const GraphEntity& consumer,
                        ScopeId scope);

 private:
  using Names = std::vector<std::string>;

  [[nodiscard]] Names outputs_of(const std::string& entity, const Value& source);
  [[nodiscard]] bool has_unknown(const GraphEntity& entity) const;
  [[nodiscard]] static bool lacks_names(const EntityInterface& interface);
  bool is_transmitter(const GraphComponent& component);
  void check_entity(const Value& source, const std::string& prefix);
  [[nodiscard]] std::string with_slash(const Value& source, const std::string& prefix) const;
  void report_no_entity(const Value& source, const std::string& prefix);
  void report(const Value& source, const std::string& entity, const Names& outputs);

  ShortForm& form_;
  InterfaceResolver& interfaces_;
  Suggester& suggester_;
  Diagnostics& diagnostics_;
  const Graph& graph_;
  std::unordered_map<std::string_view, bool> transmitters_;  // by type
};

}  // namespace gxr
