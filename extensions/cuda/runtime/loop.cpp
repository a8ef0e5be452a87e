#include "loop.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "driver.hpp"
#include "graph_dot.hpp"
#include "gxr/error.hpp"
#include "latency_kernel.hpp"
#include "observe/chaos.hpp"
#include "partition.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

constexpr std::size_t kAligned = 256;
/// Among so many bytes more is the place for what the control kernels share.
constexpr std::size_t kRoom = 7 * kLatencyPage;
constexpr unsigned kMoveThreads = 512;
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

cudaGraphConditionalHandle make_handle(cudaGraph_t graph, unsigned initial) {
  cudaGraphConditionalHandle handle{};
  cuda_check("cudaGraphConditionalHandleCreate",
             cudaGraphConditionalHandleCreate(&handle, graph, initial, cudaGraphCondAssignDefault));
  return handle;
}

/// Adds a WHILE node behind `after`, and returns its body.
cudaGraph_t add_while(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                      cudaGraphConditionalHandle handle, cudaGraphNode_t& node) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cuda_check("cudaGraphAddNode",
             cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
  return params.conditional.phGraph_out[0];
}

std::uint64_t sum_of(const auto& ports) {
  std::uint64_t sum = 0;
  for (const auto& port : ports) {
    sum += port.is_small ? port.port.bytes : 0;
  }
  return sum;
}

}  // namespace

LoopMemory::LoopMemory(std::size_t bytes, MemoryStorageType storage, int device)
    : memory_(static_cast<std::byte*>(
          runtime().allocate(bytes, storage, device, {.mapped = true, .write_combining = false}))),
      storage_(storage) {
  if (memory_ == nullptr) {
    throw Error(ErrorCode::OutOfMemory,
                "no " + std::to_string(bytes) + " bytes of " +
                    (storage == MemoryStorageType::Device ? "device" : "page-locked") +
                    " memory for the inputs and outputs of a loop are left");
  }
  if (storage == MemoryStorageType::Host) {
    std::memset(memory_, 0, bytes);
  }
}

LoopMemory::LoopMemory(LoopMemory&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), storage_(other.storage_) {}

LoopMemory& LoopMemory::operator=(LoopMemory&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(storage_, other.storage_);
  return *this;
}

LoopMemory::~LoopMemory() {
  if (memory_ != nullptr) {
    runtime().free(memory_, storage_);
  }
}

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
  if ((looks() || takes_any()) && drives() + outputs_.size() >= kFewGates) {
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
    runtime().loop_ended();
  }
  std::vector<GraphHandle> graphs;
  graphs.push_back(std::move(graph_));
  for (Part& part : parts_) {
    graphs.push_back(std::move(part.captured));
  }
  destroy(std::move(exec_), std::move(graphs));
}

/// It does not end: whatever would wait for it is left as it is.
void RuntimeLoop::leave() noexcept {
  graph_.release();
  exec_.release();
  for (Part& part : parts_) {
    part.captured.release();
    part.in_l2.release();
  }
  stream_.release();
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
    words_at_ = places.used();
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
    if (takes_any()) {
      table_.taken_log = places.take<std::uint64_t>(drives() * log_entries());
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
  device_bytes_ = used + kRoom + kLatencyPage;
  device_memory_ = LoopMemory(device_bytes_, MemoryStorageType::Device, options_.device);
  // What the control kernels read and write in every iteration.
  device_begin_ = device_memory_.get() + runtime().nearest(device_memory_.get(), words_end_, kRoom,
                                                           options_.device, options_.partition);
  on_device(device_begin_);
  host_memory_ = LoopMemory(on_host(nullptr), MemoryStorageType::Host, options_.device);
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
  table_.unroll =
      options_.loop == GraphLoop::HeadTail || looks() || takes_any() ? 1 : options_.unroll;
  table_.publishes =
      options_.sync_with_host || takes_any() || !inputs_.empty() || !outputs_.empty() ? 1 : 0;
  const auto upload = [&](const void* to, const auto& from) {
    cuda_check("cudaMemcpyAsync",
               cudaMemcpyAsync(const_cast<void*>(to), from.data(), from.size() * sizeof(from[0]),
                               cudaMemcpyHostToDevice, stream_.get()));
  };
  upload(table_.gates, gates);
  upload(table_.inputs, in);
  upload(table_.outputs, out);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
}

std::size_t RuntimeLoop::add(const std::function<void(CUstream_st*)>& work,
                             const DeviceLoopPiece& piece) {
  const DeviceGuard guard(options_.device);
  L2Reservation in_l2(options_.device, piece.kept_in_l2.bytes);
  const PartitionGuard partition(options_.partition);
  parts_.push_back({piece, capture_piece(capture_stream_.get(), work, true), std::move(in_l2)});
  return parts_.size() - 1;
}

GraphPiece RuntimeLoop::add_kernel(cudaGraph_t graph, const void* kernel, unsigned blocks,
                                   unsigned threads, void** arguments) const {
  cudaKernelNodeParams params{};
  params.func = const_cast<void*>(kernel);
  params.gridDim = dim3(blocks);
  params.blockDim = dim3(threads);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cuda_check("cudaGraphAddKernelNode", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  set_priority(node, options_.priority);
  set_memory_sync_domain(node, options_.memory_sync_domain);
  return {{node}, {node}, programmatic_edges_, 1};
}

GraphPiece RuntimeLoop::add_control(cudaGraph_t graph, LoopRole role) const {
  const std::uint64_t bytes = std::max(sum_of(inputs_), sum_of(outputs_));
  const auto threads = static_cast<unsigned>(
      bytes == 0 ? 32
                 : std::clamp<std::uint64_t>((bytes / sizeof(uint4) + 31) / 32 * 32, 64, 1024));
  LoopTable table = table_;
  LoopHandles handles = handles_;
  void* arguments[] = {&table, &handles};
  return add_kernel(graph, control_kernel(role, takes_any()), 1, threads, arguments);
}

GraphPiece RuntimeLoop::add_input(cudaGraph_t graph, std::size_t input) const {
  LoopMove move{};
  if (takes_any()) {
    move.taken = table_.taken + input;
    move.is_new = table_.is_new + input;
  }
  return add_move(graph, inputs_[input], true, move);
}

GraphPiece RuntimeLoop::add_output(cudaGraph_t graph, std::size_t output) const {
  return add_move(graph, outputs_[output], false, {});
}

GraphPiece RuntimeLoop::add_part(cudaGraph_t graph, const Part& part) const {
  return copy_piece(part.captured.get(), graph,
                    {part.piece.traits, part.piece.kept_in_l2, options_.device, programmatic_edges_,
                     options_.memory_sync_domain});
}

/// `move`: what is of the input alone.
GraphPiece RuntimeLoop::add_move(cudaGraph_t graph, const Port& port, bool into_tensor,
                                 LoopMove move) const {
  constexpr std::size_t kBytesOfBlock = kMoveThreads * sizeof(uint4) * 4;
  constexpr std::size_t kMostBlocks = 264;  // two for each SM of an H200
  move.state = state();
  move.slots = port.slots;
  move.tensor = static_cast<std::byte*>(port.port.tensor);
  move.bytes = port.port.bytes;
  move.stride = port.stride;
  move.slot_count = options_.slots;
  void* arguments[] = {&move};
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::size_t>(port.port.bytes / kBytesOfBlock, 1, kMostBlocks));
  return add_kernel(graph, move_kernel(into_tensor), blocks, kMoveThreads, arguments);
}

/// One iteration, which may begin when `begin` ends; null: at once. Returns the kernel that ends
/// it.
GraphPiece RuntimeLoop::lay_iteration(cudaGraph_t graph, const GraphPiece* begin,
                                      LoopRole end) const {
  std::vector<GraphPiece> last;  // what nothing but the end follows
  std::vector<GraphPiece> moved_in(inputs_.size());
  std::vector<bool> read(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].is_small) {
      moved_in[i] = add_input(graph, i);
      if (begin != nullptr) {
        join_pieces(graph, *begin, moved_in[i]);
      }
    }
  }
  std::vector<GraphPiece> placed;
  std::vector<bool> followed(parts_.size());
  for (const Part& part : parts_) {
    if (part.piece.looks) {
      placed.emplace_back();  // it ended before the iteration began
      continue;
    }
    GraphPiece piece = add_part(graph, part);
    bool waits = false;
    for (const std::size_t before : part.piece.after) {
      if (!parts_.at(before).piece.looks) {
        join_pieces(graph, placed.at(before), piece);
        followed[before] = true;
        waits = true;
      }
    }
    for (const std::size_t input : part.piece.inputs) {
      if (!inputs_.at(input).is_small) {
        join_pieces(graph, moved_in[input], piece);
        read[input] = true;
        waits = true;
      }
    }
    if (!waits && begin != nullptr) {
      join_pieces(graph, *begin, piece);
    }
    placed.push_back(std::move(piece));
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const std::size_t output : parts_[i].piece.outputs) {
      if (!outputs_.at(output).is_small) {
        last.push_back(add_output(graph, output));
        join_pieces(graph, placed[i], last.back());
        followed[i] = true;
      }
    }
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!followed[i] && !parts_[i].piece.looks) {
      last.push_back(placed[i]);
    }
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].is_small && !read[i]) {
      last.push_back(moved_in[i]);
    }
  }
  GraphPiece control = add_control(graph, end);
  for (const GraphPiece& piece : last) {
    join_pieces(graph, piece, control);
  }
  return control;
}

/// A look for input, when `begin` ends; null: at once. Returns the kernel that decides.
GraphPiece RuntimeLoop::lay_look(cudaGraph_t graph, const GraphPiece* begin) const {
  std::vector<GraphPiece> placed;
  std::vector<bool> followed(parts_.size());
  for (const Part& part : parts_) {
    GraphPiece& piece = placed.emplace_back();
    if (!part.piece.looks) {
      continue;
    }
    piece = add_part(graph, part);
    for (const std::size_t before : part.piece.after) {
      join_pieces(graph, placed.at(before), piece);
      followed[before] = true;
    }
    if (part.piece.after.empty() && begin != nullptr) {
      join_pieces(graph, *begin, piece);
    }
  }
  GraphPiece look = add_control(graph, LoopRole::Look);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].piece.looks && !followed[i]) {
      join_pieces(graph, placed[i], look);
    }
  }
  return look;
}

void RuntimeLoop::lay_looking_loop(cudaGraph_t body) {
  const GraphPiece look = lay_look(body, nullptr);
  cudaGraphNode_t iterations = nullptr;
  cudaGraph_t const inner = add_body(body, look.last, handles_.one, iterations);
  const GraphPiece end = lay_iteration(inner, nullptr, LoopRole::Close);
  lay_look(inner, &end);
}

cudaGraph_t RuntimeLoop::add_body(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                  cudaGraphConditionalHandle handle, cudaGraphNode_t& node) {
  return graphs_.emplace_back(add_while(graph, after, handle, node));
}

void RuntimeLoop::lay_loop(cudaGraph_t graph) {
  const bool unrolled = table_.unroll > 1;
  handles_.all = make_handle(graph, 1);
  if (unrolled) {
    handles_.many = make_handle(graph, 0);
  }
  if (unrolled || looks()) {
    handles_.one = make_handle(graph, 0);
  }
  cudaGraphNode_t loop = nullptr;
  if (looks()) {
    lay_looking_loop(add_body(graph, {}, handles_.all, loop));
    return;
  }
  if (options_.loop == GraphLoop::HeadTail) {
    cudaGraph_t const body = add_body(graph, {}, handles_.all, loop);
    const GraphPiece head = add_control(body, LoopRole::Head);
    lay_iteration(body, &head, LoopRole::Tail);
    return;
  }
  const GraphPiece first = add_control(graph, LoopRole::First);
  cudaGraph_t const body = add_body(graph, first.last, handles_.all, loop);
  if (!unrolled) {
    lay_iteration(body, nullptr, LoopRole::End);
    return;
  }
  cudaGraphNode_t many = nullptr;
  cudaGraph_t const round = add_body(body, {}, handles_.many, many);
  GraphPiece before = lay_iteration(round, nullptr, LoopRole::Next);
  for (std::uint32_t i = 2; i < options_.unroll; ++i) {
    before = lay_iteration(round, &before, LoopRole::Next);
  }
  lay_iteration(round, &before, LoopRole::End);
  cudaGraphNode_t one = nullptr;
  lay_iteration(add_body(body, {many}, handles_.one, one), nullptr, LoopRole::End);
}

void RuntimeLoop::instantiate() {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  graph_ = make_graph();
  graphs_ = {graph_.get()};
  lay_loop(graph_.get());
  exec_ = cuda::instantiate(graph_.get(), stream_.get());
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
}

void RuntimeLoop::write_dot(const std::string& file) const {
  const DeviceGuard guard(options_.device);
  cuda::write_dot(graph_.get(), file);
}

void RuntimeLoop::launch(std::uint64_t limit) {
  if (exec_.get() == nullptr || is_running()) {
    throw Error(ErrorCode::InvalidState, exec_.get() == nullptr
                                             ? "a loop was launched before its instantiate()"
                                             : "a loop was launched that runs");
  }
  const DeviceGuard guard(options_.device);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(control_.get()));
  for (auto* ports : {&inputs_, &outputs_}) {
    for (Port& port : *ports) {
      port.count = 0;
      if (port.is_small) {
        shared(port.word).store(0, std::memory_order_relaxed);
      }
    }
  }
  shared(table_.finished).store(0, std::memory_order_relaxed);
  limit_ = limit;
  drains_ = false;
  LoopState begin{};
  begin.limit = limit;
  begin.sleep_interval_ns = static_cast<std::uint64_t>(options_.sleep_interval.count());
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(state(), &begin, sizeof begin, cudaMemcpyHostToDevice, stream_.get()));
  cuda_check("cudaMemsetAsync",
             cudaMemsetAsync(device_begin_ + words_at_, 0, words_end_ - words_at_, stream_.get()));
  if (takes_any()) {
    clear_inputs();
  }
  // Others write the numbers on streams of their own.
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  runtime().loop_began();
  launched_ = true;
  const cudaError_t result = cudaGraphLaunch(exec_.get(), stream_.get());
  if (result != cudaSuccess) {
    launched_ = false;
    runtime().loop_ended();
    cuda_check("cudaGraphLaunch", result);
  }
}

void RuntimeLoop::write_word(std::uint64_t* word, std::uint64_t value, StreamRef stream) const {
  driver_check("cuStreamWriteValue64",
               driver().stream_write_value(stream, reinterpret_cast<CUdeviceptr>(word), value, 0));
}

/// What is shown of an input of which nothing has come yet.
void RuntimeLoop::clear_inputs() {
  std::memset(table_.taken_log, 0, drives() * log_entries() * sizeof(std::uint64_t));
  for (const auto* ports : {&options_.inputs, &options_.found}) {
    for (const DeviceLoopPort& port : *ports) {
      if (port.bytes > 0) {
        cuda_check("cudaMemsetAsync", cudaMemsetAsync(port.tensor, 0, port.bytes, stream_.get()));
      }
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

bool RuntimeLoop::is_running() {
  if (!launched_) {
    return false;
  }
  const cudaError_t result = cudaStreamQuery(stream_.get());
  if (result == cudaErrorNotReady) {
    return true;
  }
  launched_ = false;
  runtime().loop_ended();
  cuda_check("cudaStreamQuery", result);
  return false;
}

std::uint64_t RuntimeLoop::finished() const noexcept {
  return shared(table_.finished).load(std::memory_order_acquire);
}

DeviceLoopReport RuntimeLoop::report() {
  const DeviceGuard guard(options_.device);
  LoopState end{};
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(&end, state(), sizeof end, cudaMemcpyDeviceToHost, stream_.get()));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
  return {end.done, end.began_ns == 0 ? 0 : static_cast<std::int64_t>(end.ended_ns - end.began_ns)};
}

std::byte* RuntimeLoop::slot(const Port& port) const noexcept {
  return port.slots + port.count % options_.slots * port.stride;
}

/// Copies one input or output and counts it.
void RuntimeLoop::pass(Port& port, void* to, const void* from, bool by_processor,
                       DeviceStream& stream) {
  const std::uint64_t count = port.count + 1;
  if (!port.is_small) {
    const DeviceGuard guard(options_.device);
    runtime().copy(to, from, port.port.bytes, stream);
    chaos();
    write_word(port.word, count, stream.handle());
  } else {
    if (by_processor && port.port.bytes > 0) {
      std::memcpy(to, from, port.port.bytes);
    } else if (port.port.bytes > 0) {
      runtime().copy(to, from, port.port.bytes, stream);
      stream.wait_on_host(stream.mark().number);
    }
    chaos();
    shared(port.word).store(count, std::memory_order_release);
  }
  chaos();
  port.count = count;
}

bool RuntimeLoop::put(std::size_t input, const void* data, bool readable, DeviceStream& stream) {
  Port& port = inputs_.at(input);
  pass(port, slot(port), data, readable, stream);
  return port.is_small;
}

bool RuntimeLoop::take(std::size_t output, void* to, bool writable, DeviceStream& stream) {
  Port& port = outputs_.at(output);
  pass(port, to, slot(port), writable, stream);
  return port.is_small;
}

void RuntimeLoop::drop_results() {
  const DeviceGuard guard(options_.device);
  for (const Port& port : outputs_) {
    if (port.is_small) {
      shared(port.word).store(kAllTaken, std::memory_order_release);
    } else {
      write_word(port.word, kAllTaken, control_.get());
    }
  }
}

}  // namespace gxr::cuda
