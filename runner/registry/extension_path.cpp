#include "registry/extension_path.hpp"

#include <algorithm>
#include <cstdlib>

#include "registry/python_interpreter.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

void add(std::vector<fs::path>& places, const fs::path& place) {
  places.push_back(place);
  if (!ends_with(place.string(), ".so") && !is_python_file(place)) {
    places.emplace_back(place.string() + ".so");
  }
}

void add_from(std::vector<fs::path>& places, const char* variable, const fs::path& name) {
  for (const std::string& folder : path_list_of(variable)) {
    add(places, fs::path(folder) / name);
  }
}

bool is_bare(const std::string& name) { return name.find('/') == std::string::npos; }

}  // namespace

std::vector<std::string> split_path_list(std::string_view list) {
  std::vector<std::string> items;
  while (!list.empty()) {
    const std::size_t end = list.find(':');
    if (end != 0) {
      items.emplace_back(list.substr(0, end));
    }
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return items;
}

std::vector<std::string> path_list_of(const char* variable) {
  const char* value = std::getenv(variable);
  return split_path_list(value != nullptr ? value : "");
}

std::vector<fs::path> places_of_argument(const std::string& name) {
  std::vector<fs::path> places;
  add(places, name);
  if (is_bare(name)) {
    add_from(places, "GXR_EXTENSION_PATH", name);
  }
  return places;
}

std::vector<fs::path> places_of_app_entry(const std::string& name, const fs::path& app_file) {
  std::vector<fs::path> places;
  if (app_file.has_parent_path() && fs::path(name).is_relative()) {
    add(places, app_file.parent_path() / name);
  }
  for (const fs::path& place : places_of_argument(name)) {
    places.push_back(place);
  }
  return places;
}

std::vector<fs::path> places_of_manifest_entry(const std::string& name, const fs::path& manifest) {
  std::vector<fs::path> places{name};
  if (manifest.has_parent_path() && fs::path(name).is_relative()) {
    places.push_back(manifest.parent_path() / name);
  }
  const fs::path file = fs::path(name).filename();
  add_from(places, "LD_LIBRARY_PATH", file);
  add_from(places, "GXR_EXTENSION_PATH", file);
  return places;
}

fs::path first_found(const std::vector<fs::path>& places) {
  auto found = std::find_if(places.begin(), places.end(), [](const fs::path& place) {
    std::error_code ignored;
    return fs::exists(place, ignored) && !fs::is_directory(place, ignored);
  });
  if (found == places.end()) {
    found = std::find_if(places.begin(), places.end(), [](const fs::path& place) {
      std::error_code ignored;
      return fs::exists(place, ignored);
    });
  }
  return found == places.end() ? fs::path() : *found;
}

bool is_gxf_library(const std::string& name) {
  return fs::path(name).filename().string().rfind("libgxf_", 0) == 0;
}

}  // namespace gxr
