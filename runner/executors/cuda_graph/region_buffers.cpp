#include "executors/cuda_graph/region_buffers.hpp"

#include <algorithm>
#include <utility>

#include "device/device_engine.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using Place = DeviceBuffer::Place;

/// DeviceLoopOptions::parameters: a loop writes them in units of 16 bytes.
constexpr std::size_t kParameterUnit = 16;

bool is_parameters(const DeviceProgram& program, BufferId id) {
  return std::ranges::any_of(program.nodes, [id](const DeviceNode& node) {
    return node.parameters_set == id || node.parameters_read == id;
  });
}

/// The buffer that has the memory of this one.
BufferId where(const DeviceProgram& program, BufferId id) {
  while (program.buffers[id].place == Place::Same) {
    id = program.buffers[id].same_as;
  }
  return id;
}

/// Is it read although nothing may have been written yet?
bool is_old(const DeviceProgram& program, BufferId id) {
  const DeviceBuffer& buffer = program.buffers[id];
  const bool is_found = program.options.ready == GraphReady::Any &&
                        std::ranges::any_of(program.doorbells, [&](const DeviceDoorbell& bell) {
                          return std::ranges::find(program.nodes[bell.node].writes, id) !=
                                 program.nodes[bell.node].writes.end();
                        });
  return (buffer.lasts || is_found) && buffer.place != Place::OfOperator;
}

}  // namespace

void RegionBuffers::begin(int device) { memory_ = std::make_unique<RegionMemory>(device); }

void RegionBuffers::drop() {
  tensors_.clear();
  ranges_.clear();
  memory_->give_back();
}

/// The arena, and the buffers that have memory of their own.
void RegionBuffers::take(const DeviceProgram& program, const DevicePartition* partition) {
  std::vector<std::uint64_t> sizes;
  std::vector<BufferId> own;
  if (program.arena_bytes > 0) {
    sizes.push_back(program.arena_bytes);  // first: most nodes use it
  }
  for (BufferId id = 0; id < program.buffers.size(); ++id) {
    if (program.buffers[id].place == Place::Own && !is_parameters(program, id)) {
      own.push_back(id);
      sizes.push_back(*program.buffers[id].bytes);
    }
  }
  const std::vector<void*> blocks = memory_->take(sizes, partition);
  const std::size_t behind = blocks.size() - own.size();
  auto* const arena = behind > 0 ? static_cast<std::byte*>(blocks.front()) : nullptr;
  for (std::size_t i = 0; i < own.size(); ++i) {
    ranges_[own[i]] = {blocks[behind + i], *program.buffers[own[i]].bytes};
  }
  for (BufferId id = 0; id < program.buffers.size(); ++id) {
    const DeviceBuffer& buffer = program.buffers[id];
    if (buffer.place == Place::Arena) {
      ranges_[id] = {arena + buffer.offset, *buffer.bytes};
    } else if (is_parameters(program, id)) {
      const std::size_t room =
          (*buffer.bytes + kParameterUnit - 1) / kParameterUnit * kParameterUnit;
      ranges_[id] = {memory_->take(room), *buffer.bytes};
    }
  }
}

void RegionBuffers::place(const DeviceProgram& program, const GraphRegion& region,
                          const DevicePartition* partition, const OfOperator& of_operator) {
  ranges_.assign(program.buffers.size(), {});
  take(program, partition);
  for (BufferId id = 0; id < program.buffers.size(); ++id) {
    const DeviceBuffer& buffer = program.buffers[id];
    if (buffer.place == Place::OfOperator) {
      ranges_[id] = {of_operator(id).pointer, *buffer.bytes};
    } else if (buffer.place == Place::Same) {
      ranges_[id] = {nullptr, *buffer.bytes};
    }
  }
  for (BufferId id = 0; id < program.buffers.size(); ++id) {
    ranges_[id].begin = ranges_[where(program, id)].begin;
  }
  for (TensorId id = 0; id < region.tensors.size(); ++id) {
    const TensorSpec& spec = *region.tensors[id].spec;
    const std::uint64_t each = spec.type == ElementType::Custom ? spec.bytes_per_element : 0;
    auto& tensor = *tensors_.emplace_back(std::make_unique<Tensor>());
    tensor.wrap(ranges_[id].begin, spec.shape, spec.type, MemoryStorageType::Device, nullptr,
                nullptr, each);
  }
}

DeviceCopy RegionBuffers::copy_of(const DeviceNode& node) const {
  const DeviceRange to = at(node.writes.front());
  return {to.begin, at(node.reads.front()).begin, to.bytes};
}

BranchMemory RegionBuffers::branch_memory(const DeviceNode& branch) {
  BranchMemory memory;
  memory.selector = at(branch.branch.selector).begin;
  if (branch.branch.limit > 0) {
    memory.runs = static_cast<std::uint64_t*>(memory_->take(sizeof(std::uint64_t)));
  }
  return memory;
}

void RegionBuffers::clear_old(const DeviceProgram& program) const {
  std::vector<BufferId> old;
  for (BufferId id = 0; id < program.buffers.size(); ++id) {
    if (is_old(program, id)) {
      old.push_back(id);
    }
  }
  clear(program, old);
}

void RegionBuffers::clear(const DeviceProgram& program,
                          const std::vector<BufferId>& buffers) const {
  std::optional<LeasedStream> stream;
  for (const BufferId id : buffers) {
    if (program.buffers[where(program, id)].place == Place::OfOperator) {
      continue;
    }
    if (!stream) {
      stream.emplace(StreamOptions{.device = program.options.device});
    }
    DeviceRuntime::get().clear(ranges_[id].begin, ranges_[id].bytes, stream->get());
  }
  if (stream) {
    stream->finish();
  }
}

std::vector<RegionBuffers::Held> RegionBuffers::hold(const std::vector<BufferId>& buffers) const {
  std::vector<Held> all;
  if (buffers.empty()) {
    return all;
  }
  LeasedStream stream(StreamOptions{.device = memory_->device()});
  for (const BufferId id : buffers) {
    const DeviceRange& from = ranges_[id];
    const std::shared_ptr<void> memory(memory_->allocate_for(from.bytes, &stream.get()),
                                       [this](void* held) { memory_->free(held); });
    DeviceRuntime::get().copy(memory.get(), from.begin, from.bytes, stream.get());
    all.push_back({id, {memory.get(), from.bytes}, memory});
  }
  stream.finish();
  return all;
}

void RegionBuffers::put_back(const std::vector<Held>& all) const {
  if (all.empty()) {
    return;
  }
  LeasedStream stream(StreamOptions{.device = memory_->device()});
  for (const Held& held : all) {
    DeviceRuntime::get().copy(ranges_[held.buffer].begin, held.range.begin, held.range.bytes,
                              stream.get());
  }
  stream.finish();
}

std::vector<DeviceRange> RegionBuffers::parameter_ranges(const DeviceProgram& program) const {
  std::vector<DeviceRange> ranges;
  for (const DeviceNode& node : program.nodes) {
    if (node.parameters_set != kNoBuffer) {
      ranges.push_back(at(node.parameters_set));
    }
  }
  return ranges;
}

std::vector<std::byte> RegionBuffers::parameters_of(const DeviceProgram& program) {
  std::vector<std::byte> all;
  for (const DeviceNode& node : program.nodes) {
    all.insert(all.end(), node.parameters.begin(), node.parameters.end());
  }
  return all;
}

void RegionBuffers::write_parameters(const DeviceProgram& program, DeviceStream& stream) const {
  DeviceRuntime& runtime = DeviceRuntime::get();
  const std::vector<std::byte> all = parameters_of(program);
  // From memory that may be paged out, CUDA copies only when the stream's work before is done.
  auto* from = static_cast<std::byte*>(runtime.allocate_pinned(all.size()));
  if (from == nullptr) {
    throw Error(ErrorCode::OutOfMemory, "no " + std::to_string(all.size()) +
                                            " bytes of page-locked memory are left for parameters");
  }
  DeviceUsers users;
  users.add(stream);
  // Also when a copy fails: others may still read it.
  const auto give_back = [&](std::byte* memory) { runtime.free_pinned(memory, users); };
  const std::unique_ptr<std::byte, decltype(give_back)> staged(from, give_back);
  std::ranges::copy(all, from);
  for (const DeviceNode& node : program.nodes) {
    if (node.parameters.empty()) {
      continue;
    }
    runtime.copy(at(node.parameters_set).begin, from, node.parameters.size(), stream);
    if (node.parameters_read != node.parameters_set) {
      runtime.copy(at(node.parameters_read).begin, from, node.parameters.size(), stream);
    }
    from += node.parameters.size();
  }
}

void RegionBuffers::write_parameters(const DeviceProgram& program) const {
  if (!parameters_of(program).empty()) {
    LeasedStream stream(StreamOptions{.device = program.options.device});
    write_parameters(program, stream.get());
    stream.finish();
  }
}

}  // namespace gxr
