#include "gxr/serialization/record_format.hpp"

#include <bit>
#include <cstring>

namespace gxr {
namespace {

static_assert(std::endian::native == std::endian::little,
              "recordings are little-endian; this needs a conversion on other machines");

class Packer {
 public:
  explicit Packer(std::byte* to) noexcept : to_(to) {}
  template <class T>
  Packer& operator<<(const T& value) noexcept {
    std::memcpy(to_, &value, sizeof(T));
    to_ += sizeof(T);
    return *this;
  }

 private:
  std::byte* to_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::byte* from) noexcept : from_(from) {}
  template <class T>
  Unpacker& operator>>(T& value) noexcept {
    std::memcpy(&value, from_, sizeof(T));
    from_ += sizeof(T);
    return *this;
  }

 private:
  const std::byte* from_;
};

}  // namespace

std::array<std::byte, IndexRecord::kSize> encode(const IndexRecord& record) noexcept {
  std::array<std::byte, IndexRecord::kSize> bytes{};
  Packer(bytes.data()) << record.log_time << record.data_size << record.data_offset;
  return bytes;
}

std::array<std::byte, EntityHeader::kSize> encode(const EntityHeader& header) noexcept {
  std::array<std::byte, EntityHeader::kSize> bytes{};
  Packer(bytes.data()) << header.serialized_size << header.checksum << header.sequence_number
                       << header.flags << header.component_count << header.reserved;
  return bytes;
}

std::array<std::byte, ComponentHeader::kSize> encode(const ComponentHeader& header) noexcept {
  std::array<std::byte, ComponentHeader::kSize> bytes{};
  Packer(bytes.data()) << header.serialized_size << header.type.hash1 << header.type.hash2
                       << header.name_size;
  return bytes;
}

std::array<std::byte, TensorHeader::kSize> encode(const TensorHeader& header) noexcept {
  std::array<std::byte, TensorHeader::kSize> bytes{};
  Packer(bytes.data()) << header.storage_type << header.element_type << header.bytes_per_element
                       << header.rank << header.dimensions << header.strides;
  return bytes;
}

IndexRecord decode_index_record(const std::byte* bytes) noexcept {
  IndexRecord record;
  Unpacker(bytes) >> record.log_time >> record.data_size >> record.data_offset;
  return record;
}

EntityHeader decode_entity_header(const std::byte* bytes) noexcept {
  EntityHeader header;
  Unpacker(bytes) >> header.serialized_size >> header.checksum >> header.sequence_number >>
      header.flags >> header.component_count >> header.reserved;
  return header;
}

ComponentHeader decode_component_header(const std::byte* bytes) noexcept {
  ComponentHeader header;
  Unpacker(bytes) >> header.serialized_size >> header.type.hash1 >> header.type.hash2 >>
      header.name_size;
  return header;
}

TensorHeader decode_tensor_header(const std::byte* bytes) noexcept {
  TensorHeader header;
  Unpacker(bytes) >> header.storage_type >> header.element_type >> header.bytes_per_element >>
      header.rank >> header.dimensions >> header.strides;
  return header;
}

}  // namespace gxr
