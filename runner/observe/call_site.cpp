#include "observe/call_site.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "observe/log.hpp"
#include "observe/own_signals.hpp"

namespace gxr {
namespace {

constexpr std::size_t kCrashStackSize = std::size_t{64} * 1024;
std::atomic<bool> crashes_are_handled{false};

/// The markers of all threads. They stay when their threads end, for the next ones.
struct Slots {
  struct Place {
    CallSiteSlot slot;
    Place* next = nullptr;
    bool taken = true;
  };

  std::mutex mutex;        // guards the list, and what is read of its slots
  Place* first = nullptr;  // in the order in which they were made

  /// nullptr: there is no memory for another one.
  CallSiteSlot* take() noexcept {
    const std::lock_guard lock(mutex);
    Place** end = &first;
    for (; *end != nullptr; end = &(*end)->next) {
      if (!(*end)->taken) {
        (*end)->taken = true;
        return &(*end)->slot;
      }
    }
    *end = new (std::nothrow) Place;
    return *end != nullptr ? &(*end)->slot : nullptr;
  }
  void give_back(const CallSiteSlot* slot) noexcept {
    const std::lock_guard lock(mutex);
    for (Place* place = first; place != nullptr; place = place->next) {
      if (&place->slot == slot) {
        place->taken = false;
      }
    }
  }
};

Slots& all_slots() {
  // Never destroyed: exit() may come from component code. Needs no memory: there may be none.
  alignas(Slots) static std::byte place[sizeof(Slots)];
  static Slots* const slots = new (place) Slots;
  return *slots;
}

thread_local CallSiteSlot* own_slot = nullptr;
thread_local CallSiteSlot unlisted_slot;  // of a thread for which there was no memory

/// Gives a thread's marker back when the thread ends. One that is in a call then is left by exit(),
/// whose hook still asks for it.
struct SlotOfThread {
  SlotOfThread() noexcept : taken(all_slots().take()) {
    own_slot = taken != nullptr ? taken : &unlisted_slot;
  }
  SlotOfThread(const SlotOfThread&) = delete;
  SlotOfThread& operator=(const SlotOfThread&) = delete;
  ~SlotOfThread() {
    if (taken != nullptr && taken->get() == nullptr) {
      own_slot = &unlisted_slot;
      all_slots().give_back(taken);
    }
  }

  CallSiteSlot* taken;
};

// Only async-signal-safe calls from here on.
void write_text_to(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// To standard error and to the log file.
void write_text(std::string_view text) noexcept {
  write_text_to(STDERR_FILENO, text);
  if (const int log_file = log_file_descriptor(); log_file >= 0) {
    write_text_to(log_file, text);
  }
}

/// What lines of the log file begin with; in UTC, since reading the zone's rules is not safe here.
void write_log_prefix() noexcept {
  const int log_file = log_file_descriptor();
  if (log_file < 0) {
    return;
  }
  using std::chrono::floor;
  const auto now = floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto today = floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(today);
  const std::chrono::hh_mm_ss time(now - today);
  std::array<char, 40> text{};
  char* end = text.data();
  const auto add = [&end](long long number, int digits, char behind) {
    for (int i = digits; i-- > 0; number /= 10) {
      end[i] = static_cast<char>('0' + number % 10);
    }
    end[digits] = behind;
    end += digits + 1;
  };
  add(static_cast<int>(date.year()), 4, '-');
  add(static_cast<unsigned>(date.month()), 2, '-');
  add(static_cast<unsigned>(date.day()), 2, ' ');
  add(time.hours().count(), 2, ':');
  add(time.minutes().count(), 2, ':');
  add(time.seconds().count(), 2, '.');
  add(time.subseconds().count(), 3, ' ');
  write_text_to(log_file, {text.data(), static_cast<std::size_t>(end - text.data())});
  write_text_to(log_file, "+00:00 error   ");
}

void write_site(const CallSite& site) noexcept {
  write_text(site.method);
  if (!site.entity.empty()) {
    write_text(" of entity '");
    write_text(site.entity);
    write_text("'");
  }
  if (!site.component.empty()) {
    write_text(", component '");
    write_text(site.component);
    write_text("'");
  }
  write_text(" (");
  write_text(site.type);
  write_text(")");
}

/// Takes a line at once. A pipe has room for 4096 bytes then.
bool takes_line(int descriptor) noexcept {
  pollfd output{descriptor, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLOUT) != 0;
}

std::string_view signal_name(int number) noexcept {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV (invalid memory access)";
    case SIGBUS:
      return "SIGBUS (invalid memory access)";
    case SIGFPE:
      return "SIGFPE (arithmetic error)";
    case SIGILL:
      return "SIGILL (illegal instruction)";
    case SIGABRT:
      return "SIGABRT (abort)";
    default:
      return "a signal";
  }
}

void on_crash(int number) noexcept {
  const bool forked = is_forked_process();  // then gxr goes on
  write_log_prefix();
  write_text(forked ? "gxr: error: " : "gxr: fatal: ");
  write_text(signal_name(number));
  if (const CallSite* const site = current_call_site(); site != nullptr) {
    write_text(forked ? " in a process that was forked in " : " in ");
    write_site(*site);
    own_slot->set(nullptr);
  } else if (forked) {
    write_text(" in a process that was forked outside of any component call");
  } else {
    write_text(
        " outside of any component call, on the main thread or on one that an extension made");
  }
  write_text("\n");
  // The handler was installed with SA_RESETHAND, so the process now dies by the signal itself.
  ::raise(number);
}

/// exit() in component code: the run has failed, whatever status it gave.
void on_exit() {
  const CallSite* const site = current_call_site();
  if (site == nullptr || is_forked_process()) {
    return;
  }
  write_log_prefix();
  write_text("gxr: error: the process was ended by exit() in ");
  write_site(*site);
  write_text("\n");
  std::fflush(nullptr);
  ::_exit(1);
}

}  // namespace

void CallSiteSlot::replace(const CallSite* site) noexcept {
  site_.store(site, std::memory_order_seq_cst);
  while (is_read_.load(std::memory_order_seq_cst)) {
    std::this_thread::yield();
  }
}

std::string CallSiteSlot::read() const {
  // Either replace() sees that it is read, or this sees what replace() has stored.
  struct Reading {
    std::atomic<bool>& mark;
    explicit Reading(std::atomic<bool>& is_read) noexcept : mark(is_read) {
      mark.store(true, std::memory_order_seq_cst);
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { mark.store(false, std::memory_order_release); }
  };
  const Reading reading(is_read_);
  const CallSite* const site = site_.load(std::memory_order_seq_cst);
  return site != nullptr ? describe(*site) : std::string();
}

CallScope::CallScope(const CallSite& site) noexcept
    : slot_(call_site_slot()), previous_(slot_.get()) {
  slot_.set(&site);
}
CallScope::~CallScope() { slot_.replace(previous_); }

const CallSite* current_call_site() noexcept {
  return own_slot != nullptr ? own_slot->get() : nullptr;
}

CallSiteSlot& call_site_slot() noexcept {
  if (own_slot == nullptr) {
    static thread_local const SlotOfThread of_thread;
    static_cast<void>(of_thread);
  }
  return *own_slot;
}

std::vector<RunningCall> running_calls() {
  std::vector<RunningCall> calls;
  Slots& slots = all_slots();
  const std::lock_guard lock(slots.mutex);
  for (const Slots::Place* place = slots.first; place != nullptr; place = place->next) {
    if (std::string text = place->slot.read(); !text.empty()) {
      calls.push_back({&place->slot, std::move(text)});
    }
  }
  return calls;
}

std::string describe(const CallSite& site) {
  std::string text(site.method);
  if (!site.entity.empty()) {
    text += " of entity '" + std::string(site.entity) + "'";
  }
  if (!site.component.empty()) {
    text += ", component '" + std::string(site.component) + "'";
  }
  return text + " (" + std::string(site.type) + ")";
}

void install_crash_handlers() {
  // A stack overflow leaves no room for the handler on the thread's own stack.
  static std::array<std::byte, kCrashStackSize> alternate_stack;
  stack_t stack{};
  stack.ss_sp = alternate_stack.data();
  stack.ss_size = alternate_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    catch_signal(number, action);
  }
  std::atexit(on_exit);
  crashes_are_handled.store(true);
}

void write_last_words(std::string_view line) noexcept {
  constexpr std::size_t kFits = 4000;  // behind what lines of the log begin with
  line = line.substr(0, kFits);
  if (takes_line(STDERR_FILENO)) {
    write_text_to(STDERR_FILENO, line);
  }
  if (const int log_file = log_file_descriptor(); log_file >= 0 && takes_line(log_file)) {
    write_log_prefix();
    write_text_to(log_file, line);
  }
}

CrashStack::CrashStack() noexcept {
  if (!crashes_are_handled.load()) {
    return;
  }
  void* const memory = ::mmap(nullptr, kCrashStackSize, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return;
  }
  memory_ = memory;
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kCrashStackSize;
  ::sigaltstack(&stack, nullptr);
}

CrashStack::~CrashStack() {
  if (memory_ != nullptr) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(memory_, kCrashStackSize);
  }
}

}  // namespace gxr
