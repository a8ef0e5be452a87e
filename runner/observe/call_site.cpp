#include "observe/call_site.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <signal.h>
#include <unistd.h>

namespace gxr {
namespace {

thread_local const CallSite* current_site = nullptr;

// Only async-signal-safe calls from here on.
void write_text(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
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
  write_text("gxr: fatal: ");
  write_text(signal_name(number));
  if (current_site != nullptr) {
    write_text(" in ");
    write_site(*current_site);
    current_site = nullptr;
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
  if (current_site == nullptr) {
    return;
  }
  write_text("gxr: error: the process was ended by exit() in ");
  write_site(*current_site);
  write_text("\n");
  std::fflush(nullptr);
  ::_exit(1);
}

}  // namespace

CallScope::CallScope(const CallSite& site) noexcept : previous_(current_site) {
  current_site = &site;
}
CallScope::~CallScope() { current_site = previous_; }

const CallSite* current_call_site() noexcept { return current_site; }
const CallSite*& call_site_slot() noexcept { return current_site; }

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
  static std::array<std::byte, 64 * 1024> alternate_stack;
  stack_t stack{};
  stack.ss_sp = alternate_stack.data();
  stack.ss_size = alternate_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    ::sigaction(number, &action, nullptr);
  }
  std::atexit(on_exit);
}

}  // namespace gxr
