#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gxr {
class ApplicationRun;
class CallSiteSlot;
}  // namespace gxr

namespace gxr::commands {

/// Tells the log of a run, on a thread of its own, since the log may keep its writers waiting: who
/// is still waited for when it is to end, and its status. The thread begins with the first task.
class RunWatch {
 public:
  /// `run` must outlive this. `hint` says what to do when the end does not come.
  RunWatch(ApplicationRun& run, std::string hint);
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;
  ~RunWatch();

  // All of these return at once. Any thread. Those that give a task throw Error(OutOfMemory) when
  // there is no thread for it; a later one tries again.
  void ask_for_status();
  void reopen_log();
  /// From now on: the run was asked to end. Says who is waited for after 2 s and then every 10 s.
  void wait_for_end();
  /// An error to log.
  void say(std::string text);
  /// The calls that components are in, and since when, as far as is known.
  [[nodiscard]] std::string what_is_left();

  /// Nothing is told any more. Waits for what is being written.
  void end();

 private:
  struct SeenCall {
    std::string text;
    std::int64_t since = 0;  // steady ns
  };
  using Lock = std::unique_lock<std::mutex>;

  void wake();
  void run();
  void run_once(Lock& lock);
  [[nodiscard]] bool has_job() const noexcept;
  void do_jobs(Lock& lock);
  void look_at_calls();
  void tell_who_is_waited_for(Lock& lock);
  void write_status();

  ApplicationRun& run_;
  const std::string hint_;
  const std::int64_t begin_;  // steady ns

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool status_asked_ = false;
  bool reopen_asked_ = false;
  bool ending_ = false;
  std::vector<std::string> errors_;
  std::int64_t interrupted_ = 0;                   // steady ns; 0: the run was not asked to end
  std::int64_t next_words_ = 0;                    // steady ns: when to say who is waited for
  std::map<const CallSiteSlot*, SeenCall> calls_;  // by thread, since the run was asked to end
  bool looked_ = false;                            // at the calls

  std::thread thread_;
};

}  // namespace gxr::commands
