#include "fake_loop.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "fake_engine.hpp"
#include "fake_measures.hpp"
#include "gxr/error.hpp"

namespace gxr::fake {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::int64_t since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

}  // namespace

/// What host and loop share. The host's functions hold the mutex, and so does the loop, but for
/// the time in which nodes run.
class FakeLoop::Body {
 public:
  struct Port {
    DeviceLoopPort port;
    std::vector<std::vector<std::byte>> slots;
    std::uint64_t given = 0;    // to the host's functions: put or taken
    std::uint64_t arrived = 0;  // that the loop knows of
    bool by_stream = false;     // from now on streams say what has arrived
  };

  explicit Body(const DeviceLoopOptions& options)
      : options_(options), measures_(options.instrument_every) {
    add_ports(options.inputs, inputs_);
    add_ports(options.outputs, outputs_);
    is_new_.resize(drives());
    words_.resize(options.doorbells);
    rung_.resize(options.doorbells);
    taken_.resize(drives());
  }

  [[nodiscard]] std::size_t drives() const { return inputs_.size() + options_.doorbells; }
  [[nodiscard]] bool takes_any() const { return options_.ready == GraphReady::Any; }

  void launch(std::uint64_t done, std::uint64_t limit) {
    const std::lock_guard lock(mutex_);
    done_ = done;
    begun_ = done;
    limit_ = limit;
    draining_.reset();
    late_ = 0;
    dropped_ = false;
    log_.clear();
    measures_.clear();
    finished_.store(done);
    std::ranges::fill(taken_, done);
    std::ranges::fill(words_, 0);
    std::ranges::fill(rung_, 0);
    std::ranges::fill(is_new_, 0);
    for (auto* ports : {&inputs_, &outputs_}) {
      for (Port& port : *ports) {
        port.given = port.arrived = done;
        port.by_stream = false;
      }
    }
    if (takes_any()) {
      for (const Port& port : inputs_) {
        std::memset(port.port.tensor, 0, port.port.bytes);
      }
    }
    began_ = Clock::now();
    runs_.store(true);
  }

  /// On the loop's own thread.
  void run() {
    while (poll() && wait()) {
      const auto begin = Clock::now();
      take_inputs();
      const bool went_well = measures_.run(*nodes, begun_ - 1);
      const std::lock_guard lock(mutex_);
      if (!went_well) {
        break;
      }
      give_outputs();
      late_ += options_.iteration_timeout.count() > 0 &&
                       since(begin) > options_.iteration_timeout.count()
                   ? 1
                   : 0;
      finished_.store(++done_, std::memory_order_release);
      changed_.notify_all();
    }
    const std::lock_guard lock(mutex_);
    ran_ns_ = since(began_);
    runs_.store(false, std::memory_order_release);
    changed_.notify_all();
  }

  /// Nodes that poll run each time.
  bool poll() {
    if (options_.doorbells == 0) {
      return true;
    }
    const bool went_well = nodes->run(true);
    const std::lock_guard lock(mutex_);
    rung_ = words_;
    return went_well;
  }

  /// Until an iteration may begin; false: the loop ends.
  bool wait() {
    std::unique_lock lock(mutex_);
    while (!has_failed()) {
      exchange_parameters();
      if (ends()) {
        return false;
      }
      if (may_begin()) {
        return true;
      }
      changed_.wait_for(lock, 200us);
      heartbeat_.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      if (!poll()) {
        return false;
      }
      lock.lock();
    }
    return false;
  }

  void set_limit(std::uint64_t limit) {
    const std::lock_guard lock(mutex_);
    draining_.reset();
    limit_ = limit;
    changed_.notify_all();
  }
  void drain() {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint64_t> there;
    for (std::size_t drive = 0; drive < drives(); ++drive) {
      there.push_back(arrived(drive));
    }
    draining_ = std::move(there);
    changed_.notify_all();
  }

  /// Copies now, or as work of a stream. The loop knows of it in the order of the calls.
  bool pass(Port& port, void* to, const void* from, bool now, DeviceStream& stream,
            const std::shared_ptr<Body>& self) {
    const std::size_t bytes = port.port.bytes;
    std::unique_lock lock(mutex_);
    ++port.given;
    if (now && bytes > 0) {
      std::memcpy(to, from, bytes);
    } else if (bytes > 0) {
      port.by_stream = true;
    }
    if (!port.by_stream) {
      ++port.arrived;
      changed_.notify_all();
      return true;
    }
    lock.unlock();
    stream_of(stream).push([self, &port, to, from, bytes = now ? 0 : bytes] {
      const std::lock_guard inner(self->mutex_);
      if (!has_failed()) {
        std::memcpy(to, from, bytes);
        ++port.arrived;
        self->changed_.notify_all();
      }
    });
    return now;
  }
  [[nodiscard]] void* slot(Port& port) const {
    return port.slots[port.given % port.slots.size()].data();
  }

  const DeviceLoopOptions options_;
  FakeMeasures measures_;
  std::shared_ptr<const FakeNodes> nodes;
  std::vector<Port> inputs_;
  std::vector<Port> outputs_;
  std::mutex mutex_;  // guards what is no atomic
  std::condition_variable changed_;
  std::uint64_t done_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t limit_ = 0;
  std::optional<std::vector<std::uint64_t>> draining_;  // by drive: those that are worked on
  std::vector<std::uint64_t> words_;                    // of doorbells, for kernels
  std::vector<std::uint64_t> rung_;                     // what they were when it polled last
  std::vector<std::uint64_t> taken_;                    // by drive
  std::vector<std::uint64_t> is_new_;                   // by drive
  std::deque<std::vector<std::uint64_t>> log_;          // `taken_` behind the last iterations
  std::uint64_t late_ = 0;
  bool dropped_ = false;
  std::optional<std::vector<std::byte>> parameters_;
  Clock::time_point began_;
  std::int64_t ran_ns_ = 0;
  std::atomic<std::uint64_t> finished_{0};
  std::atomic<std::uint64_t> heartbeat_{0};
  std::atomic<bool> runs_{false};

 private:
  void add_ports(const std::vector<DeviceLoopPort>& from, std::vector<Port>& to) const {
    for (const DeviceLoopPort& port : from) {
      to.push_back({port, {}});
      to.back().slots.assign(options_.slots, std::vector<std::byte>(port.bytes));
    }
  }
  [[nodiscard]] std::uint64_t arrived(std::size_t drive) const {
    return drive < inputs_.size() ? inputs_[drive].arrived : rung_[drive - inputs_.size()];
  }
  [[nodiscard]] bool ends() const {
    if (done_ >= limit_) {
      return true;
    }
    return draining_ && std::ranges::equal(*draining_, taken_, std::ranges::less_equal{});
  }
  [[nodiscard]] bool may_begin() const {
    for (const Port& output : outputs_) {
      if (!dropped_ && done_ - output.arrived >= options_.slots) {
        return false;
      }
    }
    std::size_t with_news = 0;
    for (std::size_t drive = 0; drive < drives(); ++drive) {
      with_news += arrived(drive) > taken_[drive] ? 1 : 0;
    }
    return takes_any() ? with_news > 0 : with_news == drives();
  }
  void exchange_parameters() {
    if (!parameters_) {
      return;
    }
    const std::byte* from = parameters_->data();
    for (const DeviceRange& range : options_.parameters) {
      std::memcpy(range.begin, from, range.bytes);
      from += range.bytes;
    }
    parameters_.reset();
  }
  void take_inputs() {
    const std::lock_guard lock(mutex_);
    for (std::size_t drive = 0; drive < drives(); ++drive) {
      is_new_[drive] = arrived(drive) > taken_[drive] ? 1 : 0;
      if (is_new_[drive] == 0) {
        continue;
      }
      if (drive < inputs_.size() && inputs_[drive].port.bytes > 0) {
        const Port& input = inputs_[drive];
        std::memcpy(input.port.tensor, input.slots[taken_[drive] % input.slots.size()].data(),
                    input.port.bytes);
      }
      ++taken_[drive];
    }
    ++begun_;
    log_.push_back(taken_);
    while (log_.size() > options_.slots + 1) {
      log_.pop_front();
    }
  }
  void give_outputs() {
    for (Port& output : outputs_) {
      std::memcpy(output.slots[done_ % output.slots.size()].data(), output.port.tensor,
                  output.port.bytes);
    }
  }
};

FakeLoop::FakeLoop(const DeviceLoopOptions& options) : body_(std::make_shared<Body>(options)) {}

FakeLoop::~FakeLoop() { loop_is_gone(); }

NodeId FakeLoop::add(const CapturedWork& work, const DeviceNode& node,
                     const DeviceRange& /*l2_range*/) {
  return nodes_.add(work, node);
}
NodeId FakeLoop::add_copy(const DeviceCopy& copy, const DeviceNode& node) {
  return nodes_.add_copy(copy, node);
}
NodeId FakeLoop::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  return nodes_.add_branch(memory, node);
}
const std::uint64_t* FakeLoop::iteration() const noexcept { return &body_->done_; }
const std::uint64_t* FakeLoop::iteration_in(NodeId /*branch*/) const noexcept {
  return iteration();
}
Doorbell FakeLoop::doorbell(std::size_t number) const noexcept {
  return {&body_->words_[number], &body_->taken_[body_->inputs_.size() + number]};
}
const std::uint64_t* FakeLoop::is_new(std::size_t drive) const noexcept {
  return body_->takes_any() ? &body_->is_new_[drive] : nullptr;
}
void FakeLoop::instantiate() { body_->nodes = std::make_shared<const FakeNodes>(nodes_); }
void FakeLoop::replace(NodeId node, const CapturedWork& work) { nodes_.replace(node, work); }
void FakeLoop::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  nodes_.replace_by_copy(node, copy);
}
void FakeLoop::write_dot(const std::string& file) const {
  std::ofstream(file) << "digraph fake {}\n";
}

void FakeLoop::launch_from(std::uint64_t done, std::uint64_t limit) {
  require_device();
  if (body_->nodes == nullptr || body_->runs_.load()) {
    throw Error(ErrorCode::InvalidState, "a loop was launched that runs, or that was not made");
  }
  body_->launch(done, limit);
  run_loop([body = body_] { body->run(); });
}

std::vector<MeasuredIteration> FakeLoop::measured(std::size_t most) const {
  return body_->measures_.last(most);
}

void FakeLoop::set_limit(std::uint64_t limit) { body_->set_limit(limit); }
void FakeLoop::drain() { body_->drain(); }
void FakeLoop::set_sleep_interval(std::chrono::nanoseconds /*interval*/) {}

void FakeLoop::set_parameters(const std::vector<std::byte>& bytes) {
  const std::lock_guard lock(body_->mutex_);
  body_->parameters_ = bytes;
}

bool FakeLoop::is_running() {
  const bool runs = body_->runs_.load(std::memory_order_acquire);
  require_device();
  return runs;
}

std::uint64_t FakeLoop::finished() const noexcept {
  return body_->finished_.load(std::memory_order_acquire);
}
std::uint64_t FakeLoop::heartbeat() const noexcept {
  return body_->options_.doorbells > 0 ? body_->heartbeat_.load(std::memory_order_relaxed) : 0;
}

std::uint64_t FakeLoop::taken(std::size_t drive, std::uint64_t iterations) const noexcept {
  const std::lock_guard lock(body_->mutex_);
  if (!body_->takes_any() || iterations == 0) {
    return iterations;
  }
  const std::uint64_t behind = body_->begun_ - iterations;
  return behind < body_->log_.size() ? body_->log_[body_->log_.size() - 1 - behind][drive] : 0;
}

DeviceLoopReport FakeLoop::report() {
  require_device();
  const std::lock_guard lock(body_->mutex_);
  return {body_->done_, body_->ran_ns_, body_->late_, 0};
}

bool FakeLoop::put(std::size_t input, const void* data, bool readable, DeviceStream& stream) {
  Body::Port& port = body_->inputs_.at(input);
  return body_->pass(port, body_->slot(port), data, readable || port.port.bytes == 0, stream,
                     body_);
}

DeviceWork FakeLoop::take(std::size_t output, void* to, bool writable, DeviceStream& stream) {
  Body::Port& port = body_->outputs_.at(output);
  if (body_->pass(port, to, body_->slot(port), writable, stream, body_)) {
    return {};
  }
  const DeviceWork copied = stream.mark();
  stream.record();
  return copied;
}

void FakeLoop::drop_results() {
  const std::lock_guard lock(body_->mutex_);
  body_->dropped_ = true;
  body_->changed_.notify_all();
}

}  // namespace gxr::fake
