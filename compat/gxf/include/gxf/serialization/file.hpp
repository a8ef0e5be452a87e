#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "gxf/serialization/endpoint.hpp"

namespace gxr {

class File;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// gxr's endpoint in a file.
class GXR_GXF_API File final : public NativeEndpoint {
 public:
  using OnlyOfGxr = void;

  explicit File(gxr::File& file) noexcept;
  ~File() override;

  /// Without a path, opens the file of the component's parameters as they say.
  Expected<void> open(const char* path = nullptr, const char* mode = nullptr);
  Expected<void> close();
  Expected<void> flush();
  /// Nothing to clear: an error of gxr's file is not remembered.
  Expected<void> clear() { return Success; }
  Expected<void> seek(int offset, int origin = SEEK_SET);
  Expected<size_t> tell();
  /// Is there nothing left to read?
  bool eof();
  bool isOpen();
  /// Of the open file; "" without one.
  const char* path();

 private:
  gxr::File& file_;
};

}  // namespace gxf
}  // namespace nvidia
