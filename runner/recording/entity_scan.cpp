#include "recording/entity_scan.hpp"

#include <algorithm>
#include <exception>

#include <fcntl.h>

#include "gxr/error.hpp"
#include "recording/entity_layout.hpp"

namespace gxr {
namespace {

constexpr std::size_t kHeadersAtOnce = std::size_t{4} << 10U;

/// The rest of a data file.
class Rest final : public SkippingEndpoint {
 public:
  Rest(FileStream& file, std::uint64_t offset) : file_(file), end_(file.size()) {
    file_.read_ahead(kHeadersAtOnce);
    file_.seek(offset);
  }

  void write(const void*, std::size_t) override {
    throw Error(ErrorCode::InvalidState, "a recording that is read cannot be written to");
  }
  std::size_t read(void* data, std::size_t size) override {
    return file_.read(data, std::min<std::uint64_t>(size, readable()));
  }
  [[nodiscard]] std::uint64_t readable() const override {
    return end_ - std::min(end_, file_.position());
  }
  void skip(std::uint64_t bytes) override { file_.seek(file_.position() + bytes); }

 private:
  FileStream& file_;
  std::uint64_t end_;
};

/// After a power cut, files may end with zeros that were never written.
bool is_blank(const EntityLayout& layout) {
  return layout.parts.empty() && layout.header.sequence_number == 0 &&
         layout.header.serialized_size == 0 && layout.header.flags == 0;
}

}  // namespace

ScanEnd scan_entities(FileStream& file, std::uint64_t offset,
                      const std::function<void(const FoundEntity&)>& found) {
  Rest rest(file, offset);
  ScanEnd end{offset, {}};
  while (rest.readable() > 0) {
    try {
      const EntityLayout layout = read_layout(rest);
      if (end.offset > 0 && is_blank(layout)) {
        end.problem = "zeros follow";
        return end;
      }
      found({end.offset, file.position() - end.offset, layout.time});
      end.offset = file.position();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::InvalidData) {
        throw;
      }
      end.problem = error.message();
      return end;
    }
  }
  return end;
}

bool has_entity(const std::string& path) noexcept {
  try {
    FileStream file(path, O_RDONLY);
    Rest rest(file, 0);
    static_cast<void>(read_layout(rest));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace gxr
