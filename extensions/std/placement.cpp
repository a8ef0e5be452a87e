#include "placement.hpp"

namespace gxr::mpi {

void Placement::declare(Interface& interface) {
  interface.parameter(ranks_, "ranks", "Names of the entities of each rank")
      .description(
          "A map from ranks, which count from 0, to names, such as {0: [camera, \"filter*\"], 1: "
          "writer}: of an entity, of a subgraph (all of its entities), or a pattern with '*'. In "
          "the file of a subgraph, names are those of that file. The file of --place counts more.");
}

}  // namespace gxr::mpi

namespace gxr {

using EntityNamesTraits = ParameterTraits<mpi::EntityNames>;
using NameList = ParameterTraits<std::vector<std::string>>;

mpi::EntityNames EntityNamesTraits::parse(const Value& value, ParameterContext& context) {
  if (value.is_scalar()) {
    return {{ParameterTraits<std::string>::parse(value, context)}};
  }
  return {NameList::parse(value, context)};
}

std::string EntityNamesTraits::to_yaml(const mpi::EntityNames& names) {
  return NameList::to_yaml(names.names);
}

}  // namespace gxr
