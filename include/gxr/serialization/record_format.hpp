#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gxr/tensor.hpp"
#include "gxr/type_id.hpp"

namespace gxr {

// The fixed-size pieces of GXF's recordings, packed and little-endian in the file; the layout is in
// docs/recordings.md. encode() and decode() do nothing but convert: nothing is checked.

/// One record of a .gxf_index file.
struct IndexRecord {
  static constexpr std::size_t kSize = 24;  ///< bytes in the file
  std::uint64_t log_time = 0;               ///< ns since 1970-01-01 UTC
  std::uint64_t data_size = 0;              ///< bytes of the entity in the .gxf_entities file
  std::uint64_t data_offset = 0;            ///< where they begin
};

/// Stands before each entity.
struct EntityHeader {
  static constexpr std::size_t kSize = 40;  ///< bytes in the file
  std::uint64_t serialized_size = 0;        ///< not used, 0
  std::uint32_t checksum = 0;               ///< not used, 0
  std::uint64_t sequence_number = 0;        ///< counts the entities of a writer, from 0
  std::uint32_t flags = 0;                  ///< not used, 0
  std::uint64_t component_count = 0;        ///< parts that follow
  std::uint64_t reserved = 0;               ///< not used, 0
};

/// Stands before each part; its name follows.
struct ComponentHeader {
  static constexpr std::size_t kSize = 32;  ///< bytes in the file
  std::uint64_t serialized_size = 0;        ///< not used, 0
  TypeId type;                              ///< of the part
  std::uint64_t name_size = 0;              ///< bytes of the part's name
};

/// Stands before a tensor's elements.
struct TensorHeader {
  static constexpr std::size_t kSize = 116;                ///< bytes in the file
  std::int32_t storage_type = 0;                           ///< a MemoryStorageType
  std::int32_t element_type = 0;                           ///< an ElementType
  std::uint64_t bytes_per_element = 0;                     ///< of one element
  std::uint32_t rank = 0;                                  ///< number of dimensions that count
  std::array<std::int32_t, Shape::kMaxRank> dimensions{};  ///< slowest first
  Strides strides{};                                       ///< in bytes
};

/// The bytes of the record as the file has them.
GXR_API std::array<std::byte, IndexRecord::kSize> encode(const IndexRecord& record) noexcept;
/// The bytes of the header as the file has them.
GXR_API std::array<std::byte, EntityHeader::kSize> encode(const EntityHeader& header) noexcept;
/// The bytes of the header as the file has them.
GXR_API std::array<std::byte, ComponentHeader::kSize> encode(
    const ComponentHeader& header) noexcept;
/// The bytes of the header as the file has them.
GXR_API std::array<std::byte, TensorHeader::kSize> encode(const TensorHeader& header) noexcept;

/// The record at `bytes`, which has IndexRecord::kSize of them.
GXR_API IndexRecord decode_index_record(const std::byte* bytes) noexcept;
/// The header at `bytes`, which has EntityHeader::kSize of them.
GXR_API EntityHeader decode_entity_header(const std::byte* bytes) noexcept;
/// The header at `bytes`, which has ComponentHeader::kSize of them.
GXR_API ComponentHeader decode_component_header(const std::byte* bytes) noexcept;
/// The header at `bytes`, which has TensorHeader::kSize of them.
GXR_API TensorHeader decode_tensor_header(const std::byte* bytes) noexcept;

}  // namespace gxr
