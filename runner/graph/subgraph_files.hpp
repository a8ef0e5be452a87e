#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "internal_api.hpp"

namespace gxr {

/// A file name in the text of a `location`, in which commas separate several.
struct LocationItem {
  std::size_t offset = 0;  ///< bytes of the text in front of it
  std::string_view name;
};
GXR_INTERNAL_API std::vector<LocationItem> split_location(std::string_view text);

/// One file name in the `location` of a Subgraph.
struct SubgraphLocation {
  std::string file;
  Location where;
  std::uint32_t length = 1;
};

/// The names in a location: a list, or one text with commas between them.
std::vector<SubgraphLocation> read_subgraph_locations(const Value& location,
                                                      Diagnostics& diagnostics);

/// Finds the files of subgraphs and notices when one includes itself.
class SubgraphFiles {
 public:
  /// What is wrong in a file that is read now goes to `reading`.
  SubgraphFiles(Document& document, std::string root, Diagnostics& diagnostics,
                Diagnostics& reading)
      : document_(document), root_(std::move(root)), diagnostics_(diagnostics), reading_(reading) {}

  /// The file, looked for beside the file that names it, then in the root folder, then in the
  /// working directory; nullptr when it cannot be used, which was reported. Every success is
  /// followed by leave().
  const IncludedFile* enter(const SubgraphLocation& location);
  void leave() { open_.pop_back(); }
  /// The same for an application's own file.
  void enter_application_file(std::uint16_t source);

 private:
  struct Open {
    std::filesystem::path path;  // the one real path of the file
    std::string name;
    Location included_at;
  };
  [[nodiscard]] std::vector<std::filesystem::path> places(const SubgraphLocation& location) const;
  void report_missing(const SubgraphLocation& location,
                      const std::vector<std::filesystem::path>& places);
  bool has_room(std::size_t documents, const SubgraphLocation& location);
  void report_recursion(const SubgraphLocation& location, std::size_t first);

  Document& document_;
  std::string root_;
  Diagnostics& diagnostics_;
  Diagnostics& reading_;
  std::vector<Open> open_;     // each is included by the one before
  std::size_t documents_ = 0;  // of all files that were entered, as often as they were
  bool is_full_ = false;
};

}  // namespace gxr
