#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gxr::image {

/// A picture on its way into a file.
class EncoderTask {
 public:
  virtual ~EncoderTask() = default;
  /// The work. On a thread of the encoders, at the same time as others.
  virtual void encode() = 0;
  /// Makes the result visible. On such a thread, one task after the other in the order in which
  /// they were added.
  virtual void finish() = 0;
};

/// Threads that encode pictures. They begin when there is work for one more, and end with the
/// object.
///
/// Results do not depend on the number of threads: tasks finish in the order of add(), and the
/// first in this order that throws is the last: none behind it finishes.
class Encoders {
 public:
  /// At most `threads` of them, at least one; those that the system gives. Where it gives none,
  /// add() does the work.
  explicit Encoders(std::size_t threads);
  /// Gives up what has not finished.
  ~Encoders();
  Encoders(const Encoders&) = delete;
  Encoders& operator=(const Encoders&) = delete;

  /// Most tasks that are not finished: one for each thread, and two that wait.
  [[nodiscard]] std::size_t capacity() const noexcept { return most_threads_ + 2; }

  /// Adds a task, and waits for room. Throws what a task has thrown, once. One thread at a time.
  void add(std::unique_ptr<EncoderTask> task);
  /// Returns when all tasks have finished, or one has thrown. Throws what it has thrown, unless
  /// add() did.
  void wait();
  /// Tasks that finished.
  [[nodiscard]] std::uint64_t finished() const;

 private:
  enum class State : std::uint8_t { Waiting, Busy, Encoded };
  struct Entry {
    std::unique_ptr<EncoderTask> task;
    State state = State::Waiting;
    std::exception_ptr failure = nullptr;
  };
  using Lock = std::unique_lock<std::mutex>;

  void run();
  void start_thread_if_useful();
  Entry* next_waiting();
  void encode(Entry& entry, Lock& lock);
  void finish_encoded(Lock& lock);
  void finish(Entry& entry, Lock& lock);
  void throw_failure(Lock& lock);

  const std::size_t most_threads_;
  mutable std::mutex mutex_;
  std::condition_variable work_;  // for the threads
  std::condition_variable room_;  // for the thread in add() or wait()
  std::deque<Entry> entries_;     // in order; a thread that finishes takes the first away
  std::size_t waiting_ = 0;       // entries in this state
  std::size_t idle_ = 0;          // threads
  bool finishing_ = false;        // a thread is in finish_encoded()
  bool ending_ = false;
  bool thrown_ = false;  // failure_
  std::exception_ptr failure_;
  std::uint64_t finished_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace gxr::image
