#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "gxr/allocator.hpp"
#include "gxr/device_work.hpp"
#include "gxr/error.hpp"
#include "gxr/export.hpp"
#include "gxr/type_id.hpp"

struct DLManagedTensor;  // dlpack/dlpack.h

namespace gxr {

/// Type of a tensor's elements. The numbers are GXF's and appear in recorded files.
enum class ElementType : std::int32_t {
  Custom = 0,
  Int8 = 1,
  UInt8 = 2,
  Int16 = 3,
  UInt16 = 4,
  Int32 = 5,
  UInt32 = 6,
  Int64 = 7,
  UInt64 = 8,
  Float32 = 9,
  Float64 = 10,
  Complex64 = 11,
  Complex128 = 12,
  Float16 = 13,
};
/// "uint8", "float32", …
GXR_API const char* to_string(ElementType type) noexcept;
/// Bytes of one element; 0 for Custom.
GXR_API std::size_t size_of(ElementType type) noexcept;

/// ElementTypeOf<float>::value and so on; Custom for other types.
template <class T>
struct ElementTypeOf {
  /// The element type of T.
  static constexpr ElementType value = ElementType::Custom;
};
template <>
struct ElementTypeOf<std::int8_t> {
  static constexpr ElementType value = ElementType::Int8;
};
template <>
struct ElementTypeOf<std::uint8_t> {
  static constexpr ElementType value = ElementType::UInt8;
};
template <>
struct ElementTypeOf<std::int16_t> {
  static constexpr ElementType value = ElementType::Int16;
};
template <>
struct ElementTypeOf<std::uint16_t> {
  static constexpr ElementType value = ElementType::UInt16;
};
template <>
struct ElementTypeOf<std::int32_t> {
  static constexpr ElementType value = ElementType::Int32;
};
template <>
struct ElementTypeOf<std::uint32_t> {
  static constexpr ElementType value = ElementType::UInt32;
};
template <>
struct ElementTypeOf<std::int64_t> {
  static constexpr ElementType value = ElementType::Int64;
};
template <>
struct ElementTypeOf<std::uint64_t> {
  static constexpr ElementType value = ElementType::UInt64;
};
template <>
struct ElementTypeOf<float> {
  static constexpr ElementType value = ElementType::Float32;
};
template <>
struct ElementTypeOf<double> {
  static constexpr ElementType value = ElementType::Float64;
};
template <>
struct ElementTypeOf<std::complex<float>> {
  static constexpr ElementType value = ElementType::Complex64;
};
template <>
struct ElementTypeOf<std::complex<double>> {
  static constexpr ElementType value = ElementType::Complex128;
};
template <class T>
struct ElementTypeOf<const T> : ElementTypeOf<T> {};

/// Extent of a tensor: rank 0 to 8, each dimension at least 0.
class GXR_API Shape {
 public:
  /// Most dimensions.
  static constexpr std::uint32_t kMaxRank = 8;

  Shape() = default;
  /// Throws Error(InvalidArgument) for more than 8 or negative dimensions, and when they multiply
  /// to 2^63 or more.
  Shape(std::initializer_list<std::int32_t> dimensions);
  /// The same from an array of `rank` dimensions.
  Shape(const std::int32_t* dimensions, std::size_t rank);

  /// Number of dimensions.
  [[nodiscard]] std::uint32_t rank() const noexcept { return rank_; }
  /// 1 beyond the rank; 0 for rank 0.
  [[nodiscard]] std::int32_t dimension(std::uint32_t index) const noexcept {
    return rank_ == 0 ? 0 : index < rank_ ? dimensions_[index] : 1;
  }
  /// Product of the dimensions; 1 for rank 0.
  [[nodiscard]] std::uint64_t element_count() const noexcept;
  /// "[480, 640, 3]"
  [[nodiscard]] std::string to_string() const;
  /// Are rank and dimensions the same?
  friend bool operator==(const Shape& a, const Shape& b) noexcept {
    return a.rank_ == b.rank_ && a.dimensions_ == b.dimensions_;
  }

 private:
  std::uint32_t rank_ = 0;
  std::array<std::int32_t, kMaxRank> dimensions_{};
};

template <>
struct TypeIdOf<Shape> {
  static constexpr TypeId value{0x469cc839a6ab470bULL, 0x9d09b8bf978c13cdULL};
};

/// Bytes from one element to the next along each dimension.
using Strides = std::array<std::uint64_t, Shape::kMaxRank>;
/// Row-major strides without gaps.
GXR_API Strides contiguous_strides(const Shape& shape, std::uint64_t bytes_per_element) noexcept;

/// An n-dimensional array that owns its memory, or shares ownership through a release function.
/// Move-only; as a part of a message it is shared by all readers.
class GXR_API Tensor {
 public:
  /// Called once with the owner and the pointer when the memory is no longer needed.
  using ReleaseFunction = void (*)(void* owner, void* pointer) noexcept;

  Tensor() = default;
  /// The other tensor is empty afterwards.
  Tensor(Tensor&& other) noexcept;
  /// Likewise; the memory that this tensor had is given back.
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  /// Allocates row-major memory, which goes back to `allocator` with the tensor; content undefined.
  /// The allocator must outlive the tensor. Memory that the tensor held before is released first.
  /// storage_type() is where the memory really lives, see Allocator. Throws what the allocator
  /// throws.
  void allocate(Allocator& allocator, const Shape& shape, ElementType type,
                MemoryStorageType storage = MemoryStorageType::System);
  /// The same for elements of type T.
  template <class T>
  void allocate(Allocator& allocator, const Shape& shape,
                MemoryStorageType storage = MemoryStorageType::System) {
    allocate(allocator, shape, ElementTypeOf<T>::value, storage);
  }
  /// Uses memory that `allocator` gave, as allocate() would have; the allocator gets it back.
  void adopt(Allocator& allocator, void* pointer, const Shape& shape, ElementType type,
             MemoryStorageType storage, std::uint64_t bytes_per_element = 0,
             const Strides* strides = nullptr);
  /// Uses memory of somebody else. `release` may be null (then the memory must outlive the tensor).
  /// `bytes_per_element` 0 means that of `type`; `strides` nullptr means contiguous. Throws
  /// Error(InvalidArgument) for a null pointer to elements or sizes that overflow; then nothing is
  /// taken over and the tensor stays as it was.
  void wrap(void* pointer, const Shape& shape, ElementType type, MemoryStorageType storage,
            void* owner, ReleaseFunction release, std::uint64_t bytes_per_element = 0,
            const Strides* strides = nullptr);
  /// Other shape over the same elements, without a copy. Throws Error(InvalidArgument) when the
  /// element count differs or the tensor is not contiguous.
  void reshape(const Shape& shape);
  /// Order of dimensions changed, without a copy: result dimension i is dimension order[i].
  void permute(std::initializer_list<std::uint32_t> order);
  /// Inserts a dimension of extent 1 before `index`, without a copy.
  void insert_dimension(std::uint32_t index);
  /// Gives the memory back now. An allocator uses it again after the device work of its users;
  /// for memory of others the call waits for that.
  void reset() noexcept;
  /// Says that work which `stream` has, or is given while the tensor lives, uses the memory. False
  /// for system memory, which devices do not reach.
  bool add_device_user(DeviceStream& stream) const;
  /// The streams whose work uses the memory.
  [[nodiscard]] const DeviceUsers& device_users() const noexcept { return users_; }

  /// Rank and dimensions; rank 0 for an empty tensor.
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  /// Number of dimensions, 0 to 8.
  [[nodiscard]] std::uint32_t rank() const noexcept { return shape_.rank(); }
  /// Type of the elements.
  [[nodiscard]] ElementType element_type() const noexcept { return type_; }
  /// Bytes of one element.
  [[nodiscard]] std::uint64_t bytes_per_element() const noexcept { return bytes_per_element_; }
  /// Number of elements.
  [[nodiscard]] std::uint64_t element_count() const noexcept { return shape_.element_count(); }
  /// Bytes along dimension `index`; 0 beyond the rank.
  [[nodiscard]] std::uint64_t stride(std::uint32_t index) const noexcept {
    return index < shape_.rank() ? strides_[index] : 0;
  }
  /// All of them, 0 beyond the rank.
  [[nodiscard]] const Strides& strides() const noexcept { return strides_; }
  /// Do the elements follow each other in row-major order without gaps?
  [[nodiscard]] bool is_contiguous() const noexcept;
  /// Bytes of all elements, gaps of custom strides not counted (as in GXF).
  [[nodiscard]] std::uint64_t size() const noexcept { return element_count() * bytes_per_element_; }
  /// Bytes from the first to behind the last element, gaps counted.
  [[nodiscard]] std::uint64_t span_bytes() const noexcept;
  /// Where the memory is.
  [[nodiscard]] MemoryStorageType storage_type() const noexcept { return storage_; }
  /// Storage type that a recording of this tensor names: that of the recording it was read from,
  /// or that allocate() was asked for; of wrapped memory, where it is. A recorded device tensor
  /// lives in system memory when it is read back, and is a device tensor again in the next
  /// recording.
  [[nodiscard]] MemoryStorageType recorded_storage_type() const noexcept {
    return recorded_storage_;
  }
  /// Holds until the tensor gets other memory.
  void set_recorded_storage_type(MemoryStorageType storage) noexcept {
    recorded_storage_ = storage;
  }
  /// The first element; nullptr while there is no memory.
  [[nodiscard]] void* pointer() noexcept { return pointer_; }
  /// The same, to be read.
  [[nodiscard]] const void* pointer() const noexcept { return pointer_; }
  /// The elements as T. Throws Error(WrongType) when the element type differs.
  template <class T>
  [[nodiscard]] T* data() {
    require_elements<T>();
    return static_cast<T*>(pointer_);
  }
  /// The same, to be read.
  template <class T>
  [[nodiscard]] const T* data() const {
    require_elements<T>();
    return static_cast<const T*>(pointer_);
  }
  /// Where the memory came from and goes back to; nullptr for memory of somebody else.
  [[nodiscard]] Allocator* allocator() const noexcept {
    return allocated_ ? static_cast<Allocator*>(owner_) : nullptr;
  }
  /// The owner that wrap() was told, if `release` gives the memory back; else nullptr.
  [[nodiscard]] void* owner_for(ReleaseFunction release) const noexcept {
    return release_ == release ? owner_ : nullptr;
  }

  /// Takes over a DLPack tensor (its deleter runs when the tensor goes), in memory of the host or
  /// of a CUDA device, whose work on it must be done. Throws Error(NotSupported) for types, devices
  /// or strides that gxr does not know and for device memory without a GPU, Error(InvalidData) for
  /// a broken one; then the caller still owns it. See gxr/dlpack.hpp.
  static Tensor from_dlpack(DLManagedTensor* managed);
  /// Gives the tensor away as DLPack; the consumer calls its deleter. Returns when the device work
  /// that gxr knows of is done, since DLPack cannot say what to wait for. Throws
  /// Error(NotSupported) for custom elements and strides that are no multiple of the element; the
  /// memory is then released.
  [[nodiscard]] static DLManagedTensor* to_dlpack(Tensor tensor);

 private:
  template <class T>
  void require_elements() const {
    if (ElementTypeOf<T>::value != type_) {
      throw_wrong_type(ElementTypeOf<T>::value);
    }
  }
  [[noreturn]] void throw_wrong_type(ElementType wanted) const;
  void give_back() noexcept;

  Shape shape_;
  ElementType type_ = ElementType::Custom;
  MemoryStorageType storage_ = MemoryStorageType::System;
  MemoryStorageType recorded_storage_ = MemoryStorageType::System;
  std::uint64_t bytes_per_element_ = 0;
  Strides strides_{};
  void* pointer_ = nullptr;
  void* owner_ = nullptr;
  ReleaseFunction release_ = nullptr;
  bool allocated_ = false;     // owner_ is an Allocator
  mutable DeviceUsers users_;  // those who read are users, too
};

/// The same elements in memory of their own, from the tensor's allocator; see
/// Message::make_writable(). Memory of somebody else is copied to the heap, or to memory of the
/// same kind from the driver. Throws what the allocator throws, and Error: OutOfMemory, Device.
[[nodiscard]] GXR_API Tensor copy_part(const Tensor& tensor, DeviceWork& work);
/// Orders what the caller writes next behind the device work that uses the tensor: the stream of
/// the tick waits for it, else the caller. Throws Error(Device).
GXR_API void before_write(const Tensor& tensor);

template <>
struct TypeIdOf<Tensor> {
  static constexpr TypeId value{0x377501d69abf447cULL, 0xa6170114d4f33ab8ULL};
};

}  // namespace gxr
