#include "subgraph.hpp"

namespace gxr {

void Subgraph::declare(Interface& interface) {
  interface.parameter(location_, "location", "File with the entities of the subgraph")
      .description(
          "Several files are a list, or one text with commas. A relative name counts from the "
          "folder "
          "of the file that includes it, else from --app-root, else from the working folder.");
  interface.parameter(prerequisites_, "prerequisites", "Components that the subgraph needs")
      .description("The subgraph calls them prerequisites/NAME.")
      .optional();
}

}  // namespace gxr
