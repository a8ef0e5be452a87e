#pragma once

#include <memory>
#include <shared_mutex>

#include "common/logger.hpp"
#include "context.hpp"
#include "native.hpp"
#include "program.hpp"

// How functions of the C interface get at what is behind a gxf_context_t.

namespace nvidia::gxf::layer {

/// The context behind the pointer, or nullptr, which a line in the log tells of.
inline std::shared_ptr<Context> find_context(gxf_context_t context, const char* function) {
  std::shared_ptr<Context> found = Context::alive(context);
  if (found == nullptr) {
    GXF_LOG_ERROR("%s(): there is no such context%s", function,
                  context != nullptr ? ": it was destroyed" : "");
  }
  return found;
}

/// Runs `call` with the context, which lives meanwhile; errors become codes. `function` is the one
/// that calls.
template <class F>
gxf_result_t with_context(gxf_context_t context, F&& call,
                          const char* function = __builtin_FUNCTION()) noexcept {
  return guarded([&] {
    const std::shared_ptr<Context> known = find_context(context, function);
    return known == nullptr ? GXF_CONTEXT_INVALID : call(*known);
  });
}

/// The same, and components of an application that is active stay there meanwhile.
template <class F>
gxf_result_t with(gxf_context_t context, F&& call,
                  const char* function = __builtin_FUNCTION()) noexcept {
  return with_context(
      context,
      [&](Context& known) {
        const std::shared_lock use(known.use());
        return call(known);
      },
      function);
}

/// For functions that gxr has nothing for: a line in the log.
inline gxf_result_t not_implemented(const char* why,
                                    const char* function = __builtin_FUNCTION()) noexcept {
  GXF_LOG_ERROR("%s(): gxr does not have this function: %s", function, why);
  return GXF_NOT_IMPLEMENTED;
}

/// Runs `call` with the program whose context it is.
template <class F>
gxf_result_t with_program(gxf_context_t context, F&& call,
                          const char* function = __builtin_FUNCTION()) noexcept {
  return with_context(
      context,
      [&](Context& known) {
        if (known.program() == nullptr) {
          return not_implemented("the application was not loaded through this context", function);
        }
        return call(*known.program());
      },
      function);
}

/// Copies the list to `to`, which has room for `count`; `count` is its length then, also when the
/// room is not enough.
template <class List, class T, class Count>
gxf_result_t copy_list(const List& list, T* to, Count* count) {
  const auto room = static_cast<std::size_t>(*count);
  *count = static_cast<Count>(list.size());
  if (room < list.size()) {
    return GXF_QUERY_NOT_ENOUGH_CAPACITY;
  }
  if (to == nullptr && !list.empty()) {
    return GXF_ARGUMENT_NULL;
  }
  std::copy(list.begin(), list.end(), to);
  return GXF_SUCCESS;
}

}  // namespace nvidia::gxf::layer
