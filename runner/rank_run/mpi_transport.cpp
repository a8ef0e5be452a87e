#include "rank_run/mpi_transport.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <sched.h>
#include <sys/prctl.h>

#include "gxr/error.hpp"
#include "observe/chaos.hpp"
#include "observe/own_thread.hpp"
#include "system/spin_lock.hpp"

namespace gxr {
namespace {

using namespace std::chrono_literals;

/// So long an executor polls that has nothing else to do.
constexpr auto kIdlePoll = 1ms;
/// The thread's pauses between two polls while nothing comes.
constexpr auto kFirstPause = 20us;
constexpr auto kLastPause = 500us;
/// All ranks come to their end together, unless one of them hangs.
constexpr auto kDrainPatience = 5s;
/// Messages that one poll begins to take.
constexpr int kMessagesAtOnce = 16;

std::uint32_t cores_of_process() {
  cpu_set_t cores;
  return ::sched_getaffinity(0, sizeof(cores), &cores) == 0
             ? static_cast<std::uint32_t>(CPU_COUNT(&cores))
             : std::max(1U, std::thread::hardware_concurrency());
}

std::uint32_t tag_of(RankFrame kind, std::uint32_t channel) {
  return 2 * channel + (kind == RankFrame::Credit ? 1 : 0);
}

bool goes_by_mpi(RankFrame kind) { return kind == RankFrame::Message || kind == RankFrame::Credit; }

}  // namespace

MpiTransport::MpiTransport(std::unique_ptr<MpiPort> port, std::vector<FileDescriptor> sockets,
                           std::size_t channels)
    : port_(std::move(port)),
      rank_of_host_(port_->rank_of_host()),
      shares_cores_(port_->ranks_of_host() > cores_of_process()),
      is_lost_(port_->ranks()),
      incoming_(port_->ranks()),
      mesh_(port_->rank(), std::move(sockets)) {
  if (2 * channels > std::size_t{port_->greatest_tag()} + 1) {
    throw Error(ErrorCode::NotSupported,
                "this MPI library has tags for " + std::to_string((port_->greatest_tag() + 1) / 2) +
                    " connections between ranks only, and the application has " +
                    std::to_string(channels));
  }
}

MpiTransport::~MpiTransport() {
  ending_.store(true);
  handed_over_.release();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void MpiTransport::begin(Listener listener) {
  listener_ = std::move(listener);
  thread_ = start_thread("the thread that polls MPI", [this] { run(); });
  mesh_.begin({listener_.frame, [this](Rank rank, const std::string& why) { lose(rank, why); }});
}

void MpiTransport::lose(Rank rank, const std::string& why) {
  if (!is_lost_[rank].exchange(true)) {
    losses_.fetch_add(1);
    listener_.lost(rank, why);
  }
}

void MpiTransport::send(Rank to, RankFrame kind, std::uint32_t channel, RankBytes body) {
  if (!goes_by_mpi(kind)) {
    mesh_.send(to, kind, channel, std::move(body));
    return;
  }
  if (is_lost_[to].load()) {
    return;
  }
  const std::lock_guard lock(mpi_);
  if (is_dead_) {
    return;
  }
  try {
    sending_.reserve(sending_.size() + 1);  // must not fail once MPI has the bytes
    const MpiPort::Request request = port_->send(to, tag_of(kind, channel), body);
    if (!port_->is_done(request)) {
      sending_.push_back({request, std::move(body)});
      is_sending_.store(true, std::memory_order_relaxed);
    }
  } catch (const Error& error) {
    is_dead_ = true;
    failure_ = error.message();  // whoever polls tells, who holds no lock of the listener
  }
}

// --- polling -----------------------------------------------------------------------------------

void MpiTransport::end_sends() {
  std::erase_if(sending_, [this](const Sending& each) { return port_->is_done(each.request); });
  is_sending_.store(!sending_.empty(), std::memory_order_relaxed);
}

/// Begins to take the next message, which complete receives must not overtake.
void MpiTransport::receive_next() {
  for (int i = 0; i < kMessagesAtOnce; ++i) {
    const std::optional<MpiPort::Arrival> arrival = port_->probe();
    if (!arrival) {
      return;
    }
    std::deque<Incoming>& queue = incoming_[arrival->from];
    Incoming& incoming = queue.emplace_back();
    incoming.tag = arrival->tag;
    incoming.body.resize(arrival->bytes);
    incoming.request = port_->receive(incoming.body);
    ++receiving_;
    take_complete(arrival->from);
  }
}

void MpiTransport::take_complete(Rank from) {
  std::deque<Incoming>& queue = incoming_[from];
  while (!queue.empty() && port_->is_done(queue.front().request)) {
    arrived_.push_back({from, queue.front().tag, std::move(queue.front().body)});
    queue.pop_front();
    --receiving_;
  }
}

/// With mpi_ held.
void MpiTransport::take_from_mpi() {
  if (!failure_.empty()) {
    throw Error(ErrorCode::InputOutput, std::exchange(failure_, {}));
  }
  if (is_dead_) {
    return;
  }
  if (!sending_.empty()) {
    end_sends();
  }
  for (Rank from = 0; receiving_ > 0 && from < ranks(); ++from) {
    take_complete(from);
  }
  receive_next();
}

/// Takes in what is there; true: something was. With poll_ held.
bool MpiTransport::poll_once() {
  arrived_.clear();
  try {
    const std::lock_guard lock(mpi_);
    take_from_mpi();
  } catch (const Error& error) {
    lose_all(error.message());
  } catch (const std::bad_alloc&) {
    lose_all("there is no memory for what other ranks send");
  }
  for (Arrived& each : arrived_) {
    try {
      listener_.frame(each.from, each.tag % 2 == 1 ? RankFrame::Credit : RankFrame::Message,
                      each.tag / 2, std::move(each.body));
    } catch (const Error& error) {
      lose(each.from, error.message());
    } catch (const std::bad_alloc&) {
      lose(each.from, "there is no memory for what it sends");
    }
  }
  return !arrived_.empty();
}

/// MPI does not work any more.
void MpiTransport::lose_all(const std::string& why) {
  {
    const std::lock_guard lock(mpi_);
    is_dead_ = true;
  }
  for (Rank other = 0; other < ranks(); ++other) {
    if (other != rank()) {
      lose(other, why);
    }
  }
}

/// Between two polls without a pause.
void MpiTransport::pause() noexcept {
  constexpr std::uint32_t kYields = 64;  // others may need the core although there are enough
  if (shares_cores_ || ++turns_ % kYields == 0) {
    std::this_thread::yield();
  } else {
    spin_pause();
  }
}

bool MpiTransport::poll(const std::atomic<bool>& stop, std::int64_t most) {
  const auto end =
      Clock::now() + std::min<std::chrono::nanoseconds>(kIdlePoll, std::chrono::nanoseconds(most));
  do {
    is_polled_.store(true, std::memory_order_release);
    if (std::unique_lock polling(poll_, std::try_to_lock); polling) {
      if (poll_once()) {
        return true;
      }
      pause();
    } else {
      std::this_thread::yield();
    }
    if (ending_.load(std::memory_order_relaxed)) {
      break;
    }
  } while (!stop.load(std::memory_order_acquire) && Clock::now() < end);
  is_polled_.store(false, std::memory_order_release);
  chaos();
  handed_over_.release();
  return false;
}

void MpiTransport::run() {
  // Else pauses would be 50 us longer than asked for.
  static_cast<void>(::prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL));
  auto last_news = Clock::now();
  while (!ending_.load(std::memory_order_acquire)) {
    if (is_polled_.exchange(false, std::memory_order_acq_rel)) {
      // Should the executor find work that takes longer, the thread polls after this.
      static_cast<void>(handed_over_.try_acquire_for(kLastPause));
      last_news = Clock::now();
      continue;
    }
    bool found = false;
    if (const std::unique_lock polling(poll_, std::try_to_lock); polling) {
      found = poll_once();
    }
    const auto now = Clock::now();
    if (found || is_sending_.load(std::memory_order_relaxed)) {
      last_news = now;
    }
    if (found) {
      std::this_thread::yield();
      continue;
    }
    const auto pause = std::clamp<Clock::duration>((now - last_news) / 16, kFirstPause, kLastPause);
    static_cast<void>(handed_over_.try_acquire_for(pause));
  }
}

// --- the end -----------------------------------------------------------------------------------

/// Takes what comes until nobody sends any more; false: a rank is gone, or too slow.
bool MpiTransport::drain(Clock::time_point deadline) {
  std::optional<MpiPort::Request> barrier;
  while (!has_lost_any() && Clock::now() < deadline) {
    {
      const std::lock_guard polling(poll_);
      poll_once();
    }
    {
      const std::lock_guard lock(mpi_);
      if (is_dead_) {
        return false;
      }
      if (!barrier && sending_.empty()) {
        barrier = port_->begin_barrier();
      } else if (barrier && receiving_ == 0 && port_->is_done(*barrier)) {
        return true;
      }
    }
    std::this_thread::yield();
  }
  return false;
}

void MpiTransport::finish(std::chrono::milliseconds patience) noexcept {
  ending_.store(true);
  handed_over_.release();
  if (thread_.joinable()) {
    thread_.join();
  }
  bool is_drained = false;
  try {
    is_drained = drain(Clock::now() + kDrainPatience);
  } catch (const std::exception&) {  // MPI has failed
  }
  mesh_.finish(patience);
  try {
    if (is_drained) {
      port_->finish();
    }
  } catch (const std::exception&) {  // the process ends without it
  }
}

}  // namespace gxr
