#pragma once

#include <atomic>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/type_id.hpp"
#include "gxr/type_name.hpp"

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

/// How parts that can only be moved are copied for Message::make_writable(): a type declares this
/// function in its namespace; gxr::Tensor has one. Types with a copy constructor need none.
///   T copy_part(const T& part, DeviceWork& work);
/// `work` is what may still write `part`. Set it to what writes the copy, if that is other work.
template <class T>
concept HasCopyPart = requires(const T& part, DeviceWork& work) {
  { copy_part(part, work) } -> std::same_as<T>;
};

/// Types whose memory device work may still read declare this function; gxr::Tensor has one. It
/// orders what the caller writes next behind that work.
template <class T>
concept HasBeforeWrite = requires(const T& part) {
  before_write(part);
};

namespace detail {

/// Operations on parts of a type. One table for each type.
struct PartOperations {
  std::size_t size;
  std::size_t alignment;
  void (*destroy)(void* part) noexcept;
  /// Makes a copy at `to`; see HasCopyPart. nullptr: the type cannot be copied.
  void (*copy)(const void* from, void* to, DeviceWork& work);
  void (*before_write)(const void* part);  ///< see HasBeforeWrite; may be nullptr
  std::string_view (*type_name)();
};

struct MessageBlock;

/// One typed, named object inside a message.
struct Part {
  TypeId id;
  std::string_view name;  ///< interned in the message's pool
  const void* data;
  const PartOperations* operations;
  MessageBlock* owner;      ///< the message that lends the part; nullptr: this one's own
  std::uint32_t place = 0;  ///< of a borrowed part: its number there
  std::uint32_t users = 1;  ///< borrowers, and one for all who hold the message
};

/// Where the data of a message comes from and since when it is on its way. Only some messages are
/// measured.
struct Trail {
  std::atomic<std::uint32_t> publisher{0};  ///< entity that published it last, plus one
  std::atomic<std::uint64_t> acquired{0};   ///< counts of the executor's cycle counter
  std::atomic<std::uint64_t> published{0};  ///< likewise, by `publisher`
};

/// The memory behind a message: header, table of parts, and room for small parts.
struct MessageBlock {
  /// Message objects that refer to it, and kBorrower for each part that another message borrows.
  std::atomic<std::uint64_t> references{0};
  std::uint32_t part_count = 0;
  std::uint32_t part_capacity = 0;
  std::uint32_t used = 0;   ///< bytes of `storage` in use
  std::uint32_t shelf = 0;  ///< which free list of the pool it belongs to
  std::uint32_t maker = 0;  ///< component whose call made the message; see MessagePool::make
  std::atomic<std::uint32_t> source{0};  ///< entity that `trail` begins at, plus one; 0: no trail
  MessagePool* pool = nullptr;
  MessageBlock* next = nullptr;  ///< in a free list
  std::int64_t source_time = 0;
  std::uint64_t sequence = 0;
  Part* parts = nullptr;   ///< inline_parts, or a larger table on the heap
  bool is_shared = false;  ///< see Message::share_writable()
  Trail trail;

  static constexpr std::uint64_t kBorrower = std::uint64_t{1} << 32;
  static constexpr std::size_t kInlineParts = 4;
  static constexpr std::size_t kStorage = 640;
  Part inline_parts[kInlineParts];
  alignas(16) std::byte storage[kStorage];
};

/// Has T a copy constructor that compiles? That of a container is declared for elements of any
/// type.
template <class T>
constexpr bool is_copied() {
  if constexpr (requires { typename T::value_type; }) {
    if constexpr (!std::is_same_v<typename T::value_type, T>) {
      return std::is_copy_constructible_v<T> && is_copied<typename T::value_type>();
    }
  }
  return std::is_copy_constructible_v<T>;
}

template <class T>
struct OperationsOf {
  static void destroy(void* part) noexcept { static_cast<T*>(part)->~T(); }
  static void copy(const void* from, void* to, DeviceWork& work) {
    if constexpr (HasCopyPart<T>) {
      new (to) T(copy_part(*static_cast<const T*>(from), work));
    } else if constexpr (is_copied<T>()) {
      new (to) T(*static_cast<const T*>(from));
    }
  }
  static void before(const void* part) {
    if constexpr (HasBeforeWrite<T>) {
      before_write(*static_cast<const T*>(part));
    }
  }
  static std::string_view name() { return type_name<T>(); }

  static constexpr PartOperations kAll{sizeof(T),
                                       alignof(T),
                                       &destroy,
                                       HasCopyPart<T> || is_copied<T>() ? &copy : nullptr,
                                       HasBeforeWrite<T> ? &before : nullptr,
                                       &name};
};

GXR_API void* add_part(MessageBlock& block, TypeId id, std::string_view name,
                       const PartOperations& operations);
GXR_API void drop_last_part(MessageBlock& block) noexcept;
GXR_API const void* find_part(const MessageBlock& block, TypeId id, std::string_view name,
                              bool any_name) noexcept;
[[noreturn]] GXR_API void throw_no_part(std::string_view type, std::string_view name);
[[noreturn]] GXR_API void throw_null_message();
/// One reference goes, with the message if it is the last.
GXR_API void release_reference(MessageBlock* block) noexcept;

}  // namespace detail

/// A reference to a message: a small set of typed, named parts that travels between codelets
/// without being copied. Copies refer to the same message; it is recycled when the last one goes.
///
/// All receivers of a published message share it, so its parts can only be read. Whoever wants to
/// change a part calls make_writable(); others do not see the change.
///
/// Counting references is thread-safe.
class GXR_API Message {
 public:
  Message() = default;
  /// Another reference to the same message.
  Message(const Message& other) noexcept : block_(other.block_) {
    copy_device_work(other);
    if (block_ != nullptr) {
      block_->references.fetch_add(1, std::memory_order_relaxed);
    }
  }
  /// Takes the reference over; `other` is null afterwards.
  Message(Message&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {
    copy_device_work(other);
  }
  /// Drops this reference and refers to the same message as `other`.
  Message& operator=(const Message& other) noexcept { return *this = Message(other); }
  /// Drops this reference and takes over that of `other`.
  Message& operator=(Message&& other) noexcept {
    detail::MessageBlock* const taken = std::exchange(other.block_, nullptr);
    reset();
    block_ = taken;
    copy_device_work(other);
    return *this;
  }
  ~Message() { reset(); }

  /// Drops the reference; this object is null afterwards.
  void reset() noexcept {
    // No more than this, so that compilers inline it: most of these objects were moved from.
    if (block_ != nullptr) {
      detail::release_reference(std::exchange(block_, nullptr));
    }
  }

  /// False for a null message: one that was never made, or that was moved from.
  explicit operator bool() const noexcept { return block_ != nullptr; }
  /// Do both refer to the same message?
  friend bool operator==(const Message& a, const Message& b) noexcept {
    return a.block_ == b.block_;
  }

  /// Adds a part made from `args`, which may be changed until the message is published or copied.
  /// Several parts may share type and name; the first is found. Others who refer to the message do
  /// not see the part. Throws Error(InvalidArgument) on a null message, and whatever T's
  /// constructor throws.
  template <class T, class... Args>
  T& add(std::string_view name = {}, Args&&... args) {
    void* memory =
        detail::add_part(own_block(), TypeIdOf<T>::value, name, detail::OperationsOf<T>::kAll);
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

  /// The same for a type that is known at run time only, for layers that bring types of other
  /// systems: `construct` makes the part in the memory that it is given. `operations` outlives all
  /// messages. Throws what add() throws, and what `construct` throws.
  void* add(TypeId id, std::string_view name, const detail::PartOperations& operations,
            void (*construct)(void* memory));

  /// First part of this type, or nullptr.
  template <class T>
  [[nodiscard]] const T* find() const noexcept {
    return block_ == nullptr
               ? nullptr
               : static_cast<const T*>(detail::find_part(*block_, TypeIdOf<T>::value, {}, true));
  }
  /// First part of this type and name, or nullptr.
  template <class T>
  [[nodiscard]] const T* find(std::string_view name) const noexcept {
    return block_ == nullptr
               ? nullptr
               : static_cast<const T*>(detail::find_part(*block_, TypeIdOf<T>::value, name, false));
  }
  /// Like find; throws Error(NotFound) that names type and part when there is none.
  template <class T>
  [[nodiscard]] const T& get() const {
    const T* part = find<T>();
    if (part == nullptr) {
      detail::throw_no_part(type_name<T>(), {});
    }
    return *part;
  }
  /// The same for the first part of this type and name.
  template <class T>
  [[nodiscard]] const T& get(std::string_view name) const {
    const T* part = find<T>(name);
    if (part == nullptr) {
      detail::throw_no_part(type_name<T>(), name);
    }
    return *part;
  }

  /// First part of this type, to be changed. If nobody else has it, that is the part itself.
  /// Otherwise this object refers to a message of its own from now on: that has a copy of the part,
  /// and shares each other part until make_writable() is called for it. Memory of a copied tensor
  /// comes from the tensor's allocator. In a tick with device work, the tick's stream copies host
  /// and device memory, and device_work() says so; elsewhere the copy is there when the call
  /// returns. The caller's writes come behind device work that still reads the part.
  ///
  /// A reference that get() gave before this call may refer to the others' part, or to a part that
  /// is gone; take it anew. Throws Error: NotFound when there is no such part, NotSupported for a
  /// type that can only be moved and has no copy_part(), OutOfMemory of the allocator, Device.
  template <class T>
  T& make_writable() {
    return *static_cast<T*>(writable_part(TypeIdOf<T>::value, {}, true, &type_name<T>));
  }
  /// The same for the first part of this type and name.
  template <class T>
  T& make_writable(std::string_view name) {
    return *static_cast<T*>(writable_part(TypeIdOf<T>::value, name, false, &type_name<T>));
  }
  /// Puts `value` in the place of part `number`, which is of type T: make_writable() without the
  /// copy. Throws Error(InvalidArgument) when the part is of another type or there is none.
  template <class T>
  T& replace(std::size_t number, T value) {
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>);
    bool is_empty = false;
    void* const memory = own_place(number, TypeIdOf<T>::value, is_empty);
    return is_empty ? *new (memory) T(std::move(value))
                    : *static_cast<T*>(memory) = std::move(value);
  }
  /// Adds part `number` of another message of the same application, without a copy (but for
  /// messages of share_writable()). Both share it until make_writable() is called for one of them.
  /// device_work() of `from` is not taken along: wait for it, or set it. Throws
  /// Error(InvalidArgument) for a message itself, a null message, and when there is no such part.
  void share_part(const Message& from, std::size_t number);
  /// Lets all who refer to this message later change its parts: make_writable(), add() and the rest
  /// then change it for all. For producers whose receivers share state; they see to
  /// synchronisation. Call it before others have the message: it is separated from those. Throws
  /// Error(InvalidArgument) on a null message, and what make_writable() throws.
  void share_writable();

  /// All parts in the order they were added.
  [[nodiscard]] const detail::Part* begin() const noexcept {
    return block_ ? block_->parts : nullptr;
  }
  /// Behind the last part.
  [[nodiscard]] const detail::Part* end() const noexcept {
    return block_ ? block_->parts + block_->part_count : nullptr;
  }
  /// Number of parts.
  [[nodiscard]] std::size_t size() const noexcept { return block_ ? block_->part_count : 0; }

  /// Time at which the data was acquired, ns; 0 when unknown. Not serialised.
  [[nodiscard]] std::int64_t source_time() const { return block().source_time; }
  /// Sets source_time(), for this holder. Throws Error(InvalidArgument) on a null message.
  void set_source_time(std::int64_t time) { own_block().source_time = time; }
  /// Number of the message within its source, from 0. Not serialised.
  [[nodiscard]] std::uint64_t sequence() const { return block().sequence; }
  /// Sets sequence(), for this holder. Throws Error(InvalidArgument) on a null message.
  void set_sequence(std::uint64_t sequence) { own_block().sequence = sequence; }
  /// Device work that may still write the data: none for messages of codelets on the CPU. Not
  /// serialised. Receiver::receive() and gxr::cuda::Streams see to it.
  /// It belongs to this reference, not to what it refers to: consumers of the same message that
  /// pass it on have each their own.
  [[nodiscard]] DeviceWork device_work() const noexcept {
    return block_ == nullptr ? DeviceWork{} : DeviceWork{work_stream_, work_number_};
  }
  /// Sets device_work() of this reference. For those who start the work.
  void set_device_work(const DeviceWork& work) noexcept {
    work_stream_ = work.stream;
    work_number_ = work.number;
  }
  /// Does this reference know of device work? It may be done.
  [[nodiscard]] bool has_device_work() const noexcept { return work_stream_ != nullptr; }
  /// Returns when that work is done.
  void wait_for_device() const {
    if (const DeviceWork work = device_work(); work) {
      work.stream->wait_on_host(work.number);
    }
  }
  /// Does nobody else refer to this message, or borrow a part of it, now? Others may have parts
  /// that it borrows.
  [[nodiscard]] bool is_only_reference() const noexcept {
    return block_ != nullptr && block_->references.load(std::memory_order_acquire) == 1;
  }

 private:
  friend class EngineAccess;
  friend class MessagePool;

  // Takes over one reference.
  explicit Message(detail::MessageBlock* block) noexcept : block_(block) {}
  /// The message, which nobody else sees.
  [[nodiscard]] detail::MessageBlock& own_block() {
    if (block_ == nullptr || block_->references.load(std::memory_order_acquire) != 1) {
      separate();
    }
    return *block_;
  }
  void separate();
  void* own_place(std::size_t number, TypeId id, bool& is_empty);
  void* writable_part(TypeId id, std::string_view name, bool any_name,
                      std::string_view (*type_name)());
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
