#include "loop_memory.hpp"

#include <string>

#include "cuda_call.hpp"
#include "gxr/error.hpp"
#include "loop_words.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

/// Gates that one warp sees at once; the limit has one.
constexpr std::size_t kFewGates = 32;

LoopPort port_of(const DeviceLoopPort& port) {
  LoopPort placed;
  placed.port = port;
  placed.is_small = port.bytes <= kMostSmallTensorBytes;
  placed.stride = aligned(port.bytes);
  return placed;
}

/// The ports that the control kernels copy.
std::vector<LoopCopy> copies_of(const std::vector<LoopPort>& ports) {
  std::vector<LoopCopy> copies;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const LoopPort& port = ports[i];
    if (port.is_small && port.port.bytes > 0) {
      copies.push_back(
          {port.slots, static_cast<std::byte*>(port.port.tensor), port.port.bytes, port.stride, i});
    }
  }
  return copies;
}

}  // namespace

/// Gives out parts of a block one after the other; counts first, when there is no block yet.
class LoopMemory::Places {
 public:
  explicit Places(std::byte* begin) : begin_(reinterpret_cast<std::uintptr_t>(begin)) {}
  template <class T>
  T* take(std::size_t count) {
    const std::uintptr_t place = begin_ + used_;
    used_ += aligned(count * sizeof(T));
    return reinterpret_cast<T*>(place);
  }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  std::uintptr_t begin_;
  std::size_t used_ = 0;
};

LoopMemory::LoopMemory(const DeviceLoopOptions& options, StreamRef stream)
    : options_(options), bells_(options.doorbells) {
  add_ports();
  require_few_ports();
  allocate();
  fill_table(stream);
}

void LoopMemory::add_ports() {
  for (const DeviceLoopPort& input : options_.inputs) {
    inputs_.push_back(port_of(input));
  }
  for (const DeviceLoopPort& output : options_.outputs) {
    outputs_.push_back(port_of(output));
  }
}

void LoopMemory::require_few_ports() const {
  if ((options_.doorbells > 0 || takes_any()) && drives() + outputs_.size() >= kFewGates) {
    throw Error(ErrorCode::NotSupported,
                "a loop with " + std::to_string(drives() + outputs_.size()) +
                    " inputs, outputs and data-ready handlers; with handlers, or when any input "
                    "is enough, it can have " +
                    std::to_string(kFewGates - 1));
  }
}

void LoopMemory::allocate() {
  device_bytes_ = place_in_device(nullptr) + kRoomForNearest;
  device_memory_ = RuntimeMemory(device_bytes_, MemoryStorageType::Device, options_.device);
  // The control kernels read and write these words in every iteration.
  device_begin_ =
      device_memory_.get() + runtime().memory().nearest(device_memory_.get(), words_end_,
                                                        options_.device, options_.partition);
  static_cast<void>(place_in_device(device_begin_));
  host_memory_ = RuntimeMemory(place_in_host(nullptr), MemoryStorageType::Host, options_.device);
  static_cast<void>(place_in_host(host_memory_.get()));
}

/// Returns the bytes that it takes.
std::size_t LoopMemory::place_in_device(std::byte* begin) {
  Places places(begin);
  places.take<LoopState>(1);
  table_.gates = places.take<LoopGate>(gates());
  table_.inputs = places.take<LoopCopy>(inputs_.size());
  table_.outputs = places.take<LoopCopy>(outputs_.size());
  table_.parameters = places.take<LoopParameters>(options_.parameters.size());
  words_at_ = places.used();
  place_words(places);
  words_end_ = places.used();
  for (auto* ports : {&inputs_, &outputs_}) {
    for (LoopPort& port : *ports) {
      if (!port.is_small) {
        port.slots = places.take<std::byte>(port.stride * options_.slots);
      }
    }
  }
  return places.used();
}

/// Those that each launch sets to 0.
void LoopMemory::place_words(Places& places) {
  if (!options_.parameters.empty()) {
    table_.parameter_version = places.take<std::uint64_t>(1);
  }
  table_.seen = places.take<std::uint64_t>(gates());
  for (std::uint64_t*& bell : bells_) {
    bell = places.take<std::uint64_t>(1);
  }
  if (takes_any()) {
    table_.taken = places.take<std::uint64_t>(drives());
    table_.is_new = places.take<std::uint64_t>(drives());
  }
  for (auto* ports : {&inputs_, &outputs_}) {
    for (LoopPort& port : *ports) {
      if (!port.is_small) {
        port.word = places.take<std::uint64_t>(1);
      }
      if (!port.is_small && ports == &inputs_ && !takes_any()) {
        port.placed = places.take<std::uint64_t>(1);
      }
    }
  }
}

/// Returns the bytes that it takes.
std::size_t LoopMemory::place_in_host(std::byte* begin) {
  Places places(begin);
  table_.finished = places.take<std::uint64_t>(1);
  table_.heartbeat = places.take<std::uint64_t>(1);
  table_.launch_error = places.take<std::uint64_t>(1);
  table_.over = places.take<std::uint64_t>(1);
  if (takes_any()) {
    table_.taken_log = places.take<std::uint64_t>(drives() * log_entries());
  }
  if (!options_.parameters.empty()) {
    place_parameters(places);
  }
  // Side by side, so that the lanes of a warp read them at once.
  auto* word = places.take<std::uint64_t>(gates());
  for (auto* ports : {&inputs_, &outputs_}) {
    for (LoopPort& port : *ports) {
      if (port.is_small) {
        port.word = word++;
        port.slots = places.take<std::byte>(port.stride * options_.slots);
      }
    }
  }
  return places.used();
}

void LoopMemory::place_parameters(Places& places) {
  parameter_sequence_ = places.take<std::uint64_t>(1);
  std::size_t bytes = 0;
  for (const DeviceRange& range : options_.parameters) {
    bytes += aligned(range.bytes);
  }
  parameters_ = places.take<std::byte>(bytes);
}

std::vector<LoopGate> LoopMemory::all_gates() const {
  std::vector<LoopGate> gates{{&state()->limit, 0}};
  for (const LoopPort& input : inputs_) {
    gates.push_back({input.word, 0});
  }
  for (const std::uint64_t* bell : bells_) {
    gates.push_back({bell, 0});
  }
  for (const LoopPort& output : outputs_) {
    gates.push_back({output.word, options_.slots});
  }
  return gates;
}

std::vector<LoopParameters> LoopMemory::all_parameters() const {
  std::vector<LoopParameters> parameters;
  const std::byte* from = parameters_;
  for (const DeviceRange& range : options_.parameters) {
    parameters.push_back({from, static_cast<std::byte*>(range.begin), range.bytes});
    from += aligned(range.bytes);
  }
  return parameters;
}

void LoopMemory::fill_table(StreamRef stream) {
  const std::vector<LoopGate> gates = all_gates();
  const std::vector<LoopCopy> in = copies_of(inputs_);
  const std::vector<LoopCopy> out = copies_of(outputs_);
  const std::vector<LoopParameters> parameters = all_parameters();
  table_.state = state();
  table_.gate_count = static_cast<std::uint32_t>(gates.size());
  table_.drive_count = static_cast<std::uint32_t>(drives());
  table_.input_count = static_cast<std::uint32_t>(in.size());
  table_.output_count = static_cast<std::uint32_t>(out.size());
  table_.parameter_count = static_cast<std::uint32_t>(parameters.size());
  table_.parameter_sequence = parameter_sequence_;
  table_.slots = options_.slots;
  table_.unroll = 1;
  table_.iteration_of_round_ns = static_cast<std::uint64_t>(options_.iteration_of_round.count());
  table_.instrument_every = options_.instrument_every;
  table_.iteration_timeout_ns = static_cast<std::uint64_t>(options_.iteration_timeout.count());
  table_.pause_is_fixed = options_.pause == GraphPause::Fixed ? 1 : 0;
  table_.publishes =
      options_.sync_with_host || takes_any() || !inputs_.empty() || !outputs_.empty() ? 1 : 0;
  upload(table_.gates, gates, stream);
  upload(table_.inputs, in, stream);
  upload(table_.outputs, out, stream);
  upload(table_.parameters, parameters, stream);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

void LoopMemory::clear(const LoopState& begin, StreamRef stream) const {
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(state(), &begin, sizeof begin, cudaMemcpyHostToDevice, stream));
  cuda_check("cudaMemsetAsync",
             cudaMemsetAsync(device_begin_ + words_at_, 0, words_end_ - words_at_, stream));
}

void LoopMemory::clear_inputs(StreamRef stream) const {
  for (const LoopPort& input : inputs_) {
    if (input.port.bytes > 0) {
      cuda_check("cudaMemsetAsync",
                 cudaMemsetAsync(input.port.tensor, 0, input.port.bytes, stream));
    }
  }
}

}  // namespace gxr::cuda
