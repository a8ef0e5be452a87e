#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

#include <unistd.h>

namespace gxr::test {

/// What is written to a file descriptor while this object lives.
class Captured {
 public:
  explicit Captured(int descriptor)
      : descriptor_(descriptor), before_(::dup(descriptor)), file_(std::tmpfile()) {
    std::fflush(nullptr);
    ::dup2(::fileno(file_), descriptor_);
  }
  ~Captured() {
    std::fflush(nullptr);
    ::dup2(before_, descriptor_);
    ::close(before_);
    std::fclose(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  [[nodiscard]] std::string text() const {
    std::fflush(nullptr);
    std::string content(4096, ' ');
    content.resize(static_cast<std::size_t>(
        std::max<ssize_t>(::pread(::fileno(file_), content.data(), content.size(), 0), 0)));
    return content;
  }

 private:
  int descriptor_;
  int before_;
  std::FILE* file_;
};

}  // namespace gxr::test
