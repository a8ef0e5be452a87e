#include "packets/udp_thread.hpp"

#include <csignal>
#include <string>
#include <system_error>
#include <utility>

#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

/// While it lives, threads that are started leave signals to those of the program.
class NoSignals {
 public:
  NoSignals() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

void UdpThread::start(std::function<void(const std::atomic<bool>& stop)> run) {
  stop_ = false;
  failure_ = nullptr;
  const NoSignals no_signals;
  try {
    thread_ = std::thread([this, run = std::move(run)] {
      try {
        run(stop_);
      } catch (...) {
        failure_ = std::current_exception();
      }
    });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::OutOfMemory,
                "a thread for a socket cannot be started: " + std::string(error.what()));
  }
}

void UdpThread::end() noexcept {
  tell_to_end();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void UdpThread::join() {
  end();
  if (failure_ != nullptr) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

}  // namespace gxr::cuda
