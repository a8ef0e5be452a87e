#include "dds/cyclone/type_replies.hpp"

#include <algorithm>
#include <new>

#include <dds/ddsi/ddsi_typelookup.h>
#include <dds/ddsi/ddsi_xt_impl.h>
#include <dds/ddsrt/heap.h>

namespace gxr::dds {
namespace {

using Identifier = DDS_XTypes_TypeIdentifier;

/// Of sequences of sequences.
constexpr int kDeepestSequence = 16;
/// Of one question; others may answer as often as they like.
constexpr std::size_t kMostReplies = 1000;

/// Those that ask now. Leaked: threads of the library may outlive the other objects of this
/// library.
struct Askers {
  std::mutex mutex;
  std::vector<TypeReplies*> all;
};
Askers& askers() {
  static auto* const only = new Askers;
  return *only;
}

using Pair = DDS_XTypes_TypeIdentifierTypeObjectPair;

std::span<Pair> pairs_of(const DDS_Builtin_TypeLookup_Reply& reply) {
  const auto& answer = reply.return_data;
  if (answer._d != DDS_Builtin_TypeLookup_getTypes_HashId ||
      answer._u.getType._d != DDS_RETCODE_OK) {
    return {};
  }
  return elements(answer._u.getType._u.result.types);
}

// Make a definition one that Cyclone DDS 0.10 can read: numbers and texts of kinds that it does not
// know become bytes. False: it cannot be made so.
bool make_readable(Identifier& type, int depth = 0);

bool make_readable(Identifier* type, int depth) {
  return type != nullptr && depth < kDeepestSequence && make_readable(*type, depth + 1);
}

bool make_readable(Identifier& type, int depth) {
  switch (type._d) {
    case DDS_XTypes_TK_BOOLEAN:
    case DDS_XTypes_TK_BYTE:
    case DDS_XTypes_TK_INT16:
    case DDS_XTypes_TK_INT32:
    case DDS_XTypes_TK_INT64:
    case DDS_XTypes_TK_UINT16:
    case DDS_XTypes_TK_UINT32:
    case DDS_XTypes_TK_UINT64:
    case DDS_XTypes_TK_FLOAT32:
    case DDS_XTypes_TK_FLOAT64:
    case DDS_XTypes_TK_CHAR8:
    case DDS_XTypes_TK_STRING8:
    case DDS_XTypes_TI_STRING8_SMALL:
    case DDS_XTypes_TI_STRING8_LARGE:
    case DDS_XTypes_EK_COMPLETE:
    case DDS_XTypes_EK_MINIMAL:
      return true;
    case kInt8:
    case kUInt8:
    case DDS_XTypes_TK_FLOAT128:
    case DDS_XTypes_TK_CHAR16:
    case DDS_XTypes_TK_STRING16:
    case DDS_XTypes_TI_STRING16_SMALL:
    case DDS_XTypes_TI_STRING16_LARGE:
      type._d = DDS_XTypes_TK_BYTE;
      return true;
    case DDS_XTypes_TI_PLAIN_SEQUENCE_SMALL:
      return make_readable(type._u.seq_sdefn.element_identifier, depth);
    case DDS_XTypes_TI_PLAIN_SEQUENCE_LARGE:
      return make_readable(type._u.seq_ldefn.element_identifier, depth);
    case DDS_XTypes_TI_PLAIN_ARRAY_SMALL:
      return make_readable(type._u.array_sdefn.element_identifier, depth);
    case DDS_XTypes_TI_PLAIN_ARRAY_LARGE:
      return make_readable(type._u.array_ldefn.element_identifier, depth);
    default:
      return false;
  }
}

bool make_readable(DDS_XTypes_CompleteTypeObject& object) {
  switch (object._d) {
    case DDS_XTypes_TK_STRUCTURE: {
      auto& type = object._u.struct_type;
      return (type.header.base_type._d == DDS_XTypes_TK_NONE ||
              make_readable(type.header.base_type)) &&
             std::ranges::all_of(elements(type.member_seq), [](auto& member) {
               return make_readable(member.common.member_type_id);
             });
    }
    case DDS_XTypes_TK_UNION: {
      auto& type = object._u.union_type;
      return make_readable(type.discriminator.common.type_id) &&
             std::ranges::all_of(elements(type.member_seq),
                                 [](auto& member) { return make_readable(member.common.type_id); });
    }
    case DDS_XTypes_TK_ALIAS:
      return make_readable(object._u.alias_type.body.common.related_type);
    case DDS_XTypes_TK_SEQUENCE:
      return make_readable(object._u.sequence_type.element.common.type);
    case DDS_XTypes_TK_ARRAY:
      return make_readable(object._u.array_type.element.common.type);
    case DDS_XTypes_TK_ENUM:
    case DDS_XTypes_TK_BITMASK:
      return true;
    default:
      return false;
  }
}

bool make_readable(DDS_XTypes_TypeObject& object) {
  return object._d == DDS_XTypes_EK_COMPLETE && make_readable(object._u.complete);
}

std::shared_ptr<DDS_Builtin_TypeLookup_Reply> read(const ddsi_serdata& sample) {
  const std::shared_ptr<DDS_Builtin_TypeLookup_Reply> reply(
      new DDS_Builtin_TypeLookup_Reply{}, [](DDS_Builtin_TypeLookup_Reply* each) {
        DDS_Builtin_TypeLookup_Reply_free(each, DDS_FREE_CONTENTS);
        delete each;
      });
  return ddsi_serdata_to_sample(&sample, reply.get(), nullptr, nullptr) ? reply : nullptr;
}

/// Of what the library can read it gets to know, so that it asks for what that mentions, and ends
/// waiting.
void pass_on(ddsi_domaingv* domain, DDS_Builtin_TypeLookup_Reply& reply) {
  auto& types = reply.return_data._u.getType._u.result.types;
  const std::uint32_t all = types._length;
  const Pair* const end = std::partition(types._buffer, types._buffer + all, [](Pair& pair) {
    return make_readable(pair.type_object);
  });
  types._length = static_cast<std::uint32_t>(end - types._buffer);
  ddsi_generic_proxy_endpoint** ends = nullptr;
  std::uint32_t count = 0;
  ddsi_tl_add_types(domain, &reply, &ends, &count);  // ends of ours have no definitions to match
  ddsrt_free(ends);
  types._length = all;
}

void take_reply(ddsi_domaingv* domain, const ddsi_serdata& sample) {
  const std::lock_guard lock(askers().mutex);
  if (askers().all.empty()) {
    return;
  }
  const auto told = read(sample);
  const auto readable = told == nullptr ? nullptr : read(sample);
  if (readable == nullptr || pairs_of(*told).empty()) {
    return;
  }
  for (TypeReplies* const each : askers().all) {
    each->add(told);
  }
  pass_on(domain, *readable);
}

}  // namespace

TypeReplies::TypeReplies() {
  const std::lock_guard lock(askers().mutex);
  askers().all.push_back(this);
}

TypeReplies::~TypeReplies() {
  const std::lock_guard lock(askers().mutex);
  std::erase(askers().all, this);
}

TypeObject TypeReplies::find(const ddsi_typeid_t& type) const {
  const std::lock_guard lock(mutex_);
  for (const auto& reply : replies_) {
    for (const Pair& pair : pairs_of(*reply)) {
      if (ddsi_typeid_compare_impl(&pair.type_identifier, &type.x) == 0) {
        return {reply, &pair.type_object};
      }
    }
  }
  return nullptr;
}

void TypeReplies::add(const std::shared_ptr<DDS_Builtin_TypeLookup_Reply>& reply) {
  const std::lock_guard lock(mutex_);
  if (replies_.size() < kMostReplies) {
    replies_.push_back(reply);
  }
}

}  // namespace gxr::dds

/// In place of the library's own function of this name: this library is searched before it.
extern "C" __attribute__((visibility("default"))) void ddsi_tl_handle_reply(
    struct ddsi_domaingv* domain, struct ddsi_serdata* sample) {
  try {
    gxr::dds::take_reply(domain, *sample);
  } catch (const std::bad_alloc&) {  // then it is no answer
  }
}
