#include "measured_records.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "cuda_call.hpp"
#include "steady_time.hpp"

namespace gxr::cuda {
namespace {

constexpr std::uint32_t kRecords = 4096;
// Places in a record, behind the number of the iteration, which counts from 1.
constexpr std::size_t kBegin = 1;
constexpr std::size_t kFirstEnd = 2;

std::uint64_t load(const std::uint64_t* word) {
  return std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(word))
      .load(std::memory_order_relaxed);
}

}  // namespace

MeasuredRecords::MeasuredRecords(int device, std::uint32_t every, std::vector<Node> nodes)
    : every_(every), nodes_(std::move(nodes)), record_words_(kFirstEnd + nodes_.size()) {
  for (const Node& node : nodes_) {
    first_body_.push_back(record_words_);
    record_words_ += node.bodies;
  }
  // And a word for the comparison of clocks.
  memory_ = RuntimeMemory((kRecords * record_words_ + 1) * sizeof(std::uint64_t),
                          MemoryStorageType::Host, device);
}

void MeasuredRecords::begin(cudaStream_t stream) {
  std::memset(words(), 0, kRecords * record_words_ * sizeof(std::uint64_t));
  at_begin_ = compare_clocks(stream);
  at_end_ = {};
}

std::size_t MeasuredRecords::place_of(const DeviceBody& body) const {
  return first_body_.at(body.branch) + body.number;
}

Stamp MeasuredRecords::stamp(const std::uint64_t* iteration, std::size_t place) const {
  return {iteration,
          words(),
          kRecords,
          static_cast<std::uint32_t>(record_words_),
          every_,
          place == kBegin,
          static_cast<std::uint32_t>(place)};
}

Stamp MeasuredRecords::begin_stamp(const std::uint64_t* iteration) const {
  return stamp(iteration, kBegin);
}

Stamp MeasuredRecords::end_stamp(const std::uint64_t* iteration, NodeId node) const {
  return stamp(iteration, kFirstEnd + node);
}

Stamp MeasuredRecords::body_stamp(const std::uint64_t* iteration, const DeviceBody& body) const {
  return stamp(iteration, place_of(body));
}

/// The best of some tries: the one whose answer came soonest.
MeasuredRecords::ClockPair MeasuredRecords::compare_clocks(cudaStream_t stream) const {
  constexpr int kTries = 8;
  constexpr int kMostTries = 64;  // while other processes have the GPU
  constexpr std::int64_t kShort = 50'000;
  std::uint64_t* const word = words() + kRecords * record_words_;
  ClockPair best;
  std::int64_t shortest = 0;
  for (int i = 0; i < kTries || (i < kMostTries && shortest > kShort); ++i) {
    const std::int64_t before = steady_now();
    launch_clock(word, stream);
    cuda_check("cudaGetLastError", cudaGetLastError());
    cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
    const std::int64_t took = steady_now() - before;
    if (i == 0 || took < shortest) {
      shortest = took;
      best = {before + took / 2, static_cast<std::int64_t>(load(word))};
    }
  }
  return best;
}

/// Clocks that drift apart are brought together over the time between the comparisons.
std::int64_t MeasuredRecords::host_time(std::uint64_t gpu) const {
  const std::int64_t since = static_cast<std::int64_t>(gpu) - at_begin_.gpu;
  if (at_end_.host == 0 || at_end_.gpu == at_begin_.gpu) {
    return at_begin_.host + since;
  }
  const double rate = static_cast<double>(at_end_.host - at_begin_.host) /
                      static_cast<double>(at_end_.gpu - at_begin_.gpu);
  return at_begin_.host + static_cast<std::int64_t>(rate * static_cast<double>(since));
}

/// The number of the first of the `most` last records that were begun, plus one.
std::uint64_t MeasuredRecords::first_of_last(std::size_t most) const {
  if (most >= kRecords) {
    return 0;
  }
  std::vector<std::uint64_t> numbers;
  for (std::uint32_t i = 0; i < kRecords; ++i) {
    numbers.push_back(load(words() + i * record_words_));
  }
  const auto first = numbers.end() - static_cast<std::ptrdiff_t>(most);
  std::ranges::nth_element(numbers, first);
  return *first;
}

std::vector<MeasuredIteration> MeasuredRecords::read(std::size_t most) const {
  std::vector<MeasuredIteration> found;
  const std::uint64_t least = first_of_last(most);
  const std::uint64_t* record = words();
  for (std::uint32_t i = 0; i < kRecords; ++i, record += record_words_) {
    const std::uint64_t number = load(&record[0]);
    const std::uint64_t begin = load(&record[kBegin]);
    if (number == 0 || begin == 0 || number < least) {
      continue;
    }
    // A time before the begin is of an iteration before, whose record this was.
    const auto stamped = [&](std::size_t place) {
      const std::uint64_t time = load(&record[place]);
      return time < begin ? 0 : host_time(time);
    };
    MeasuredIteration iteration{number - 1, host_time(begin), {}};
    for (NodeId node = 0; node < nodes_.size(); ++node) {
      const Node& at = nodes_[node];
      MeasuredPart measured;
      if (!at.is_stamped) {
        iteration.parts.push_back(measured);
        continue;
      }
      measured.end_ns = stamped(kFirstEnd + node);
      measured.begin_ns = at.body.is_iteration() ? iteration.begin_ns : stamped(place_of(at.body));
      for (const std::size_t before : at.after) {
        if (!nodes_[before].is_stamped) {
          continue;
        }
        const std::int64_t end = iteration.parts[before].end_ns;
        measured.begin_ns = end == 0 ? 0 : std::max(measured.begin_ns, end);
        if (end == 0) {
          break;  // it was not reached
        }
      }
      if (measured.end_ns < measured.begin_ns) {
        measured.end_ns = 0;  // of a run of the body before
      }
      iteration.parts.push_back(measured);
    }
    found.push_back(std::move(iteration));
  }
  std::ranges::sort(found, {}, &MeasuredIteration::number);
  if (found.size() > most) {  // others were begun meanwhile
    found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(most));
  }
  return found;
}

Stamps::Stamps(const MeasuredRecords& records, const std::uint64_t* iteration,
               const PieceOptions& piece_options, cudaGraph_t graph)
    : records_(records),
      iteration_(iteration),
      piece_options_(piece_options),
      begin_(add(graph, records.begin_stamp(iteration))) {}

GraphPiece Stamps::add(cudaGraph_t graph, Stamp stamp) const {
  void* arguments[] = {&stamp};
  return add_kernel(graph, stamp_kernel(), 1, 1, arguments, piece_options_);
}

const GraphPiece& Stamps::begin(const DeviceBody& body) const {
  return body.is_iteration() ? begin_ : bodies_.at({body.branch, body.number});
}

void Stamps::add_behind(GraphLayout& layout, NodeId node) {
  cudaGraph_t const graph = layout.graph_of(layout.body(node));
  const GraphPiece end = add(graph, records_.end_stamp(iteration_, node));
  join_pieces(graph, layout.piece(node), end);
  layout.extend(node, end);
  for (std::uint32_t number = 0; number < records_.bodies(node); ++number) {
    const DeviceBody body{node, number};
    bodies_[{node, number}] = add(layout.graph_of(body), records_.body_stamp(iteration_, body));
  }
}

}  // namespace gxr::cuda
