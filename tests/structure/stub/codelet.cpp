#include "codelet.hpp"

namespace stub {

Codelet::~Codelet() = default;
void Codelet::start() { count_ = 0; }
void Codelet::wait(std::int64_t nanoseconds) { count_ += nanoseconds; }

}  // namespace stub
