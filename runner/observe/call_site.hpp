#pragma once

#include <string>
#include <string_view>

namespace gxr {

/// What component code this thread is running, for messages about exceptions, crashes and
/// unexpected exits. Texts must outlive the scope.
struct CallSite {
  std::string_view method;  ///< "tick", "initialize", "factory", …
  std::string_view entity;
  std::string_view component;  ///< name, may be empty
  std::string_view type;       ///< or the extension's file for "factory"
};

/// Marks this thread as running `site` until the scope ends; scopes nest.
class CallScope {
 public:
  explicit CallScope(const CallSite& site) noexcept;
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  const CallSite* previous_;
};

/// The innermost scope of this thread, or nullptr.
const CallSite* current_call_site() noexcept;
/// This thread's marker itself, for loops that set it on every tick: the address is looked up once.
const CallSite*& call_site_slot() noexcept;
/// "tick of entity 'camera', component 'source' (gxr::image::Source)"
std::string describe(const CallSite& site);

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT and an exit hook that print
/// the call site of the thread, or that it has none, before the process dies by that signal.
void install_crash_handlers();

}  // namespace gxr
