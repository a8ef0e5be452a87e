#include "commands/cuda_dot.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::commands {
namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& file, std::string region) {
  std::ranges::replace(region, '/', '.');  // of a subgraph
  fs::path path(file);
  path.replace_filename(path.stem().string() + "-" + region + path.extension().string());
  return path.string();
}

int access_error(const fs::path& path, int mode) {
  return ::access(path.c_str(), mode) == 0 ? 0 : errno;
}

void require_writable(const std::string& file) {
  const fs::path path(file);
  int error = access_error(path, W_OK);
  if (error == 0 && fs::is_directory(path)) {
    error = EISDIR;
  } else if (error == ENOENT) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    error = access_error(folder, W_OK | X_OK);
  }
  if (error != 0) {
    throw Error(ErrorCode::InputOutput, "cannot write '" + file + "': " + system_error_text(error));
  }
}

}  // namespace

std::vector<std::string> cuda_dot_files(const Plan& plan, const std::string& file) {
  const auto graphs = std::ranges::count_if(
      plan.regions, [](const Region& region) { return region.graph.has_value(); });
  if (graphs == 0) {
    throw Error(ErrorCode::InvalidArgument,
                "--cuda-dot draws CUDA graphs, and the application has none; --executor graph "
                "makes one of every connected set of operators that can be one");
  }
  std::vector<std::string> files(plan.regions.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (plan.regions[i].graph) {
      files[i] = graphs == 1 ? file : file_of(file, plan.regions[i].name);
      require_writable(files[i]);
    }
  }
  return files;
}

}  // namespace gxr::commands
