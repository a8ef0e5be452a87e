#pragma once

#include <cstdint>

namespace stub {

/// A class as extensions derive from.
class Codelet {
 public:
  virtual ~Codelet();
  virtual void start();
  virtual void tick() = 0;
  void wait(std::int64_t nanoseconds = 1000);

 private:
  std::int64_t count_ = 0;
};

}  // namespace stub
