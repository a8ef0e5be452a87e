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

struct HoloscanOperator {
  std::string_view name;
  std::string_view type;  // of gxr; empty: there is none
};

constexpr HoloscanOperator kHoloscanOperators[] = {
    {"PingTxOp", "gxr::sample::PingTx"},
    {"PingRxOp", "gxr::sample::PingRx"},
    {"BayerDemosaicOp", "gxr::image::DemosaicBilinear"},
    {"FormatConverterOp", "gxr::image::FormatConverter"},
    {"VideoStreamRecorderOp", "gxr::EntityRecorder"},
    {"VideoStreamReplayerOp", "gxr::stream_playback::VideoStreamReplayer"},
    {"HolovizOp", {}},
    {"InferenceOp", {}},
    {"InferenceProcessorOp", {}},
    {"SegmentationPostprocessorOp", {}},
    {"V4L2VideoCaptureOp", {}},
    {"AJASourceOp", {}},
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

std::string hint_for_holoscan(std::string_view type) {
  const std::size_t colon = type.rfind(':');
  const std::string_view space =
      colon == std::string_view::npos ? std::string_view() : type.substr(0, colon + 1);
  if (!space.empty() && space != "holoscan::ops::" && space != "ops::") {
    return {};
  }
  const auto* const found =
      std::ranges::find(kHoloscanOperators, type.substr(space.size()), &HoloscanOperator::name);
  if (found == std::end(kHoloscanOperators)) {
    return {};
  }
  return found->type.empty()
             ? "gxr has no operator for it; docs/coming-from-holoscan.md compares Holoscan with gxr"
             : "did you mean '" + std::string(found->type) +
                   "'? docs/coming-from-holoscan.md compares Holoscan with gxr";
}

}  // namespace gxr
