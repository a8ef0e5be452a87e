#include "observe/call_site.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "observe/fixed_text.hpp"
#include "observe/last_words.hpp"
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

using CrashText = FixedText<4000>;

void add_site(CrashText& text, const CallSite& site) noexcept {
  text.add(site.method);
  if (!site.entity.empty()) {
    text.add(" of entity '");
    text.add(site.entity);
    text.add("'");
  }
  if (!site.component.empty()) {
    text.add(", component '");
    text.add(site.component);
    text.add("'");
  }
  text.add(" (");
  text.add(site.type);
  text.add(")");
}

LogOrigin origin_of(const CallSite& site) noexcept {
  return {site.entity, site.component.empty() && !site.entity.empty() ? site.type : site.component};
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
  CrashText text;
  LogOrigin origin;
  text.add(forked ? "gxr: error: " : "gxr: fatal: ");
  text.add(signal_name(number));
  if (const CallSite* const site = current_call_site(); site != nullptr) {
    text.add(forked ? " in a process that was forked in " : " in ");
    add_site(text, *site);
    origin = origin_of(*site);
    own_slot->set(nullptr);
  } else if (forked) {
    text.add(" in a process that was forked outside of any component call");
  } else {
    text.add(" outside of any component call, on the main thread or on one that an extension made");
  }
  write_last_line(text.view(), origin);
  if (!forked) {
    write_backtrace();
  }
  // The handler was installed with SA_RESETHAND, so the process now dies by the signal itself.
  ::raise(number);
}

/// exit() in component code: the run has failed, whatever status it gave.
void on_exit() {
  const CallSite* const site = current_call_site();
  if (site == nullptr || is_forked_process()) {
    return;
  }
  CrashText text;
  text.add("gxr: error: the process was ended by exit() in ");
  add_site(text, *site);
  write_last_line(text.view(), origin_of(*site));
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
  prepare_backtrace();
  std::atexit(on_exit);
  crashes_are_handled.store(true);
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
