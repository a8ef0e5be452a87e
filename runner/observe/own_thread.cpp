#include "observe/own_thread.hpp"

#include <exception>
#include <new>
#include <utility>

#include "gxr/error.hpp"
#include "observe/call_site.hpp"
#include "observe/log.hpp"

namespace gxr {
namespace {

/// An exception that leaves a thread would end the process.
void run_guarded(const std::string& what, const std::function<void()>& run) {
  try {
    run();
  } catch (const std::exception& error) {
    try {
      Log::write(LogLevel::Error, what + " has ended: " + error.what());
    } catch (const std::exception&) {  // there is no memory for words
    }
  }
}

}  // namespace

std::thread start_thread(const std::string& what, std::function<void()> run) {
  try {
    return std::thread([what, run = std::move(run)] {
      const CrashStack stack;
      run_guarded(what, run);
    });
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::OutOfMemory, what + " cannot be started: out of memory");
  } catch (const std::exception& error) {
    throw Error(ErrorCode::OutOfMemory, what + " cannot be started: " + error.what());
  }
}

}  // namespace gxr
