#include "graph_dot.hpp"

#include <filesystem>
#include <fstream>

#include "cuda_call.hpp"
#include "gxr/error.hpp"
#include "gxr/open_file.hpp"

namespace gxr::cuda {
namespace {

[[noreturn]] void throw_not_written(const std::string& file, const std::string& reason) {
  throw Error(ErrorCode::InputOutput, "cannot write '" + file + "'" + reason);
}

/// The driver opens the file again, by its name, and says nothing when it cannot.
void begin_file(const std::string& file) {
  if (const OpenFile opened = open_to_write(file, WriteMode::Anew); !opened) {
    throw_not_written(file, ": " + opened.reason());
  }
}

/// Nothing says that the driver reports a full disk.
void require_complete(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) {
    return;  // a pipe, perhaps
  }
  std::ifstream written(file);
  char last = '\0';
  for (char c = '\0'; written >> c;) {
    last = c;
  }
  if (last != '}') {
    throw_not_written(file, {});
  }
}

}  // namespace

void write_dot(cudaGraph_t graph, const std::string& file) {
  begin_file(file);
  // All flags together fill pages for every kernel.
  constexpr unsigned kFlags =
      cudaGraphDebugDotFlagsKernelNodeParams | cudaGraphDebugDotFlagsMemcpyNodeParams |
      cudaGraphDebugDotFlagsMemsetNodeParams | cudaGraphDebugDotFlagsHostNodeParams |
      cudaGraphDebugDotFlagsEventNodeParams;
  cuda_check("cudaGraphDebugDotPrint", cudaGraphDebugDotPrint(graph, file.c_str(), kFlags));
  require_complete(file);
}

}  // namespace gxr::cuda
