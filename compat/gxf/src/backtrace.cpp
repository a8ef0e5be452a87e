#include "common/backtrace.hpp"

#include <execinfo.h>

namespace nvidia {

void PrintBacktrace(std::FILE* file) {
  constexpr int kMost = 64;
  void* addresses[kMost];
  const int count = ::backtrace(addresses, kMost);
  std::fflush(file);
  ::backtrace_symbols_fd(addresses, count, ::fileno(file));
}

}  // namespace nvidia
