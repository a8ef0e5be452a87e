#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "commands/progress_text.hpp"
#include "commands/tick_watch.hpp"
#include "system/service_manager.hpp"

namespace gxr {
class ApplicationRun;
}

namespace gxr::commands {

/// Looks how far a run has come. For one thread.
class RunSampler {
 public:
  /// `run` must outlive it, and has begun.
  explicit RunSampler(const ApplicationRun& run);

  /// Counts ticks. Asks for the status as well, but at most once a second and for a hundredth of
  /// the time.
  const ProgressFacts& look();

 private:
  void ask(std::int64_t now);

  const ApplicationRun& run_;
  const std::int64_t begin_;  // steady ns
  ProgressFacts facts_;
  std::deque<std::pair<std::int64_t, std::uint64_t>> counts_;  // ticks at times, for the rate
  RunStatus last_;                                             // status
  std::int64_t last_time_ = 0;                                 // at which it was asked for
  std::int64_t next_question_ = 0;
};

/// A thread that does something now and then, until it is told to end.
class PeriodicThread {
 public:
  PeriodicThread() = default;
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;
  ~PeriodicThread() { end(); }

  /// Calls `turn` at once, and again after as many ns as it returns. Nothing after end(), or when
  /// it was called before. Throws Error(OutOfMemory).
  void begin(const std::string& what, std::function<std::int64_t()> turn);
  /// Waits for the turn that is going on. Any thread.
  void end();

 private:
  void run(const std::function<std::int64_t()>& turn);

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool ending_ = false;
  std::thread thread_;
};

/// Shows how far a run has come: in a line on the terminal, or by a line of the log each minute.
class RunProgress {
 public:
  /// Where it is shown.
  struct Places {
    bool terminal = false;
    bool log = false;
  };
  /// The usual places, by what standard error and the log of this process are.
  static Places usual_places();
  /// A run that takes so long, ns, is a long one.
  static constexpr std::int64_t kLong = 2'000'000'000;

  /// `run` must outlive it.
  RunProgress(const ApplicationRun& run, Places places) : sampler_(run), places_(places) {}

  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;
  ~RunProgress() { end(); }

  /// The run has become a long one. Any thread.
  void begin();
  /// Nothing is shown any more. Any thread.
  void end();

 private:
  [[nodiscard]] std::int64_t turn();
  void draw();

  RunSampler sampler_;
  const Places places_;
  std::int64_t next_line_ = 0;  // of the log, steady ns
  PeriodicThread thread_;
};

/// Tells the service manager that started this process how the run goes.
class RunService {
 public:
  /// `run` must outlive it. Nothing without a service manager; a warning in the log when it cannot
  /// be told anything.
  explicit RunService(const ApplicationRun& run);
  ~RunService() { end(); }
  RunService(const RunService&) = delete;
  RunService& operator=(const RunService&) = delete;

  /// The run is to end. Any thread.
  void tell_end() noexcept;

 private:
  void end() noexcept;
  [[nodiscard]] std::int64_t turn();
  [[nodiscard]] bool tell_ready();
  [[nodiscard]] bool tell(const std::string& state);
  void tell_status();
  void tell_alive(std::int64_t now);

  const ApplicationRun& run_;
  RunSampler sampler_;
  std::optional<ServiceManager> manager_;

  std::mutex mutex_;        // of those who tell it something
  bool is_ending_ = false;  // then nothing follows

  // Of the thread.
  std::optional<TickWatch> ticks_;
  std::int64_t watchdog_ = 0;   // ns between two signs of life; 0: none are waited for
  std::int64_t next_life_ = 0;  // steady ns
  std::int64_t next_status_ = 0;
  bool is_ready_ = false;
  std::string status_;  // told last

  PeriodicThread thread_;
};

}  // namespace gxr::commands
