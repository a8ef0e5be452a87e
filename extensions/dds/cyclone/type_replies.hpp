#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <dds/ddsi/ddsi_sertype.h>  // first: the others need it, and do not say so
#include <dds/ddsi/ddsi_typewrap.h>
#include <dds/ddsi/ddsi_xt_typelookup.h>

namespace gxr::dds {

/// The definition of a type, as its program tells it.
using TypeObject = std::shared_ptr<const DDS_XTypes_TypeObject>;

/// Kinds of numbers that Cyclone DDS 0.10 does not know.
inline constexpr std::uint8_t kInt8 = 0x0c;
inline constexpr std::uint8_t kUInt8 = 0x0d;

/// Those of a sequence of IDL.
template <class Sequence>
auto elements(const Sequence& sequence) {
  return std::span(sequence._buffer, sequence._length);
}

/// Answers of programs to questions for types, while this exists. Cyclone DDS 0.10 crashes on
/// definitions of newer versions, and all programs of a domain hear every answer, whoever has
/// asked. So answers come here in place of the library, which gets what it can read, and gets
/// nothing while nobody here asks. Thread-safe.
class TypeReplies {
 public:
  TypeReplies();
  TypeReplies(const TypeReplies&) = delete;
  TypeReplies& operator=(const TypeReplies&) = delete;
  ~TypeReplies();

  /// Null: nobody has told it.
  [[nodiscard]] TypeObject find(const ddsi_typeid_t& type) const;
  /// Any thread.
  void add(const std::shared_ptr<DDS_Builtin_TypeLookup_Reply>& reply);

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<DDS_Builtin_TypeLookup_Reply>> replies_;
};

}  // namespace gxr::dds
