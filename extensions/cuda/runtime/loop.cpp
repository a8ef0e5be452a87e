#include "loop.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "driver.hpp"
#include "gxr/error.hpp"
#include "observe/chaos.hpp"
#include "partition.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

constexpr std::size_t kAligned = 256;
constexpr std::uint64_t kAllTaken = std::uint64_t{1} << 63;
/// Gates that one warp sees at once; the limit has one.
constexpr std::size_t kFewGates = 32;

std::size_t aligned(std::size_t bytes) { return (bytes + kAligned - 1) / kAligned * kAligned; }

std::atomic_ref<std::uint64_t> shared(std::uint64_t* word) {
  return std::atomic_ref<std::uint64_t>(*word);
}

/// Gives out parts of a block one after the other; counts first, when there is no block yet.
class Places {
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

}  // namespace

RuntimeLoop::RuntimeLoop(const DeviceLoopOptions& options) : options_(options) {
  const DeviceGuard guard(options_.device);
  programmatic_edges_ = has_programmatic_edges(options_.device);
  for (OwnedStream* stream : {&capture_stream_, &stream_, &control_}) {
    *stream = make_capture_stream(options_.device, options_.priority, options_.partition);
  }
  const auto add_port = [&](std::vector<Port>& ports, const DeviceLoopPort& port) {
    ports.push_back(
        {port, port.bytes <= kMostSmallTensorBytes, aligned(port.bytes), nullptr, nullptr, 0});
  };
  for (const DeviceLoopPort& input : options_.inputs) {
    add_port(inputs_, input);
  }
  for (const DeviceLoopPort& output : options_.outputs) {
    add_port(outputs_, output);
  }
  require_few_ports();
  make_memory();
  fill_table();
}

void RuntimeLoop::require_few_ports() const {
  if ((polls() || takes_any()) && drives() + outputs_.size() >= kFewGates) {
    throw Error(ErrorCode::NotSupported,
                "a loop with " + std::to_string(drives() + outputs_.size()) +
                    " inputs, outputs and data-ready handlers; with handlers, or when any input "
                    "is enough, it can have " +
                    std::to_string(kFewGates - 1));
  }
}

RuntimeLoop::~RuntimeLoop() {
  if (launched_ && cudaStreamQuery(stream_.get()) == cudaErrorNotReady) {
    leave();
    return;
  }
  if (launched_) {
    runtime().loop_ended(*this);
  }
  destroy_graphs();
}

/// Slots, numbers and tables, in one block of device memory and one of page-locked memory.
void RuntimeLoop::make_memory() {
  const std::size_t gates = 1 + drives() + outputs_.size();
  const auto on_device = [&](std::byte* begin) {
    Places places(begin);
    places.take<LoopState>(1);
    table_.gates = places.take<LoopGate>(gates);
    table_.inputs = places.take<LoopCopy>(inputs_.size());
    table_.outputs = places.take<LoopCopy>(outputs_.size());
    table_.parameters = places.take<LoopParameters>(options_.parameters.size());
    words_at_ = places.used();
    if (!options_.parameters.empty()) {
      table_.parameter_version = places.take<std::uint64_t>(1);
    }
    table_.seen = places.take<std::uint64_t>(gates);
    bells_.clear();
    for (std::size_t i = 0; i < options_.doorbells; ++i) {
      bells_.push_back(places.take<std::uint64_t>(1));
    }
    if (takes_any()) {
      table_.taken = places.take<std::uint64_t>(drives());
      table_.is_new = places.take<std::uint64_t>(drives());
    }
    for (auto* ports : {&inputs_, &outputs_}) {
      for (Port& port : *ports) {
        if (!port.is_small) {
          port.word = places.take<std::uint64_t>(1);
        }
        if (!port.is_small && ports == &inputs_ && !takes_any()) {
          port.placed = places.take<std::uint64_t>(1);
        }
      }
    }
    words_end_ = places.used();
    for (auto* ports : {&inputs_, &outputs_}) {
      for (Port& port : *ports) {
        if (!port.is_small) {
          port.slots = places.take<std::byte>(port.stride * options_.slots);
        }
      }
    }
    return places.used();
  };
  const auto on_host = [&](std::byte* begin) {
    Places places(begin);
    table_.finished = places.take<std::uint64_t>(1);
    table_.heartbeat = places.take<std::uint64_t>(1);
    table_.launch_error = places.take<std::uint64_t>(1);
    table_.over = places.take<std::uint64_t>(1);
    if (takes_any()) {
      table_.taken_log = places.take<std::uint64_t>(drives() * log_entries());
    }
    if (!options_.parameters.empty()) {
      parameter_sequence_ = places.take<std::uint64_t>(1);
      std::size_t bytes = 0;
      for (const DeviceRange& range : options_.parameters) {
        bytes += aligned(range.bytes);
      }
      staged_ = places.take<std::byte>(bytes);
    }
    // Side by side, so that the lanes of a warp read them at once.
    auto* word = places.take<std::uint64_t>(gates);
    for (auto* ports : {&inputs_, &outputs_}) {
      for (Port& port : *ports) {
        if (port.is_small) {
          port.word = word++;
          port.slots = places.take<std::byte>(port.stride * options_.slots);
        }
      }
    }
    return places.used();
  };
  const std::size_t used = on_device(nullptr);
  device_bytes_ = used + kRoomForNearest;
  device_memory_ = RuntimeMemory(device_bytes_, MemoryStorageType::Device, options_.device);
  // What the control kernels read and write in every iteration.
  device_begin_ = device_memory_.get() + runtime().nearest(device_memory_.get(), words_end_,
                                                           options_.device, options_.partition);
  on_device(device_begin_);
  host_memory_ = RuntimeMemory(on_host(nullptr), MemoryStorageType::Host, options_.device);
  on_host(host_memory_.get());
}

void RuntimeLoop::fill_table() {
  std::vector<LoopGate> gates{{&state()->limit, 0}};
  for (const Port& input : inputs_) {
    gates.push_back({input.word, 0});
  }
  for (const std::uint64_t* bell : bells_) {
    gates.push_back({bell, 0});
  }
  for (const Port& output : outputs_) {
    gates.push_back({output.word, options_.slots});
  }
  const auto copies_of = [](const std::vector<Port>& ports) {
    std::vector<LoopCopy> copies;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Port& port = ports[i];
      if (port.is_small && port.port.bytes > 0) {
        copies.push_back({port.slots, static_cast<std::byte*>(port.port.tensor), port.port.bytes,
                          port.stride, i});
      }
    }
    return copies;
  };
  const std::vector<LoopCopy> in = copies_of(inputs_);
  const std::vector<LoopCopy> out = copies_of(outputs_);
  table_.state = state();
  table_.gate_count = static_cast<std::uint32_t>(gates.size());
  table_.drive_count = static_cast<std::uint32_t>(drives());
  table_.input_count = static_cast<std::uint32_t>(in.size());
  table_.output_count = static_cast<std::uint32_t>(out.size());
  table_.slots = options_.slots;
  table_.iteration_of_round_ns = static_cast<std::uint64_t>(options_.iteration_of_round.count());
  table_.instrument_every = options_.instrument_every;
  table_.iteration_timeout_ns = static_cast<std::uint64_t>(options_.iteration_timeout.count());
  table_.publishes =
      options_.sync_with_host || takes_any() || !inputs_.empty() || !outputs_.empty() ? 1 : 0;
  std::vector<LoopParameters> parameters;
  const std::byte* staged = staged_;
  for (const DeviceRange& range : options_.parameters) {
    parameters.push_back({staged, static_cast<std::byte*>(range.begin), range.bytes});
    staged += aligned(range.bytes);
  }
  table_.parameter_count = static_cast<std::uint32_t>(parameters.size());
  table_.parameter_sequence = parameter_sequence_;
  upload(table_.gates, gates, stream_.get());
  upload(table_.inputs, in, stream_.get());
  upload(table_.outputs, out, stream_.get());
  upload(table_.parameters, parameters, stream_.get());
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
}

NodeId RuntimeLoop::add(const std::function<void(CUstream_st*)>& work, const DeviceNode& node,
                        const DeviceRange& kept_in_l2) {
  const DeviceGuard guard(options_.device);
  L2Reservation in_l2(options_.device, kept_in_l2.bytes);
  const PartitionGuard partition(options_.partition);
  parts_.push_back({node,
                    capture_piece(capture_stream_.get(), work, PiecePlace::Loop),
                    kept_in_l2,
                    std::move(in_l2),
                    {}});
  return parts_.size() - 1;
}

void RuntimeLoop::replace(NodeId node, const std::function<void(CUstream_st*)>& work) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  parts_.at(node).captured = capture_piece(capture_stream_.get(), work, PiecePlace::Loop);
}

void RuntimeLoop::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  if (copy.bytes > 0) {
    replace(node, copy_work(copy));
  } else {
    const DeviceGuard guard(options_.device);
    parts_.at(node).captured = make_empty_piece();
  }
}

NodeId RuntimeLoop::add_copy(const DeviceCopy& copy, const DeviceNode& node) {
  return add(copy_work(copy), node);
}

NodeId RuntimeLoop::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  Part& part = parts_.emplace_back();
  part.node = node;
  part.memory = memory;
  const NodeId number = parts_.size() - 1;
  if (is_side(number)) {
    add_side(number);
  }
  return number;
}

void RuntimeLoop::launch_from(std::uint64_t done, std::uint64_t limit) {
  const bool is_made = (launches_itself() ? starter_ : exec_).get() != nullptr;
  if (!is_made || is_running()) {
    throw Error(ErrorCode::InvalidState, !is_made ? "a loop was launched before its instantiate()"
                                                  : "a loop was launched that runs");
  }
  const DeviceGuard guard(options_.device);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(control_.get()));
  limit_ = limit;
  drains_ = false;
  LoopState begin{};
  begin.done = done;
  begin.limit = limit;
  begin.sleep_interval_ns = static_cast<std::uint64_t>(options_.sleep_interval.count());
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(state(), &begin, sizeof begin, cudaMemcpyHostToDevice, stream_.get()));
  cuda_check("cudaMemsetAsync",
             cudaMemsetAsync(device_begin_ + words_at_, 0, words_end_ - words_at_, stream_.get()));
  if (done > 0) {
    launch_clock(&state()->began_ns, stream_.get());  // the control kernels do it for the first
    cuda_check("cudaGetLastError", cudaGetLastError());
  }
  shared(table_.finished).store(done, std::memory_order_relaxed);
  shared(table_.launch_error).store(0, std::memory_order_relaxed);
  shared(table_.over).store(0, std::memory_order_relaxed);
  for (auto* ports : {&inputs_, &outputs_}) {
    for (Port& port : *ports) {
      port.count = done;
      port.is_counted_by_stream = false;
      if (port.is_small) {
        shared(port.word).store(done, std::memory_order_relaxed);
      } else if (done > 0) {
        write_word(port.word, done, stream_.get());
      }
    }
  }
  if (takes_any()) {
    clear_inputs();
  }
  if (records_) {
    records_->begin(control_.get());
  }
  if ((done == 0 || !sides_have_begun_) && !sides_.empty()) {
    begin_sides(done);
  }
  // Others write the numbers on streams of their own.
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  runtime().loop_began(*this, options_.device);
  launched_ = true;
  cudaGraphExec_t const first = has_siblings()      ? anew_.get()
                                : launches_itself() ? starter_.get()
                                                    : exec_.get();
  const cudaError_t result = cudaGraphLaunch(first, stream_.get());
  if (result != cudaSuccess) {
    launched_ = false;
    runtime().loop_ended(*this);
    cuda_check("cudaGraphLaunch", result);
  }
}

void RuntimeLoop::write_word(std::uint64_t* word, std::uint64_t value, StreamRef stream) const {
  driver_check("cuStreamWriteValue64",
               driver().stream_write_value(stream, reinterpret_cast<CUdeviceptr>(word), value, 0));
}

/// In this order.
void RuntimeLoop::write_words(const std::array<std::pair<std::uint64_t*, std::uint64_t>, 2>& words,
                              StreamRef stream) const {
  CUstreamBatchMemOpParams writes[2] = {};
  for (std::size_t i = 0; i < words.size(); ++i) {
    writes[i].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    writes[i].writeValue.address = reinterpret_cast<CUdeviceptr>(words[i].first);
    writes[i].writeValue.value64 = words[i].second;
  }
  driver_check("cuStreamBatchMemOp", driver().stream_batch(stream, 2, writes, 0));
}

/// What is shown of an input of which nothing has come yet.
void RuntimeLoop::clear_inputs() {
  std::memset(table_.taken_log, 0, drives() * log_entries() * sizeof(std::uint64_t));
  for (const DeviceLoopPort& port : options_.inputs) {
    if (port.bytes > 0) {
      cuda_check("cudaMemsetAsync", cudaMemsetAsync(port.tensor, 0, port.bytes, stream_.get()));
    }
  }
}

void RuntimeLoop::set_limit(std::uint64_t limit) {
  const DeviceGuard guard(options_.device);
  limit_ = limit;
  if (drains_) {
    write_word(&state()->drains, 0, control_.get());
    drains_ = false;
  }
  write_word(&state()->limit, limit, control_.get());
}

void RuntimeLoop::drain() {
  if (drains_) {
    return;
  }
  const DeviceGuard guard(options_.device);
  drains_ = true;
  write_word(&state()->drains, std::max<std::uint64_t>(limit_, 1), control_.get());
  chaos();
  write_word(&state()->limit, 0, control_.get());
}

Doorbell RuntimeLoop::doorbell(std::size_t number) const noexcept {
  return {bells_[number], takes_any() ? table_.taken + inputs_.size() + number : &state()->done};
}

std::uint64_t RuntimeLoop::taken(std::size_t drive, std::uint64_t iterations) const noexcept {
  if (!takes_any() || iterations == 0) {
    return iterations;
  }
  return shared(table_.taken_log + (iterations - 1) % log_entries() * drives() + drive)
      .load(std::memory_order_relaxed);
}

void RuntimeLoop::set_sleep_interval(std::chrono::nanoseconds interval) {
  options_.sleep_interval = interval;
  const DeviceGuard guard(options_.device);
  write_word(&state()->sleep_interval_ns, static_cast<std::uint64_t>(interval.count()),
             control_.get());
}

void RuntimeLoop::set_parameters(const std::vector<std::byte>& bytes) {
  if (parameter_sequence_ == nullptr) {
    return;
  }
  const DeviceGuard guard(options_.device);
  // Read again by the GPU when the number before and behind it is not the same even one.
  const std::uint64_t even = shared(parameter_sequence_).load(std::memory_order_relaxed) + 2;
  shared(parameter_sequence_).store(even - 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  chaos();
  const std::byte* from = bytes.data();
  std::byte* to = staged_;
  for (const DeviceRange& range : options_.parameters) {
    std::memcpy(to, from, range.bytes);
    from += range.bytes;
    to += aligned(range.bytes);
    chaos();
  }
  shared(parameter_sequence_).store(even, std::memory_order_release);
  write_word(const_cast<std::uint64_t*>(table_.parameter_version), even, control_.get());
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(control_.get()));
}

bool RuntimeLoop::is_running() {
  if (!launched_) {
    return false;
  }
  const cudaError_t result = cudaStreamQuery(stream_.get());
  if (result == cudaErrorNotReady) {
    return true;
  }
  launched_ = false;
  runtime().loop_ended(*this);
  cuda_check("cudaStreamQuery", result);
  cuda_check(
      launches_itself() ? "cudaGraphLaunch on the GPU" : "cudaGraphKernelNodeSetEnabled on the GPU",
      static_cast<cudaError_t>(shared(table_.launch_error).load(std::memory_order_acquire)));
  return false;
}

bool RuntimeLoop::waits_for_siblings() const noexcept {
  return launched_ && has_siblings() && shared(table_.over).load(std::memory_order_acquire) != 0;
}

std::uint64_t RuntimeLoop::finished() const noexcept {
  return shared(table_.finished).load(std::memory_order_acquire);
}

std::uint64_t RuntimeLoop::heartbeat() const noexcept {
  return shared(table_.heartbeat).load(std::memory_order_acquire);
}

LoopState RuntimeLoop::end_state() const {
  const DeviceGuard guard(options_.device);
  LoopState end{};
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(&end, state(), sizeof end, cudaMemcpyDeviceToHost, stream_.get()));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  return end;
}

DeviceLoopReport RuntimeLoop::report() {
  const DeviceGuard guard(options_.device);
  const LoopState end = end_state();
  if (records_) {
    records_->end(control_.get());
  }
  return {end.done, end.began_ns == 0 ? 0 : static_cast<std::int64_t>(end.ended_ns - end.began_ns),
          end.late, left_out(end.done)};
}

std::byte* RuntimeLoop::slot(const Port& port) const noexcept {
  return port.slots + port.count % options_.slots * port.stride;
}

/// Copies a small input or output and counts it. Returns the work of `stream` that copies it; none:
/// that has been done. The processor writes the numbers of a port until a stream writes the first:
/// one that it wrote afterwards could be overtaken by an older one.
DeviceWork RuntimeLoop::pass_small(Port& port, void* to, const void* from, bool by_processor,
                                   DeviceStream& stream) {
  DeviceWork copied;
  if (by_processor && port.port.bytes > 0) {
    std::memcpy(to, from, port.port.bytes);
  } else if (port.port.bytes > 0) {
    const DeviceGuard guard(options_.device);
    runtime().copy(to, from, port.port.bytes, stream);
    copied = stream.mark();
    port.is_counted_by_stream = true;
  }
  const std::uint64_t count = port.count + 1;
  chaos();
  if (port.is_counted_by_stream) {
    const DeviceGuard guard(options_.device);
    write_word(port.word, count, stream.handle());
  } else {
    shared(port.word).store(count, std::memory_order_release);
  }
  chaos();
  port.count = count;
  return copied;
}

/// Does nothing use the tensor of a large input, and will not before the next one is put? All
/// iterations are done then, and nothing runs beside them.
bool RuntimeLoop::is_free(const Port& input) const noexcept {
  return input.placed != nullptr && sides_.empty() && finished() == input.count;
}

bool RuntimeLoop::put(std::size_t input, const void* data, bool readable, DeviceStream& stream) {
  Port& port = inputs_.at(input);
  if (port.is_small) {
    return !pass_small(port, slot(port), data, readable, stream);
  }
  const DeviceGuard guard(options_.device);
  const std::uint64_t count = port.count + 1;
  if (is_free(port)) {
    runtime().copy(port.port.tensor, data, port.port.bytes, stream);
    chaos();
    write_words({{{port.placed, count}, {port.word, count}}}, stream.handle());
  } else {
    runtime().copy(slot(port), data, port.port.bytes, stream);
    chaos();
    write_word(port.word, count, stream.handle());
  }
  chaos();
  port.count = count;
  return false;
}

DeviceWork RuntimeLoop::take(std::size_t output, void* to, bool writable, DeviceStream& stream) {
  Port& port = outputs_.at(output);
  if (port.is_small) {
    const DeviceWork copied = pass_small(port, to, slot(port), writable, stream);
    if (copied) {
      stream.record();
    }
    return copied;
  }
  const DeviceGuard guard(options_.device);
  runtime().copy(to, slot(port), port.port.bytes, stream);
  // In front of the number: whoever waits for the copy need not wait for that.
  const DeviceWork copied = stream.mark();
  stream.record();
  chaos();
  write_word(port.word, port.count + 1, stream.handle());
  chaos();
  ++port.count;
  return copied;
}

void RuntimeLoop::drop_results() {
  const DeviceGuard guard(options_.device);
  for (const Port& port : outputs_) {
    if (port.is_small && !port.is_counted_by_stream) {
      shared(port.word).store(kAllTaken, std::memory_order_release);
    } else {
      write_word(port.word, kAllTaken, control_.get());
    }
  }
}

}  // namespace gxr::cuda
