#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/launch_line.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// What the source of the line is called.
inline constexpr const char* kLaunchSource = "<launch>";

/// The application that the arguments of `gxr launch` describe: a front end, which writes documents
/// in the short form.
class Launch {
 public:
  /// Adds the line to the sources of the document and reads it.
  GXR_INTERNAL_API Launch(const std::vector<std::string>& arguments, Document& document,
                          Diagnostics& diagnostics);

  /// Puts a document for each element in front of those that `document`, the same one, has. Places
  /// are those in the line. Reports what cannot be joined; then nothing is added.
  GXR_INTERNAL_API void add_documents(const TypeCatalog& catalog, Document& document,
                                      Diagnostics& diagnostics) const;

 private:
  std::uint16_t source_;
  LaunchLine line_;
};

}  // namespace gxr
