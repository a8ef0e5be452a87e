#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gxr/allocator.hpp"
#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

/// Where serialised bytes go to and come from: a file, a buffer. Not synchronised: one thread at a
/// time.
class GXR_API Endpoint : public Component {
 public:
  ~Endpoint() override;

  /// All of the bytes, or Error.
  virtual void write(const void* data, std::size_t size) = 0;
  /// Up to `size` bytes; fewer only where the data ends. Throws Error(InputOutput).
  virtual std::size_t read(void* data, std::size_t size) = 0;
  /// Bytes that can still be read. A larger size in a header is wrong: readers compare before they
  /// allocate.
  [[nodiscard]] virtual std::uint64_t readable() const = 0;
  /// Exactly `size` bytes; throws Error(InvalidData) when there are fewer. `what` is for the text:
  /// "the header of a tensor".
  void read_all(void* data, std::size_t size, const char* what);
};

/// A piece of memory of fixed size: what was written is read in the same order.
class GXR_API SerializationBuffer final : public Endpoint {
 public:
  ~SerializationBuffer() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  /// Throws Error(NotAvailable) when the bytes do not fit; then nothing was written.
  void write(const void* data, std::size_t size) override;
  std::size_t read(void* data, std::size_t size) override;
  [[nodiscard]] std::uint64_t readable() const override { return written_ - read_; }
  /// Drops all content; the whole size is free again.
  void reset() noexcept { written_ = read_ = 0; }
  /// What has not been read yet.
  [[nodiscard]] const std::byte* data() const noexcept { return memory_ + read_; }
  /// Bytes that it can hold; 0 before initialize().
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  /// Where its memory lies.
  [[nodiscard]] MemoryStorageType storage_type() const {
    return static_cast<MemoryStorageType>(storage_type_.get());
  }

 private:
  Parameter<Handle<Allocator>> allocator_;
  Parameter<std::size_t> buffer_size_;
  Parameter<std::int32_t> storage_type_;
  std::byte* memory_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t written_ = 0;
  std::size_t read_ = 0;
};

class FileStream;

/// A file. Writes are in the file after flush() or close(); reading goes on where reading or
/// writing stopped.
class GXR_API File final : public Endpoint {
 public:
  File();
  ~File() override;
  void declare(Interface& interface) override;
  /// Opens `file_path` when it is set.
  void initialize() override;
  void deinitialize() override;
  void write(const void* data, std::size_t size) override;
  std::size_t read(void* data, std::size_t size) override;
  [[nodiscard]] std::uint64_t readable() const override;
  /// `mode` as in fopen: "rb", "wb+", "ab", … Closes what was open before. Throws
  /// Error(InvalidArgument) for an unknown mode, Error(NotFound or InputOutput) with the path.
  void open(const std::string& path, const std::string& mode);
  /// Is a file open?
  [[nodiscard]] bool is_open() const noexcept { return stream_ != nullptr; }
  /// Hands what was written to the system. Throws Error: InputOutput, InvalidState without a file.
  void flush();
  /// Closes the file, if one is open. Throws Error(InputOutput).
  void close();
  /// The next read or write begins `position` bytes after the start.
  void seek(std::uint64_t position);
  /// Where the next read or write begins. Throws Error(InvalidState) without a file.
  [[nodiscard]] std::uint64_t position() const;
  /// The file that is open. Throws Error(InvalidState) without one.
  [[nodiscard]] const std::string& path() const;

 private:
  FileStream& stream() const;

  Parameter<Handle<Allocator>> allocator_;
  Parameter<FilePath> file_path_;
  Parameter<std::string> file_mode_;
  Parameter<std::size_t> buffer_size_;
  std::unique_ptr<FileStream> stream_;
};

}  // namespace gxr
