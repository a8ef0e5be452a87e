#include <map>
#include <optional>
#include <type_traits>
#include "gxf/core/expected_macro.hpp"
#include "gxf/core/parameter_parser_std.hpp"
#include "gxf/cuda/cuda_event.hpp"
#include "gxf/cuda/cuda_stream_id.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxf/multimedia/audio.hpp"
#include "gxf/multimedia/camera.hpp"
#include "gxf/multimedia/video.hpp"
#include "gxf/serialization/component_serializer.hpp"
#include "gxf/serialization/entity_serializer.hpp"
#include "gxf/serialization/file_stream.hpp"
#include "gxf/std/block_memory_pool.hpp"
#include "gxf/std/clock.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/controller.hpp"
#include "gxf/std/eos.hpp"
#include "gxf/std/extension_factory_helper.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/resources.hpp"
#include "gxf/std/scheduling_terms.hpp"
#include "gxf/std/synthetic_clock.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/timestamp.hpp"
#include "gxf/std/transmitter.hpp"
#include "gxf/std/unbounded_allocator.hpp"

using namespace nvidia;  // NOLINT
namespace G = nvidia::gxf;
template <class A, class B> constexpr bool same = std::is_same_v<A, B>;
#define SIG(expr, ...) static_assert(same<decltype(expr), __VA_ARGS__>, #expr)
template <class T> T& ref();

// 1 vocabulary
SIG(GXF_PARAMETER_FLAGS_OPTIONAL, gxf_parameter_flags_t_);
static_assert(same<gxf_uid_t, int64_t> && same<gxf_context_t, void*> && GXF_IPC_SERVICE_NOT_FOUND == 61);
static_assert(same<G::Expected<int>, Expected<int, gxf_result_t>> && same<G::Unexpected, Unexpected<gxf_result_t>>);
static_assert(same<::byte, unsigned char> && same<nvidia::byte, unsigned char>);
// 2 Expected
SIG(ref<G::Expected<int>>().value(), int&);
SIG(std::declval<const G::Expected<int>&>().value(), const int&);
SIG(ref<G::Expected<int>>().error(), gxf_result_t&);
int one(G::Entity); G::Expected<int> one_e(G::Entity); void none(G::Entity); double two();
SIG(ref<G::Expected<G::Entity>>().map(one), G::Expected<int>);
SIG(ref<G::Expected<G::Entity>>().map(one_e), G::Expected<int>);
SIG(ref<G::Expected<G::Entity>>().map(none), G::Expected<void>);
SIG(ref<G::Expected<void>>().and_then(two), G::Expected<double>);
SIG(ref<G::Expected<G::Timestamp>>().map(&G::Timestamp::acqtime), G::Expected<int64_t&>);
SIG(ref<G::Expected<int>>().assign_to(ref<long>()), G::Expected<void>);
SIG(ref<G::Expected<int>>().substitute(2.0f), G::Expected<float>);
SIG(ref<G::Expected<int>>().value_or(3), int);
SIG(ref<G::Expected<void>>() & ref<G::Expected<int>>(), G::Expected<void>);
SIG((ref<FixedVector<int, 4>>().at(0)), Expected<int&, FixedVectorBase<int>::Error>);
SIG(ref<FixedVector<int>>().push_back(1), Expected<void, FixedVectorBase<int>::Error>);
static_assert(!std::is_copy_constructible_v<FixedVector<int>> && std::is_copy_constructible_v<FixedVector<int, 3>>);
SIG(G::ForwardError(ref<G::Expected<int>>()), G::Unexpected);
SIG(G::ToResultCode(ref<const G::Expected<int>>()), gxf_result_t);
SIG(G::ExpectedOrCode(GXF_SUCCESS, 3), G::Expected<int>);
// 3 Handle, Entity
static_assert(std::is_convertible_v<G::Handle<G::Receiver>, G::Handle<G::Queue>> && std::is_default_constructible_v<G::Handle<int>>);
static_assert(!std::is_convertible_v<G::UntypedHandle, bool> && std::is_convertible_v<G::Handle<int>, int*>);
SIG(G::Handle<int>::Create(nullptr, 0), G::Expected<G::Handle<int>>);
SIG(ref<G::Handle<int>>().try_get(), G::Expected<int*>);
SIG(G::Entity::New(nullptr), G::Expected<G::Entity>);
SIG(ref<G::Entity>().add<G::Tensor>("x"), G::Expected<G::Handle<G::Tensor>>);
SIG(ref<const G::Entity>().get<G::Tensor>(), G::Expected<G::Handle<G::Tensor>>);
SIG(ref<const G::Entity>().findAll<G::Tensor>(), G::Expected<FixedVector<G::Handle<G::Tensor>, kMaxComponents>>);
SIG((ref<const G::Entity>().findAll<G::Tensor, 7>()), G::Expected<FixedVector<G::Handle<G::Tensor>, 7>>);
SIG(ref<const G::Entity>().findAllHeap<G::Tensor>(), G::Expected<FixedVector<G::Handle<G::Tensor>>>);
SIG(ref<const G::Entity>().clone(), G::Expected<G::Entity>);
// 4 queues, terms, clock, memory
SIG(ref<G::Receiver>().receive(), G::Expected<G::Entity>);
SIG(ref<G::Transmitter>().publish(ref<const G::Entity>()), G::Expected<void>);
SIG(ref<G::Transmitter>().publish(ref<G::Entity>(), int64_t{1}), G::Expected<void>);
SIG(ref<const G::Clock>().timestamp(), int64_t);
SIG(ref<G::Allocator>().allocate(8, G::MemoryStorageType::kSystem), G::Expected<unsigned char*>);
SIG(ref<G::BooleanSchedulingTerm>().enable_tick(), G::Expected<void>);
SIG(ref<G::TargetTimeSchedulingTerm>().setNextTargetTime(1), gxf_result_t);
SIG(ref<G::AsynchronousSchedulingTerm>().setEventState(G::AsynchronousEventState::EVENT_DONE), void);
// 5 tensor, video, cuda
static_assert(!std::is_base_of_v<G::Component, G::Tensor> && !std::is_copy_constructible_v<G::Tensor>);
SIG(ref<G::Tensor>().data<float>(), G::Expected<float*>);
SIG(ref<const G::Tensor>().data<float>(), G::Expected<const float*>);
SIG(ref<G::Tensor>().reshape<float>(ref<G::Shape>(), G::MemoryStorageType::kHost, ref<G::Handle<G::Allocator>>()), G::Expected<void>);
SIG(ref<const G::Tensor>().shape(), const G::Shape&);
SIG(ref<const G::Shape>().dimension(0), int32_t);
SIG(G::ComputeTrivialStrides(ref<G::Shape>(), 4), G::Tensor::stride_array_t);
SIG(ref<const G::VideoBuffer>().video_frame_info(), G::VideoBufferInfo);
SIG(ref<G::CudaStreamPool>().allocateStream(), G::Expected<G::Handle<G::CudaStream>>);
SIG(ref<const G::CudaStream>().stream(), G::Expected<cudaStream_t>);
SIG(ref<const G::CudaEvent>().event(), G::Expected<cudaEvent_t>);
SIG(G::CudaStreamId{}.stream_cid, gxf_uid_t);

namespace probe {
enum class Mode { kA, kB };
struct Point { int x; int y; };  // data type for messages
}  // namespace probe
template <> struct nvidia::gxf::ParameterParser<probe::Mode> {
  static Expected<probe::Mode> Parse(gxf_context_t, gxf_uid_t, const char*, const YAML::Node& node, const std::string&) {
    const auto text = node.as<std::string>();
    if (text == "a") return probe::Mode::kA;
    return Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
  }
};
template <> struct nvidia::gxf::ParameterWrapper<probe::Mode> {
  static Expected<YAML::Node> Wrap(gxf_context_t, const probe::Mode&) { return YAML::Node("a"); }
};

namespace probe {
class Gate : public G::SchedulingTerm {
 public:
  gxf_result_t check_abi(int64_t now, G::SchedulingConditionType* type, int64_t* target) const override {
    *type = G::SchedulingConditionType::READY; *target = now; return GXF_SUCCESS;
  }
  gxf_result_t onExecute_abi(int64_t) override { return GXF_SUCCESS; }
};

class Worker : public G::Codelet {
 public:
  gxf_result_t registerInterface(G::Registrar* r) noexcept override {
    G::Expected<void> ok;
    ok &= r->parameter(in_, "in");
    ok &= r->parameter(out_, "out", "Output");
    ok &= r->parameter(pool_, "pool", "Pool", "Memory");
    ok &= r->parameter(gain_, "gain", "Gain", "Factor", 1.0f);
    ok &= r->parameter(names_, "names", "Names", "List", {std::string("a")});
    ok &= r->parameter(empty_, "empty", "Empty", "List", {});
    ok &= r->parameter(clock_, "clock", "Clock", "Optional", G::Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
    ok &= r->parameter(term_, "term", "Term", "Default handle", G::Handle<G::BooleanSchedulingTerm>());
    ok &= r->parameter(mode_, "mode", "Mode", "Custom", Mode::kA, GXF_PARAMETER_FLAGS_DYNAMIC);
    ok &= r->parameter(ins_, "ins", "Inputs", "Several", std::vector<G::Handle<G::Receiver>>{});
    ok &= r->parameter(raw_, "raw", "Raw", "YAML", G::Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
    ok &= r->parameter(file_, "file", "File", "Path", G::FilePath("x"));
    ok &= r->parameter(grid_, "grid", "Grid", "2-D", std::vector<std::vector<float>>{{1.f}});
    ok &= r->parameter(tri_, "tri", "Three", "Array", std::array<int32_t, 3>{1, 2, 3});
    ok &= r->resource(gpu_, "GPU");
    return G::ToResultCode(ok);
  }
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override {
    auto message = in_->receive();
    if (!message) { return G::ToResultCode(message); }
    if (message->is_null() || message.value().is_null()) { return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE; }
    auto tensor = GXF_UNWRAP_OR_RETURN(message->get<G::Tensor>());
    auto out = GXF_UNWRAP_OR_RETURN(G::Entity::New(context()), "no message in '%s'", name());
    auto copy = out.add<G::Tensor>(tensor.name());
    if (!copy) { return copy.error(); }
    GXF_RETURN_IF_ERROR(copy.value()->reshape<float>(tensor->shape(), G::MemoryStorageType::kSystem, pool_));
    auto video = out.add<G::VideoBuffer>("frame");
    auto size = video.value()->resize<G::VideoFormat::GXF_VIDEO_FORMAT_RGBA>(64, 48,
        G::SurfaceLayout::GXF_SURFACE_LAYOUT_PITCH_LINEAR, G::MemoryStorageType::kSystem, pool_.get());
    if (!size) { GXF_LOG_ERROR("resize: %s", GxfResultStr(size.error())); return GXF_FAILURE; }
    auto point = out.add<Point>();
    if (point) { **point = Point{1, 2}; point.value()->x = 3; }
    for (auto part : out.findAll().value()) { GXF_LOG_INFO("%s %ld", part->name(), part.value().cid()); }
    const float gain = gain_ * 2; (void)gain;
    if (const auto clock = clock_.try_get()) { GXF_RETURN_IF_ERROR(out_->publish(out, clock.value()->timestamp())); }
    int64_t acq = 0;
    return G::ToResultCode(message->get<G::Timestamp>("timestamp").map([&](G::Handle<G::Timestamp> t) { return t->acqtime; })
        .assign_to(acq).and_then([&] { return out_->publish(out, acq); }));
  }
 private:
  G::Parameter<G::Handle<G::Receiver>> in_;
  G::Parameter<G::Handle<G::Transmitter>> out_;
  G::Parameter<G::Handle<G::Allocator>> pool_;
  G::Parameter<float> gain_;
  G::Parameter<std::vector<std::string>> names_;
  G::Parameter<std::vector<int>> empty_;
  G::Parameter<G::Handle<G::Clock>> clock_;
  G::Parameter<G::Handle<G::BooleanSchedulingTerm>> term_;
  G::Parameter<Mode> mode_;
  G::Parameter<std::vector<G::Handle<G::Receiver>>> ins_;
  G::Parameter<YAML::Node> raw_;
  G::Parameter<G::FilePath> file_;
  G::Parameter<std::vector<std::vector<float>>> grid_;
  G::Parameter<std::array<int32_t, 3>> tri_;
  G::Resource<G::Handle<G::GPUDevice>> gpu_;
};
}  // namespace probe

extern "C" {
GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x1111222233334444, 0x5555666677778888UL, "Probe", "Probe", "Me", "1.0.0", "LICENSE");
GXF_EXT_FACTORY_SET_DISPLAY_INFO("Probe", "Test", "A probe");
GXF_EXT_FACTORY_ADD_0(0x1111222233334444, 0x5555666677778801, probe::Point, "A point");
GXF_EXT_FACTORY_ADD(0x1111222233334444, 0x5555666677778802, probe::Gate, nvidia::gxf::SchedulingTerm, "A term");
GXF_EXT_FACTORY_ADD_VERBOSE(0x1111222233334444, 0x5555666677778803, probe::Worker, nvidia::gxf::Codelet, "Worker", "Works", "A worker");
GXF_EXT_FACTORY_END()
}

// Names that no surveyed source uses, but GXF's headers offer.
static_assert(same<decltype(G::GXF_EXECUTE_FAILURE_REPEAT), G::gxf_execution_status_t>);
SIG(ref<G::Handle<G::ExpiringMessageAvailableSchedulingTerm>>().get(), G::ExpiringMessageAvailableSchedulingTerm*);
SIG(ref<G::Handle<G::MessageAvailableFrequencyThrottler>>().get(), G::MessageAvailableFrequencyThrottler*);
SIG(ref<G::Handle<G::MemoryAvailableSchedulingTerm>>().get(), G::MemoryAvailableSchedulingTerm*);
