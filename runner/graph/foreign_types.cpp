#include "graph/foreign_types.hpp"

#include <algorithm>
#include <iterator>

namespace gxr {
namespace {

struct ForeignType {
  std::string_view name;  // behind nvidia::gxf::
  std::string_view extension;
};

constexpr ForeignType kForeignTypes[] = {
    {"GraphWorker", "std"},
    {"GraphDriver", "std"},
    {"TcpClient", "network"},
    {"TcpServer", "network"},
    {"ClockSyncPrimary", "network"},
    {"ClockSyncSecondary", "network"},
    {"UcxReceiver", "ucx"},
    {"UcxTransmitter", "ucx"},
    {"UcxContext", "ucx"},
    {"UcxSerializationBuffer", "ucx"},
    {"UcxComponentSerializer", "ucx"},
    {"UcxEntitySerializer", "ucx"},
    {"GrpcServer", "grpc"},
    {"GrpcClient", "grpc"},
    {"HttpServer", "http"},
    {"HttpClient", "http"},
    {"HttpIPCClient", "http"},
    {"CppRestHttpClient", "http"},
    {"StreamSync", "stream"},
    {"StreamSyncId", "stream"},
    {"PyCodeletV0", "python_codelet"},
};

}  // namespace

std::string_view gxf_extension_of(std::string_view type) noexcept {
  constexpr std::string_view kNamespace = "nvidia::gxf::";
  if (!type.starts_with(kNamespace)) {
    return {};
  }
  type.remove_prefix(kNamespace.size());
  if (type.starts_with("benchmark::")) {
    return "benchmark";
  }
  const auto* const found = std::ranges::find(kForeignTypes, type, &ForeignType::name);
  return found == std::end(kForeignTypes) ? std::string_view() : found->extension;
}

}  // namespace gxr
