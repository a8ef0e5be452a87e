#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gxf/serialization/endpoint.hpp"

namespace nvidia {
namespace gxf {

#pragma pack(push, 1)
/// What the index of a recording has for each message.
struct EntityIndex {
  uint64_t log_time;     ///< ns
  uint64_t data_size;    ///< bytes of the message in the other file
  uint64_t data_offset;  ///< where they begin
};
#pragma pack(pop)

/// A file that is read and a file that is written, as an object of a source. A read that reaches
/// the end of the file before it has all of its bytes fails; so do those behind it until clear() or
/// setReadOffset().
class GXR_GXF_API FileStream : public Endpoint {
 public:
  static constexpr const char* kIndexFileExtension = ".gxf_index";
  static constexpr const char* kBinaryFileExtension = ".gxf_entities";

  FileStream();
  /// Paths; an empty one means that there is no such file. open() opens them.
  FileStream(std::string input_file_path, std::string output_file_path);
  FileStream(FileStream&& other) noexcept;
  FileStream& operator=(FileStream&& other) noexcept;
  ~FileStream() override;

  gxf_result_t is_write_available_abi() override;
  gxf_result_t is_read_available_abi() override;
  gxf_result_t write_abi(const void* data, size_t size, size_t* bytes_written) override;
  gxf_result_t read_abi(void* data, size_t size, size_t* bytes_read) override;

  /// What the output file had is dropped.
  Expected<void> open();
  Expected<void> close();
  Expected<void> flush();
  Expected<void> clear();
  /// Bytes from the start of the input file.
  Expected<void> setReadOffset(size_t offset);
  Expected<size_t> getReadOffset();
  /// Bytes from the start of the output file.
  Expected<void> setWriteOffset(size_t offset);
  Expected<size_t> getWriteOffset();

  // Of the layer.
  /// Bytes of the input file from the read offset on.
  uint64_t readable() const noexcept;

 private:
  struct OneFile;
  struct Files;

  std::unique_ptr<Files> files_;
};

}  // namespace gxf
}  // namespace nvidia
