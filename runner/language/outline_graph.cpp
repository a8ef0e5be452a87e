#include "language/outline_graph.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "graph/short_form.hpp"
#include "graph/subgraph_files.hpp"
#include "graph/subgraphs.hpp"
#include "language/uri.hpp"

namespace gxr::language {
namespace {

namespace fs = std::filesystem;

/// Subgraphs in subgraphs; files that include themselves have no end.
constexpr std::size_t kDeepestSubgraph = 8;
constexpr std::string_view kReceiver = "gxr::DoubleBufferReceiver";
constexpr std::string_view kTransmitter = "gxr::DoubleBufferTransmitter";

void add_locations(const OutlineNode& location, std::vector<std::string>& names) {
  for (const LocationItem& item : split_location(location.text)) {
    names.push_back(without_cursor(item.name));
  }
  for (const OutlineNode& each : location.items) {
    add_locations(each, names);
  }
}

}  // namespace

std::vector<OutlineComponent> OutlineGraph::components_of(const OutlineNode& document,
                                                          const std::string& path) {
  std::vector<OutlineComponent> found;
  if (depth_ == kDeepestSubgraph) {
    return found;
  }
  ++depth_;
  add_listed(document.find("components"), found);
  add_made(document, found);
  add_shown(document, path, found);
  --depth_;
  return found;
}

void OutlineGraph::add(std::string name, std::string_view type,
                       std::vector<OutlineComponent>& found) const {
  const TypeInfo* const known = catalog_.find(type);
  if (known != nullptr && !name.empty() &&
      std::ranges::find(found, name, &OutlineComponent::name) == found.end()) {
    found.push_back({std::move(name), known});
  }
}

void OutlineGraph::add_listed(const OutlineNode* list, std::vector<OutlineComponent>& found) const {
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const OutlineNode& each = list->items[i];
    const std::string type = without_cursor(each.text_of("type"));
    if (!is_subgraph_type(type)) {
      add(without_cursor(each.text_of("name")), type, found);
    }
  }
}

/// Components that the short form makes, as far as the document itself tells.
void OutlineGraph::add_made(const OutlineNode& document, std::vector<OutlineComponent>& found) {
  const std::string type_name = without_cursor(document.text_of("operator"));
  const TypeInfo* const type = catalog_.find(type_name);
  if (type == nullptr) {
    return;
  }
  const ShortPorts& ports = ports_of(*type);
  const OutlineNode* const parameters = document.find("parameters");
  for (const ShortPort& port : ports.ports) {
    if (parameters == nullptr || parameters->find(port.key) == nullptr) {
      const bool is_input = port.direction == PortInfo::Direction::Input;
      add(std::string(port.key), is_input ? kReceiver : kTransmitter, found);
    }
  }
  add_free(document, ports, found);
  if (document.find("count") != nullptr) {
    add(std::string(kShortCount), "gxr::CountSchedulingTerm", found);
  }
  if (document.find("period") != nullptr) {
    add(std::string(kShortPeriod), "gxr::PeriodicSchedulingTerm", found);
  }
  add_listed(document.find("terms"), found);
  add(std::string(kShortCodelet), type_name, found);
}

/// Queues whose names the author chooses.
void OutlineGraph::add_free(const OutlineNode& document, const ShortPorts& ports,
                            std::vector<OutlineComponent>& found) const {
  const OutlineNode* const inputs = document.find("inputs");
  const OutlineNode* const settings = document.find("ports");
  for (const OutlineNode* const map : {inputs, settings}) {
    for (std::size_t i = 0; map != nullptr && i < map->entries.size(); ++i) {
      const std::string key = without_cursor(map->entries[i].key);
      if (ports.find(key) != nullptr) {
        continue;
      }
      const bool is_output = ports.has_free_outputs() && (!ports.open_inputs || inputs == nullptr ||
                                                          inputs->find(key) == nullptr);
      if (is_output || ports.open_inputs) {
        add(key, is_output ? kTransmitter : kReceiver, found);
      }
    }
  }
}

/// The names under `interfaces` in the files of a subgraph.
void OutlineGraph::add_shown(const OutlineNode& document, const std::string& path,
                             std::vector<OutlineComponent>& found) {
  const std::vector<std::string> files = included_by(document, path);
  for (const std::string& file : files) {
    for (const OutlineNode& each : documents_of(file)) {
      const OutlineNode* const shown = each.find("interfaces");
      for (std::size_t i = 0; shown != nullptr && i < shown->items.size(); ++i) {
        const OutlineNode& item = shown->items[i];
        const TypeInfo* const type = type_of_target(files, item.text_of("target"));
        if (type != nullptr) {
          add(std::string(item.text_of("name")), type->name, found);
        }
      }
    }
  }
}

/// `target`: "entity/component" in these files.
const TypeInfo* OutlineGraph::type_of_target(const std::vector<std::string>& files,
                                             std::string_view target) {
  const std::size_t slash = target.find('/');
  if (slash == std::string_view::npos) {
    return nullptr;
  }
  for (const std::string& file : files) {
    for (const OutlineNode& document : documents_of(file)) {
      if (document.text_of("name") != target.substr(0, slash)) {
        continue;
      }
      for (const OutlineComponent& each : components_of(document, file)) {
        if (each.name == target.substr(slash + 1)) {
          return each.type;
        }
      }
    }
  }
  return nullptr;
}

std::vector<std::string> OutlineGraph::folders_for(const std::string& path) const {
  std::vector<std::string> folders{fs::path(path).parent_path().string()};
  if (!root_.empty()) {
    folders.push_back(absolute_path(root_));
  }
  folders.push_back(absolute_path("."));
  return folders;
}

std::vector<std::string> OutlineGraph::included_by(const OutlineNode& document,
                                                   const std::string& path) {
  std::vector<std::string> names;
  const OutlineNode* const list = document.find("components");
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const OutlineNode* const parameters = list->items[i].find("parameters");
    const OutlineNode* const location =
        parameters != nullptr ? parameters->find("location") : nullptr;
    if (location != nullptr && is_subgraph_type(list->items[i].text_of("type"))) {
      add_locations(*location, names);
    }
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    for (const std::string& folder : folders_for(path)) {
      std::error_code ignored;
      const fs::path file = fs::path(folder) / name;
      if (fs::is_regular_file(file, ignored)) {
        files.push_back(absolute_path(file.string()));
        break;
      }
    }
  }
  return files;
}

const ShortPorts& OutlineGraph::ports_of(const TypeInfo& type) {
  const auto [known, is_new] = ports_.try_emplace(&type);
  if (is_new) {
    known->second = short_ports(type, catalog_);
  }
  return known->second;
}

const std::vector<OutlineNode>& OutlineGraph::documents_of(const std::string& path) {
  const auto [known, is_new] = files_.try_emplace(path);
  if (is_new) {
    known->second = read_outline(read_(path));
  }
  return known->second;
}

}  // namespace gxr::language
