#include "observe/trace_file.hpp"

#include <cerrno>
#include <initializer_list>
#include <utility>

#include <pthread.h>
#include <signal.h>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "observe/log.hpp"
#include "observe/own_thread.hpp"
#include "observe/trace_writer.hpp"

namespace gxr {
namespace {

[[noreturn]] void throw_cannot_write(const std::string& file, const std::string& reason) {
  throw Error(ErrorCode::InputOutput, "cannot write the trace '" + file + "': " + reason);
}

/// A write to a pipe that nobody reads any more, or beyond the greatest size of files, is then an
/// error of the write.
void let_writes_fail() noexcept {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGPIPE, SIGXFSZ}) {
    ::sigaddset(&signals, number);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

TraceFile::TraceFile(std::string file, const TraceProcess& process, std::uint64_t limit,
                     std::chrono::milliseconds interval)
    : name_(std::move(file)), events_(limit, process.begin) {
  OpenFile opened = open_to_write(name_, WriteMode::Anew);
  if (!opened) {
    throw_cannot_write(name_, opened.reason());
  }
  writer_ = std::make_unique<TraceWriter>(events_, std::move(opened), process.name, process.number);
  thread_ = start_thread("the thread that writes the trace", [this, interval] { work(interval); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return begun_; });
}

TraceFile::~TraceFile() {
  try {
    if (writer_ != nullptr) {
      finish();
    }
  } catch (const std::exception&) {  // nobody is left who could be told
  }
}

void TraceFile::work(std::chrono::milliseconds interval) {
  let_writes_fail();
  writer_->add_piece();  // from now on the file can be opened
  std::unique_lock lock(mutex_);
  begun_ = true;
  changed_.notify_one();
  while (!changed_.wait_for(lock, interval, [this] { return ending_; })) {
    lock.unlock();
    writer_->add_piece();
    lock.lock();
  }
  lock.unlock();
  writer_->finish();
}

void TraceFile::finish() {
  end_thread();
  const std::unique_ptr<TraceWriter> writer = std::move(writer_);
  if (writer->error() == ENOENT) {
    throw_cannot_write(name_, "it was removed during the run");
  }
  if (writer->error() != 0) {
    throw_cannot_write(name_, system_error_text(writer->error()));
  }
  if (const std::uint64_t left_out = events_.left_out(); left_out > 0) {
    Log::write(LogLevel::Warn, "the trace '" + name_ +
                                   "' has gaps: " + std::to_string(writer->written()) +
                                   " slices are in it, and " + std::to_string(left_out) +
                                   " events were left out, as they came faster than gxr wrote");
  }
}

void TraceFile::end_thread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace gxr
