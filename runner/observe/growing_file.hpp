#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gxr/open_file.hpp"

namespace gxr {

/// A file that grows in pieces and has an end of its own after each of them. The end of a regular
/// file is overwritten by the next piece, so that the file is whole at any time, but for the moment
/// of a write. Other files get no end but the last.
class GrowingFile {
 public:
  /// Precondition: the file is open and empty.
  explicit GrowingFile(OpenFile file);

  /// Adds a piece that stays, and an end; white space may follow. Returns errno, or 0. After an
  /// error the file has the last piece and end that were whole, as far as possible; add nothing
  /// more then.
  [[nodiscard]] int add(std::string piece, std::string_view end);
  /// The same for the last time; closes the file. ENOENT: it has lost its name.
  [[nodiscard]] int finish(std::string piece, std::string_view end);

 private:
  [[nodiscard]] int write(std::string_view text, std::uint64_t place) const;
  [[nodiscard]] int put(std::string text, std::uint64_t stays);
  [[nodiscard]] int links() const;
  void go_back() const;

  OpenFile file_;
  bool is_regular_ = false;
  bool has_name_ = false;    // when it was opened
  std::uint64_t place_ = 0;  // behind what stays
  std::string end_;          // behind that, in a regular file
};

}  // namespace gxr
