#include "graph/file_beside.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "document/utf8.hpp"
#include "graph/failure_place.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// A pattern such as "shots/*.png" or "shot-%04d.png" is there when its folder is.
fs::path plain_part(const std::string& path) {
  const std::size_t pattern = path.find_first_of("*?%");
  return pattern == std::string::npos ? fs::path(path)
                                      : fs::path(path.substr(0, pattern)).parent_path();
}

/// Folders of the file that says the value, and of the application's first file.
std::vector<fs::path> folders_for(const SourceMap& sources, Location where) {
  std::vector<fs::path> folders;
  for (std::uint16_t index = 0; index < sources.size(); ++index) {
    const Source& source = sources.at(index);
    const bool first = folders.empty() && index != where.source;
    if (source.kind == Source::Kind::File && (index == where.source || first)) {
      folders.insert(index == where.source ? folders.begin() : folders.end(),
                     fs::path(source.name).parent_path());
    }
  }
  return folders;
}

/// "; 'in.csv' stands beside the application: …", or nothing.
std::string advice(const Graph& graph, const SourceMap& sources, const GraphComponent& component,
                   const ParameterAssignment& assignment) {
  const std::string path(assignment.value->text());
  const fs::path wanted = plain_part(path);
  if (wanted.empty() || wanted.is_absolute() || is_there(wanted)) {
    return {};
  }
  for (const fs::path& folder : folders_for(sources, assignment.value->location())) {
    if (!folder.empty() && is_there(folder / wanted)) {
      return "; it is not in the working folder, but beside the application, in " +
             quote_text(folder.string()) + ": run gxr there, or name it by '-p " +
             graph.full_name(component) + "/" + std::string(assignment.key) + "=" +
             (folder / path).string() + "'";
    }
  }
  return {};
}

}  // namespace

void explain_missing_file(const Graph& graph, const SourceMap& sources, Failure& failure) {
  const GraphComponent* const component = failed_component(graph, failure);
  if (component == nullptr) {
    return;
  }
  for (const ParameterAssignment& assignment : component->parameters) {
    const bool is_file = assignment.info != nullptr &&
                         assignment.info->type.kind == ParameterType::Kind::File &&
                         assignment.value->is_scalar();
    // Only what the component names itself: another file may be what is wrong.
    if (is_file && failure.text.find(assignment.value->text()) != std::string::npos) {
      failure.text += advice(graph, sources, *component, assignment);
    }
  }
}

}  // namespace gxr
