#include "language/entity_lists.hpp"

#include <algorithm>

namespace gxr::language {

const ParameterType& element_of(const ParameterType& type) {
  return type.of.empty() || type.kind == ParameterType::Kind::Pair ? type
                                                                   : element_of(type.of.front());
}

bool names_entities(const TypeInfo& type, const ParameterInfo& parameter) {
  using Kind = Capability::Kind;
  if (element_of(parameter.type).kind != ParameterType::Kind::String) {
    return false;
  }
  if (type.name.ends_with("::GraphExecutor")) {
    return parameter.key == "entities";
  }
  const auto lists = [&](Kind kind) {
    const Capability* const branch = type.find(kind);
    return branch != nullptr &&
           std::ranges::find(branch->parameters, parameter.key) != branch->parameters.end();
  };
  return lists(Kind::BranchIf) || lists(Kind::BranchSwitch) || lists(Kind::BranchWhile) ||
         lists(Kind::BranchEvery);
}

}  // namespace gxr::language
