#include "graph/subgraph_files.hpp"

#include <algorithm>

#include "document/utf8.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// Documents that subgraphs may add; a file counts each time it is included.
constexpr std::size_t kMostDocuments = 250'000;

fs::path real_path(const fs::path& path) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(path, ignored);
  return real.empty() ? path : real;
}

void add_items(const Value& scalar, std::vector<SubgraphLocation>& items) {
  for (const LocationItem& item : split_location(scalar.text())) {
    items.push_back({std::string(item.name), inside(scalar, item.offset), length_of(item.name)});
  }
}

void report_shape(const Value& value, Diagnostics& diagnostics) {
  diagnostics.add(DiagnosticCode::ParameterValue, value,
                  "'location' needs the name of a file, or a list of them",
                  "write 'location: camera.yaml'");
}

}  // namespace

std::vector<LocationItem> split_location(std::string_view text) {
  std::vector<LocationItem> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(" \t\n", begin), end);
    const std::size_t last = text.find_last_not_of(" \t\n", end == 0 ? 0 : end - 1);
    if (first < end) {
      items.push_back({first, text.substr(first, last + 1 - first)});
    }
    begin = end + 1;
  }
  return items;
}

std::vector<SubgraphLocation> read_subgraph_locations(const Value& location,
                                                      Diagnostics& diagnostics) {
  std::vector<SubgraphLocation> items;
  if (location.is_scalar()) {
    add_items(location, items);
  }
  for (std::size_t i = 0; location.is_sequence() && i < location.size(); ++i) {
    if (location.at(i).is_scalar()) {
      add_items(location.at(i), items);
    } else {
      report_shape(location.at(i), diagnostics);
    }
  }
  if (items.empty()) {
    report_shape(location, diagnostics);
  }
  return items;
}

void SubgraphFiles::enter_application_file(std::uint16_t source) {
  const Source& file = document_.sources().at(source);
  const fs::path path =
      file.kind == Source::Kind::File ? real_path(file.name) : fs::path(file.name);
  open_.assign(1, {path, file.name, {}});
}

std::vector<fs::path> SubgraphFiles::places(const SubgraphLocation& location) const {
  const fs::path file = location.file;
  if (file.is_absolute()) {
    return {file};
  }
  std::vector<fs::path> places;
  const auto add = [&](const fs::path& place) {
    if (std::ranges::find(places, place) == places.end()) {
      places.push_back(place);
    }
  };
  const Source& including = document_.sources().at(location.where.source);
  if (including.kind == Source::Kind::File) {
    add(fs::path(including.name).parent_path() / file);
  }
  if (!root_.empty()) {
    add(fs::path(root_) / file);
  }
  add(file);
  return places;
}

const IncludedFile* SubgraphFiles::enter(const SubgraphLocation& location) {
  if (is_full_) {
    return nullptr;
  }
  if (location.file.find('\0') != std::string::npos) {
    diagnostics_.add(DiagnosticCode::ParameterValue, location.where, location.length,
                     quote_text(location.file) + " is no path: it has a NUL byte");
    return nullptr;
  }
  const std::vector<fs::path> candidates = places(location);
  const auto found = std::ranges::find_if(candidates, [](const fs::path& place) {
    std::error_code ignored;
    return fs::exists(place, ignored);
  });
  if (found == candidates.end()) {
    report_missing(location, candidates);
    return nullptr;
  }
  const fs::path real = real_path(*found);
  const auto known = std::ranges::find(open_, real, &Open::path);
  if (known != open_.end()) {
    report_recursion(location, static_cast<std::size_t>(known - open_.begin()));
    return nullptr;
  }
  open_.push_back({real, found->string(), location.where});
  const IncludedFile& file = document_.include(found->string(), reading_);
  if (!has_room(std::max<std::size_t>(file.parts.size(), 1), location)) {
    leave();
    return nullptr;
  }
  return &file;
}

/// Counts the documents of a file that was just opened; reports when they are too many.
bool SubgraphFiles::has_room(std::size_t documents, const SubgraphLocation& location) {
  if (documents <= kMostDocuments - documents_) {
    documents_ += documents;
    return true;
  }
  is_full_ = true;
  diagnostics_.add(DiagnosticCode::SubgraphsTooLarge, location.where, location.length,
                   "subgraphs expand the application by more than " +
                       std::to_string(kMostDocuments) + " documents",
                   "files that include others twice multiply; here " +
                       std::to_string(open_.size()) + " files are open, from " +
                       in_quotes(open_.front().name) + " on");
  return false;
}

void SubgraphFiles::report_missing(const SubgraphLocation& location,
                                   const std::vector<fs::path>& places) {
  std::string tried;
  for (const fs::path& place : places) {
    tried += (tried.empty() ? "looked for " : ", ") + place.string();
  }
  diagnostics_.add(DiagnosticCode::FileNotFound, location.where, location.length,
                   "subgraph file " + in_quotes(location.file) + " does not exist", tried);
}

void SubgraphFiles::report_recursion(const SubgraphLocation& location, std::size_t first) {
  std::string chain;
  for (std::size_t i = first; i < open_.size(); ++i) {
    chain += open_[i].name + " -> ";
  }
  Diagnostic& report =
      diagnostics_.add(DiagnosticCode::SubgraphRecursion, location.where, location.length,
                       "subgraph file " + in_quotes(open_[first].name) + " includes itself",
                       chain + open_[first].name);
  for (std::size_t i = first; i < open_.size(); ++i) {
    if (open_[i].included_at.known()) {
      report.related.push_back(
          {open_[i].included_at, in_quotes(open_[i].name) + " is included here"});
    }
  }
}

}  // namespace gxr
