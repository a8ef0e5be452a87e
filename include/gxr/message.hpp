#pragma once

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/type_id.hpp"

namespace gxr {

class MessagePool;

// GXF's ids of complex64 and complex128; those of other numbers are in type_id.hpp.
template <>
struct TypeIdOf<std::complex<float>> {
  static constexpr TypeId value{0x97edf9034ea54e59ULL, 0x8a44de9754d40b7fULL};
};
template <>
struct TypeIdOf<std::complex<double>> {
  static constexpr TypeId value{0x0a401e6d4ca74d21ULL, 0xa6a0fe6a2fcc37eaULL};
};

namespace detail {

/// One typed, named object inside a message.
struct Part {
  TypeId id;
  std::string_view name;  ///< interned in the message's pool
  void* data;
  void (*destroy)(void*) noexcept;
};

/// The memory behind a message: header, table of parts, and room for small parts.
struct MessageBlock {
  std::atomic<std::uint32_t> references{0};
  std::uint32_t part_count = 0;
  std::uint32_t part_capacity = 0;
  std::uint32_t used = 0;   ///< bytes of `storage` in use
  std::uint32_t shelf = 0;  ///< which free list of the pool it belongs to
  std::uint32_t maker = 0;  ///< component whose call made the message; see MessagePool::make
  MessagePool* pool = nullptr;
  MessageBlock* next = nullptr;  ///< in a free list
  std::int64_t source_time = 0;
  std::uint64_t sequence = 0;
  Part* parts = nullptr;  ///< inline_parts, or a larger table on the heap

  static constexpr std::size_t kInlineParts = 4;
  static constexpr std::size_t kStorage = 640;
  Part inline_parts[kInlineParts];
  alignas(16) std::byte storage[kStorage];
};

GXR_API void* add_part(MessageBlock& block, TypeId id, std::string_view name, std::size_t size,
                       std::size_t alignment, void (*destroy)(void*) noexcept);
GXR_API void drop_last_part(MessageBlock& block) noexcept;
GXR_API void* find_part(const MessageBlock& block, TypeId id, std::string_view name,
                        bool any_name) noexcept;
[[noreturn]] GXR_API void throw_no_part(std::string_view type, std::string_view name);
[[noreturn]] GXR_API void throw_null_message();
GXR_API void release_block(MessageBlock* block) noexcept;  ///< the last reference is gone

}  // namespace detail

/// A reference to a message: a small set of typed, named parts that travels between codelets
/// without being copied. Copies refer to the same message; it is recycled when the last one goes.
/// All receivers of a published message share it, so a consumer that changes a part changes it for
/// all.
///
/// Counting references is thread-safe; the content is not synchronised.
class GXR_API Message {
 public:
  Message() = default;
  explicit Message(detail::MessageBlock* block) noexcept
      : block_(block) {}  ///< takes over one reference
  Message(const Message& other) noexcept : block_(other.block_) {
    copy_device_work(other);
    if (block_ != nullptr) {
      block_->references.fetch_add(1, std::memory_order_relaxed);
    }
  }
  Message(Message&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {
    copy_device_work(other);
  }
  Message& operator=(const Message& other) noexcept { return *this = Message(other); }
  Message& operator=(Message&& other) noexcept {
    detail::MessageBlock* const taken = std::exchange(other.block_, nullptr);
    reset();
    block_ = taken;
    copy_device_work(other);
    return *this;
  }
  ~Message() { reset(); }

  void reset() noexcept {
    detail::MessageBlock* block = std::exchange(block_, nullptr);
    // A sole owner needs no atomic decrement: nobody else can raise the count.
    if (block != nullptr && (block->references.load(std::memory_order_acquire) == 1 ||
                             block->references.fetch_sub(1, std::memory_order_acq_rel) == 1)) {
      detail::release_block(block);
    }
  }

  explicit operator bool() const noexcept { return block_ != nullptr; }
  friend bool operator==(const Message& a, const Message& b) noexcept {
    return a.block_ == b.block_;
  }

  /// Adds a part made from `args`. Several parts may share type and name; the first is found.
  /// Throws Error(InvalidArgument) on a null message, and whatever T's constructor throws.
  template <class T, class... Args>
  T& add(std::string_view name = {}, Args&&... args) {
    void* memory = detail::add_part(block(), TypeIdOf<T>::value, name, sizeof(T), alignof(T),
                                    [](void* p) noexcept { static_cast<T*>(p)->~T(); });
    if constexpr (std::is_nothrow_constructible_v<T, Args...>) {
      return *new (memory) T(std::forward<Args>(args)...);
    } else {
      try {
        return *new (memory) T(std::forward<Args>(args)...);
      } catch (...) {
        detail::drop_last_part(*block_);
        throw;
      }
    }
  }

  /// First part of this type, or nullptr.
  template <class T>
  [[nodiscard]] T* find() const noexcept {
    return block_ == nullptr
               ? nullptr
               : static_cast<T*>(detail::find_part(*block_, TypeIdOf<T>::value, {}, true));
  }
  /// First part of this type and name, or nullptr.
  template <class T>
  [[nodiscard]] T* find(std::string_view name) const noexcept {
    return block_ == nullptr
               ? nullptr
               : static_cast<T*>(detail::find_part(*block_, TypeIdOf<T>::value, name, false));
  }
  /// Like find; throws Error(NotFound) that names type and part when there is none.
  template <class T>
  [[nodiscard]] T& get() const {
    T* part = find<T>();
    if (part == nullptr) {
      detail::throw_no_part(type_name<T>(), {});
    }
    return *part;
  }
  template <class T>
  [[nodiscard]] T& get(std::string_view name) const {
    T* part = find<T>(name);
    if (part == nullptr) {
      detail::throw_no_part(type_name<T>(), name);
    }
    return *part;
  }

  /// All parts in the order they were added.
  [[nodiscard]] const detail::Part* begin() const noexcept {
    return block_ ? block_->parts : nullptr;
  }
  [[nodiscard]] const detail::Part* end() const noexcept {
    return block_ ? block_->parts + block_->part_count : nullptr;
  }
  [[nodiscard]] std::size_t size() const noexcept { return block_ ? block_->part_count : 0; }

  /// Time at which the data was acquired, ns; 0 when unknown. Not serialised.
  [[nodiscard]] std::int64_t source_time() const { return block().source_time; }
  void set_source_time(std::int64_t time) { block().source_time = time; }
  /// Number of the message within its source, from 0. Not serialised.
  [[nodiscard]] std::uint64_t sequence() const { return block().sequence; }
  void set_sequence(std::uint64_t sequence) { block().sequence = sequence; }
  /// Device work that may still write the data: none for messages of codelets on the CPU. Not
  /// serialised. Receiver::receive() and gxr::cuda::Streams see to it.
  /// It belongs to this reference, not to what it refers to: consumers of the same message that
  /// pass it on have each their own.
  [[nodiscard]] DeviceWork device_work() const noexcept {
    return block_ == nullptr ? DeviceWork{} : DeviceWork{work_stream_, work_number_};
  }
  void set_device_work(const DeviceWork& work) noexcept {
    work_stream_ = work.stream;
    work_number_ = work.number;
  }
  [[nodiscard]] bool has_device_work() const noexcept { return work_stream_ != nullptr; }
  /// Returns when that work is done.
  void wait_for_device() const {
    if (const DeviceWork work = device_work(); work) {
      work.stream->wait_on_host(work.number);
    }
  }
  /// Does nobody else refer to this message now?
  [[nodiscard]] bool is_only_reference() const noexcept {
    return block_ != nullptr && block_->references.load(std::memory_order_acquire) == 1;
  }

 private:
  [[nodiscard]] detail::MessageBlock& block() const {
    if (block_ == nullptr) {
      detail::throw_null_message();
    }
    return *block_;
  }

  void copy_device_work(const Message& other) noexcept {
    work_stream_ = other.work_stream_;
    if (work_stream_ != nullptr) {
      work_number_ = other.work_number_;
    }
  }

  // The number lies between, and is copied only if there is work, so that compilers do not load
  // two members at once that were stored one by one: processors stall on that.
  detail::MessageBlock* block_ = nullptr;
  std::uint64_t work_number_ = 0;
  DeviceStream* work_stream_ = nullptr;
};

}  // namespace gxr
