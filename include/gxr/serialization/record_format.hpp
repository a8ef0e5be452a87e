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
  static constexpr std::size_t kSize = 24;
  std::uint64_t log_time = 0;     ///< ns since 1970-01-01 UTC
  std::uint64_t data_size = 0;    ///< bytes of the entity in the .gxf_entities file
  std::uint64_t data_offset = 0;  ///< where they begin
};

/// Stands before each entity.
struct EntityHeader {
  static constexpr std::size_t kSize = 40;
  std::uint64_t serialized_size = 0;  ///< not used, 0
  std::uint32_t checksum = 0;         ///< not used, 0
  std::uint64_t sequence_number = 0;
  std::uint32_t flags = 0;  ///< not used, 0
  std::uint64_t component_count = 0;
  std::uint64_t reserved = 0;  ///< not used, 0
};

/// Stands before each part; its name follows.
struct ComponentHeader {
  static constexpr std::size_t kSize = 32;
  std::uint64_t serialized_size = 0;  ///< not used, 0
  TypeId type;
  std::uint64_t name_size = 0;
};

/// Stands before a tensor's elements.
struct TensorHeader {
  static constexpr std::size_t kSize = 116;
  std::int32_t storage_type = 0;
  std::int32_t element_type = 0;
  std::uint64_t bytes_per_element = 0;
  std::uint32_t rank = 0;
  std::array<std::int32_t, Shape::kMaxRank> dimensions{};
  Strides strides{};
};

GXR_API std::array<std::byte, IndexRecord::kSize> encode(const IndexRecord& record) noexcept;
GXR_API std::array<std::byte, EntityHeader::kSize> encode(const EntityHeader& header) noexcept;
GXR_API std::array<std::byte, ComponentHeader::kSize> encode(
    const ComponentHeader& header) noexcept;
GXR_API std::array<std::byte, TensorHeader::kSize> encode(const TensorHeader& header) noexcept;

GXR_API IndexRecord decode_index_record(const std::byte* bytes) noexcept;
GXR_API EntityHeader decode_entity_header(const std::byte* bytes) noexcept;
GXR_API ComponentHeader decode_component_header(const std::byte* bytes) noexcept;
GXR_API TensorHeader decode_tensor_header(const std::byte* bytes) noexcept;

}  // namespace gxr
