#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "language/outline.hpp"
#include "registry/short_ports.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::language {

/// The documents of a file, as an outline tells them.
struct OutlineFile {
  std::string path;  ///< absolute
  std::vector<OutlineNode> documents;
};

/// A component of an entity, or one that the entity shows of its subgraph.
struct OutlineComponent {
  std::string name;
  const TypeInfo* type = nullptr;  ///< never null
};

/// What the entities of outlines consist of, including what the short form makes and what
/// subgraphs show. It serves texts that may be no YAML yet.
class OutlineGraph {
 public:
  /// The text of a file by its absolute path; "" for a file that cannot be read.
  using Read = std::function<std::string(const std::string& path)>;

  /// `root`: a second folder for subgraph files, as --app-root names it; may be empty.
  OutlineGraph(const TypeCatalog& catalog, Read read, std::string root)
      : catalog_(catalog), read_(std::move(read)), root_(std::move(root)) {}

  [[nodiscard]] const TypeCatalog& catalog() const noexcept { return catalog_; }
  /// The components with a name, in the order in which gxr makes them. `path`: the document's file.
  std::vector<OutlineComponent> components_of(const OutlineNode& document, const std::string& path);
  /// Absolute paths of the files that a document includes.
  std::vector<std::string> included_by(const OutlineNode& document, const std::string& path);
  /// Folders in which files beside the application's file `path` are looked for, in this order.
  [[nodiscard]] std::vector<std::string> folders_for(const std::string& path) const;
  /// The ports of an operator's type.
  const ShortPorts& ports_of(const TypeInfo& type);

 private:
  void add_listed(const OutlineNode* list, std::vector<OutlineComponent>& found) const;
  void add_made(const OutlineNode& document, std::vector<OutlineComponent>& found);
  void add_free(const OutlineNode& document, const ShortPorts& ports,
                std::vector<OutlineComponent>& found) const;
  void add_shown(const OutlineNode& document, const std::string& path,
                 std::vector<OutlineComponent>& found);
  void add(std::string name, std::string_view type, std::vector<OutlineComponent>& found) const;
  const TypeInfo* type_of_target(const std::vector<std::string>& files, std::string_view target);
  const std::vector<OutlineNode>& documents_of(const std::string& path);

  const TypeCatalog& catalog_;
  Read read_;
  std::string root_;
  std::map<std::string, std::vector<OutlineNode>> files_;  // by path, those that were read
  std::map<const TypeInfo*, ShortPorts> ports_;
  std::size_t depth_ = 0;  // of subgraphs
};

}  // namespace gxr::language
