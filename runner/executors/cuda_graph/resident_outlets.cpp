#include "executors/cuda_graph/resident_outlets.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "executors/cuda_graph/resident_inlets.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/error.hpp"
#include "plan/step_order.hpp"

namespace gxr {

/// Page-locked memory for results that processors read.
class ResidentRunner::Outlets::PinnedMemory final : public Allocator {
 public:
  void* allocate(std::size_t size, MemoryStorageType /*storage*/) override {
    void* const memory = runtime_.allocate_pinned(size);
    if (memory == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "no " + std::to_string(size) +
                                              " bytes of page-locked memory are left for a result");
    }
    return memory;
  }
  void free(void* pointer) override { free_after(pointer, {}); }
  void free_after(void* pointer, const DeviceUsers& users) override {
    runtime_.free_pinned(pointer, users);
  }
  [[nodiscard]] bool is_available(std::size_t /*size*/) const override { return true; }

 private:
  DeviceRuntime& runtime_ = DeviceRuntime::get();
};

ResidentRunner::Outlets::Outlets(ResidentRunner& runner) : runner_(runner) {}

ResidentRunner::Outlets::~Outlets() = default;

void ResidentRunner::Outlets::connect() {
  const auto on_gpu = [&](const Receiver* receiver) {
    const auto codelets = runner_.region().instance.components_of(receiver->entity_id());
    return std::ranges::any_of(codelets, [&](Component* each) {
      return dynamic_cast<cuda::Codelet*>(each) != nullptr ||
             (dynamic_cast<GraphOperator*>(each) != nullptr &&
              runner_.context().graph_device(*each));
    });
  };
  for (const Output& output : runner_.region().ports.outputs()) {
    on_device_.push_back(
        std::ranges::all_of(output.transmitters, [&](const Transmitter* transmitter) {
          return std::ranges::all_of(transmitter->receivers(), on_gpu);
        }));
  }
}

void ResidentRunner::Outlets::open() {
  const GraphOptions& options = runner_.region().options();
  account_ = ResultAccount(!runner_.region().ports.outputs().empty(), options.slots);
  stream_.emplace(StreamOptions{.device = options.device});
  note_shapes();
  if (pinned_ == nullptr) {
    pinned_ = std::make_unique<PinnedMemory>();
  }
}

void ResidentRunner::Outlets::close() noexcept {
  forget();
  stream_.reset();
}

void ResidentRunner::Outlets::launch() {
  account_.launch();
  forget();
}

void ResidentRunner::Outlets::finish() { stream_->finish(); }

bool ResidentRunner::Outlets::finish_on_host() {
  return gxr::finish_on_host(stream_->get().mark());
}

/// Do consumers on the CPU wait for copies? The next one begins while one is waited for.
bool ResidentRunner::Outlets::may_copy_ahead() const {
  for (std::size_t output = 0; output < runner_.region().ports.outputs().size(); ++output) {
    const GraphTensor& tensor =
        runner_.region().graph().tensors[runner_.region().ports.outputs()[output].tensor];
    if (tensor.spec->bytes() > kMostSmallTensorBytes && !on_device_[output]) {
      return true;
    }
  }
  return false;
}

Message ResidentRunner::Outlets::fetch(std::size_t output, const Origin* origin) {
  const Output& port = runner_.region().ports.outputs()[output];
  const std::size_t bytes = runner_.region().graph().tensors[port.tensor].spec->bytes();
  DeviceStream& stream = stream_->get();
  const bool on_device = on_device_[output];
  void* memory = nullptr;
  Allocator* from = pinned_.get();
  if (on_device) {
    memory = runner_.region().buffers.memory().allocate_for(bytes, &stream);
    from = &runner_.region().buffers.memory();
  } else {
    memory = pinned_->allocate(bytes, MemoryStorageType::Host);
  }
  Message message = runner_.region().ports.new_result(
      port, *from, memory, on_device ? MemoryStorageType::Device : MemoryStorageType::Host, origin,
      account_.fetched());
  if (const DeviceWork copied = runner_.loop_->ports().take(output, memory, !on_device, stream)) {
    message.find<Tensor>()->add_device_user(stream);
    message.set_device_work(copied);
  }
  return message;
}

/// The results of one iteration, of which large ones are still being copied.
ResidentRunner::Outlets::Results ResidentRunner::Outlets::fetch_next() {
  Results results;
  if (const Origin* const origin = runner_.inlets_->origin_of_next(account_.fetched())) {
    results.origin = *origin;
  }
  std::uint64_t work = 0;
  for (std::size_t output = 0; output < runner_.region().ports.outputs().size(); ++output) {
    results.messages.push_back(fetch(output, results.origin ? &*results.origin : nullptr));
    work = std::max(work, cuda::work_behind(results.messages.back()).number);
  }
  account_.fetch(work);
  return results;
}

void ResidentRunner::Outlets::publish() {
  const Results results = next_ ? *std::exchange(next_, std::nullopt) : fetch_next();
  for (std::size_t output = 0; output < runner_.region().ports.outputs().size(); ++output) {
    for (Transmitter* transmitter : runner_.region().ports.outputs()[output].transmitters) {
      RegionPorts::publish(*transmitter, results.messages[output],
                           results.origin ? &*results.origin : nullptr);
    }
  }
  account_.publish();
}

void ResidentRunner::Outlets::copy_ahead() {
  if (copies_ahead_ && !next_ && runner_.session_.runs() &&
      runner_.loop_->control().finished() > account_.fetched()) {
    next_ = fetch_next();
  }
}

bool ResidentRunner::Outlets::awaits_room(std::uint64_t finished) {
  return !stream_->get().is_done(account_.work_before_room(finished));
}

}  // namespace gxr
