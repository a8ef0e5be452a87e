#include "capture_log.hpp"

#include <algorithm>
#include <string_view>

namespace gxr::cuda {
namespace {

/// The one of this thread. CUDA calls all that are registered, on the thread of the call.
thread_local CaptureLog* of_thread = nullptr;

/// Without what stands in front of it in brackets: time, thread and level.
std::string_view sentence_of(std::string_view message) {
  while (message.starts_with('[')) {
    const std::size_t end = message.find(']');
    if (end == std::string_view::npos) {
      break;
    }
    message.remove_prefix(std::min(message.find_first_not_of(' ', end + 1), message.size()));
  }
  while (!message.empty() && (message.back() == '\n' || message.back() == '\0')) {
    message.remove_suffix(1);
  }
  return message;
}

/// "Returning 900 (…) from cuStreamQuery", which follows what explains it, or stands alone.
bool names_call(std::string_view sentence) { return sentence.starts_with("Returning "); }

}  // namespace

CaptureLog::CaptureLog() {
  of_thread = this;
  if (cudaLogsRegisterCallback(note, this, &handle_) != cudaSuccess) {
    handle_ = nullptr;
    static_cast<void>(cudaGetLastError());
  }
}

CaptureLog::~CaptureLog() {
  of_thread = nullptr;
  if (handle_ != nullptr) {
    static_cast<void>(cudaLogsUnregisterCallback(handle_));
  }
}

void CaptureLog::note(void* log, cudaLogLevel level, char* message, std::size_t length) {
  auto* const mine = static_cast<CaptureLog*>(log);
  if (mine != of_thread || level != cudaLogLevelError) {
    return;
  }
  const std::string_view sentence = sentence_of({message, length});
  if (mine->first_.empty()) {
    mine->first_ = sentence;
    mine->names_call_ = names_call(sentence);
  } else if (!mine->names_call_ && names_call(sentence)) {
    mine->first_.append("; ").append(sentence);
    mine->names_call_ = true;
  }
}

}  // namespace gxr::cuda
