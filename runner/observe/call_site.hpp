#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "internal_api.hpp"

namespace gxr {

/// What component code this thread is running, for messages about exceptions, crashes and
/// unexpected exits. Texts must outlive the scope.
struct CallSite {
  std::string_view method;  ///< "tick", "initialize", "factory", …
  std::string_view entity;
  std::string_view component;  ///< name, may be empty
  std::string_view type;       ///< or the extension's file for "factory"
  /// Number of the component in its application.
  std::uint32_t component_id = static_cast<std::uint32_t>(-1);
  bool beside = false;  ///< another one still ticks in the place of the component
};

/// The marker of one thread, which other threads may read. Only its thread writes it.
class CallSiteSlot {
 public:
  constexpr CallSiteSlot() = default;
  CallSiteSlot(const CallSiteSlot&) = delete;
  CallSiteSlot& operator=(const CallSiteSlot&) = delete;

  /// Costs one store. Both `site` and the one before must stay valid until replace() was called, or
  /// until nobody can call running_calls() any more; nullptr: no component's call.
  void set(const CallSite* site) noexcept { site_.store(site, std::memory_order_release); }
  [[nodiscard]] const CallSite* get() const noexcept {
    return site_.load(std::memory_order_relaxed);
  }
  /// Likewise, and no other thread reads the call site before any more when it returns.
  void replace(const CallSite* site) noexcept;
  /// The text of the call, or an empty one. Any thread; one at a time.
  [[nodiscard]] std::string read() const;

 private:
  std::atomic<const CallSite*> site_{nullptr};
  mutable std::atomic<bool> is_read_{false};  // by another thread
};

/// Marks this thread as running `site` until the scope ends; scopes nest.
class CallScope {
 public:
  explicit CallScope(const CallSite& site) noexcept;
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  CallSiteSlot& slot_;
  const CallSite* previous_;
};

/// The innermost scope of this thread, or nullptr.
const CallSite* current_call_site() noexcept;
/// This thread's marker itself, for loops that set it on every tick: the address is looked up once.
CallSiteSlot& call_site_slot() noexcept;
/// "tick of entity 'camera', component 'source' (gxr::image::Source)"
std::string describe(const CallSite& site);

/// A call of a component that a thread is in.
struct RunningCall {
  const CallSiteSlot* thread;  ///< to tell threads apart
  std::string text;            ///< see describe()
};
/// Of all threads, in the order in which they first made one. Any thread.
GXR_INTERNAL_API std::vector<RunningCall> running_calls();

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT and an exit hook that print
/// the call site of the thread, or that it has none, before the process dies by that signal.
GXR_INTERNAL_API void install_crash_handlers();

/// Gives the calling thread a stack for the handlers of crashes, so that they can tell of a stack
/// overflow; nothing before install_crash_handlers(), or when there is no memory.
class CrashStack {
 public:
  CrashStack() noexcept;
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;
  ~CrashStack();

 private:
  void* memory_ = nullptr;
};

}  // namespace gxr
