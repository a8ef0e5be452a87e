#pragma once

#include <utility>

#include <unistd.h>

namespace gxr::cuda {

/// Owns a file descriptor; -1: none.
class OpenFile {
 public:
  OpenFile() noexcept = default;
  explicit OpenFile(int number) noexcept : number_(number) {}
  OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~OpenFile() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }

  [[nodiscard]] int get() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

}  // namespace gxr::cuda
