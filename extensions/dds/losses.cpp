#include "dds/losses.hpp"

#include <algorithm>
#include <utility>

namespace gxr::dds {
namespace {

/// Those that come and go are many in a long run.
constexpr std::size_t kMostWriters = 1024;

}  // namespace

std::uint64_t Losses::arrived(const Guid& guid, std::uint64_t number, bool from_here_on) {
  if (writers_.size() >= kMostWriters && !writers_.contains(guid)) {
    writers_.erase(std::ranges::min_element(writers_, {},
                                            [](const auto& each) { return each.second.received; }));
  }
  Writer& writer = writers_[guid];
  writer.guid = guid;
  ++writer.received;
  const bool follows = writer.last != 0 && !from_here_on;
  const std::uint64_t gap = follows && number > writer.last + 1 ? number - writer.last - 1 : 0;
  writer.last = std::max(writer.last, number);
  writer.lost += gap;
  lost_ += gap;
  return gap + std::exchange(writer.untold, 0);
}

std::vector<Losses::Writer> Losses::writers() const {
  std::vector<Writer> all;
  for (const auto& [guid, writer] : writers_) {
    all.push_back(writer);
  }
  return all;
}

}  // namespace gxr::dds
