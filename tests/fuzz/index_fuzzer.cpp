// Reads any bytes as a cached index of extensions, as they are and under a right header and seal,
// and aborts where a promise of the reader is broken.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "registry/extension_index.hpp"
#include "tests/fuzz/promise.hpp"

namespace {

const std::filesystem::path kFolder = "/extensions";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(gxr::read_index(text, kFolder));
  std::string lines;
  const std::vector<gxr::IndexEntry> entries =
      gxr::read_index(gxr::sealed_index(kFolder, text), kFolder);
  for (const gxr::IndexEntry& entry : entries) {
    lines += gxr::index_line(entry);
  }
  const std::vector<gxr::IndexEntry> again =
      gxr::read_index(gxr::sealed_index(kFolder, lines), kFolder);
  gxr::fuzz::require(again.size() == entries.size(), "what was read is read again");
  for (std::size_t i = 0; i < again.size(); ++i) {
    gxr::fuzz::require(again[i].file == entries[i].file && again[i].stamp == entries[i].stamp &&
                           again[i].types == entries[i].types,
                       "an entry that was read is read the same again");
  }
  return 0;
}
