#include <array>
#include <string>

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

}  // namespace threads

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<threads::Thread>("Logs which thread runs it");
}
