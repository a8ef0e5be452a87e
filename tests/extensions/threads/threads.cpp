#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include <pthread.h>
#include <sched.h>

#include <gxr/gxr.hpp>

namespace threads {

/// Logs in each tick which thread runs it: its name, its CPU cores, its policy and its priority.
class Thread final : public gxr::Codelet {
 public:
  void tick() override {
    log_info("'" + name_of_thread() + "' on cores" + cores() + ", policy " + policy());
  }

 private:
  static std::string name_of_thread() {
    std::array<char, 16> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    return name.data();
  }
  static std::string cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof(set), &set);
    std::string text;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      text += CPU_ISSET(core, &set) ? " " + std::to_string(core) : "";
    }
    return text;
  }
  static std::string policy() {
    sched_param parameters{};
    sched_getparam(0, &parameters);
    const int policy = sched_getscheduler(0);
    const char* const word = policy == SCHED_FIFO ? "SCHED_FIFO"
                             : policy == SCHED_RR ? "SCHED_RR"
                             : policy == 6        ? "SCHED_DEADLINE"
                                                  : "of the process";
    return std::string(word) + ", priority " + std::to_string(parameters.sched_priority);
  }
};

/// Publishes a message in each tick, and counts them for other threads.
class Source final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { interface.output(out_, "out", "Messages"); }
  void tick() override {
    out_.publish(context().new_message());
    ticks_.fetch_add(1);
  }
  [[nodiscard]] std::int64_t ticks() const { return ticks_.load(); }

 private:
  gxr::Output<> out_;
  std::atomic<std::int64_t> ticks_{0};
};

/// Takes a message, and does not end that tick before a source has ticked some times.
class LongTick final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.parameter(source_, "source", "The source to wait for");
    interface.parameter(ticks_, "ticks", "Its ticks to wait for");
  }
  void tick() override {
    in_.receive();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (source_->ticks() < ticks_) {
      if (std::chrono::steady_clock::now() > end) {
        throw gxr::Error(gxr::ErrorCode::Failure, "the source has stopped at " +
                                                      std::to_string(source_->ticks()) + " ticks");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  gxr::Input<> in_;
  gxr::Parameter<gxr::Handle<Source>> source_;
  gxr::Parameter<std::int64_t> ticks_;
};

}  // namespace threads

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<threads::Thread>("Logs which thread runs it");
  extension.add<threads::Source>("Publishes a message in each tick");
  extension.add<threads::LongTick>("Has a tick that lasts until a source has ticked some times");
}
