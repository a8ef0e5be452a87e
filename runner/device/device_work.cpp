#include "gxr/device_work.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "device/current_stream.hpp"
#include "device/device_engine.hpp"
#include "device/device_spans.hpp"
#include "system/spin_lock.hpp"

namespace gxr {
namespace {

thread_local DeviceStream* current = nullptr;
thread_local DeviceSpans* current_spans = nullptr;

}  // namespace

DeviceStream* current_device_stream() noexcept { return current; }
DeviceStream* set_current_device_stream(DeviceStream* stream) noexcept {
  return std::exchange(current, stream);
}

DeviceSpans* current_device_spans() noexcept { return current_spans; }
DeviceSpans* set_current_device_spans(DeviceSpans* spans) noexcept {
  return std::exchange(current_spans, spans);
}

DeviceStream::~DeviceStream() = default;

void DeviceStream::set_done(std::uint64_t number) noexcept {
  std::uint64_t known = done_.load(std::memory_order_relaxed);
  while (known < number && !done_.compare_exchange_weak(known, number, std::memory_order_acq_rel)) {
  }
}

void DeviceStream::note_user(const std::string* who) noexcept {
  for (Use& known : uses_) {
    if (known.who.load(std::memory_order_relaxed) == who) {
      known.after.store(given(), std::memory_order_relaxed);
      return;
    }
  }
  Use& use = uses_[next_use_.fetch_add(1, std::memory_order_relaxed) % uses_.size()];
  use.who.store(who, std::memory_order_relaxed);
  use.after.store(given(), std::memory_order_relaxed);
}

void DeviceStream::forget_user(const std::string* who) noexcept {
  for (Use& use : uses_) {
    const std::string* expected = who;
    use.who.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed);
  }
}

std::vector<const std::string*> DeviceStream::recent_users() const {
  std::vector<const std::string*> users;
  const std::uint32_t next = next_use_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < uses_.size(); ++i) {
    const Use& use = uses_[(next + i) % uses_.size()];
    const std::string* const who = use.who.load(std::memory_order_relaxed);
    // Work that follows work that is not known to be done is not done, either.
    const bool open = use.after.load(std::memory_order_relaxed) + 1 > done_.load();
    if (who != nullptr && open && std::find(users.begin(), users.end(), who) == users.end()) {
      users.push_back(who);
    }
  }
  return users;
}

struct DeviceUsers::Further {
  SpinLock lock;
  std::vector<DeviceStream*> streams;
};

DeviceUsers::DeviceUsers(DeviceUsers&& other) noexcept { *this = std::move(other); }

DeviceUsers& DeviceUsers::operator=(DeviceUsers&& other) noexcept {
  if (this != &other) {
    clear();
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      streams_[i].store(other.streams_[i].load(std::memory_order_relaxed),
                        std::memory_order_relaxed);
    }
    further_.store(other.further_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    other.further_.store(nullptr, std::memory_order_relaxed);
    other.clear();
  }
  return *this;
}

DeviceUsers::~DeviceUsers() { delete further_.load(); }

void DeviceUsers::clear() noexcept {
  for (auto& stream : streams_) {
    stream.store(nullptr, std::memory_order_relaxed);
  }
  // Not exchanged: that would cost every tensor tens of cycles.
  if (Further* const further = further_.load(std::memory_order_acquire); further != nullptr) {
    further_.store(nullptr, std::memory_order_relaxed);
    delete further;
  }
}

void DeviceUsers::add(DeviceStream& stream) {
  for (auto& place : streams_) {
    DeviceStream* there = place.load(std::memory_order_acquire);
    if (there == nullptr && place.compare_exchange_strong(there, &stream)) {
      return;
    }
    if (there == &stream) {
      return;
    }
  }
  Further* further = further_.load(std::memory_order_acquire);
  if (further == nullptr) {
    auto made = std::make_unique<Further>();
    if (further_.compare_exchange_strong(further, made.get())) {
      further = made.release();
    }
  }
  const std::lock_guard guard(further->lock);
  if (std::find(further->streams.begin(), further->streams.end(), &stream) ==
      further->streams.end()) {
    further->streams.push_back(&stream);
  }
}

std::vector<DeviceStream*> DeviceUsers::further() const {
  Further* const further = further_.load(std::memory_order_acquire);
  if (further == nullptr) {
    return {};
  }
  const std::lock_guard guard(further->lock);
  return further->streams;
}

void DeviceUsers::wait_on_host() const {
  for_each([](DeviceStream& stream) { stream.wait_on_host(stream.mark().number); });
}

bool DeviceUsers::finish_on_host() const noexcept {
  bool finished = true;
  for_each(
      [&](DeviceStream& stream) { finished = finished && gxr::finish_on_host(stream.mark()); });
  return finished;
}

bool finish_on_host(const DeviceWork& work) noexcept {
  try {
    work.stream->wait_on_host(work.number);
    return true;
  } catch (...) {
    try {
      return work.stream->is_done(work.number);
    } catch (...) {
      return true;  // the device has failed
    }
  }
}

DevicePartition::~DevicePartition() = default;
DeviceMemoryPool::~DeviceMemoryPool() = default;
DeviceRuntime::~DeviceRuntime() = default;
DeviceNodes::~DeviceNodes() = default;
DeviceGraph::~DeviceGraph() = default;
DeviceLoop::~DeviceLoop() = default;
DeviceEngine::~DeviceEngine() = default;

}  // namespace gxr
