#include "dds/bad_samples.hpp"

#include "dds/repeated_texts.hpp"

namespace gxr::dds {

bool BadSamples::add(const Guid& writer, std::string_view reason) {
  const std::lock_guard lock(mutex_);
  ++count_;
  return told_.size() < kMostTold && told_.emplace(writer, kind_of_text(reason)).second;
}

std::uint64_t BadSamples::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void BadSamples::clear() {
  const std::lock_guard lock(mutex_);
  count_ = 0;
  told_.clear();
}

}  // namespace gxr::dds
