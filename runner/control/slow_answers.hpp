#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "internal_api.hpp"

namespace gxr {

/// An answer that another thread works at.
class SlowAnswer {
 public:
  /// Nothing as long as it is not there.
  [[nodiscard]] std::optional<std::string> text();
  [[nodiscard]] std::string wait();

 private:
  friend class SlowAnswers;

  std::mutex mutex_;  // guards the member below
  std::condition_variable changed_;
  std::optional<std::string> text_;
};

/// Answers that take long, each on a thread of its own. One thread. Its end waits for them.
class SlowAnswers {
 public:
  static constexpr std::size_t kMost = 8;

  SlowAnswers() = default;
  SlowAnswers(const SlowAnswers&) = delete;
  SlowAnswers& operator=(const SlowAnswers&) = delete;
  GXR_INTERNAL_API ~SlowAnswers();

  /// `make` throws nothing. Throws Error(InvalidState) when there are too many, and
  /// Error(OutOfMemory) when there is no thread.
  std::shared_ptr<SlowAnswer> begin(std::function<std::string()> make);

 private:
  struct Work {
    std::shared_ptr<SlowAnswer> answer;
    std::thread thread;
  };

  void forget_finished();

  std::list<Work> works_;
};

}  // namespace gxr
