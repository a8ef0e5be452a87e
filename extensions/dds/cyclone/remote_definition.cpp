#include "dds/cyclone/remote_definition.hpp"

#include <algorithm>
#include <deque>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <dds/ddsi/ddsi_sertype.h>  // first: the others need it, and do not say so
#include <dds/ddsi/ddsi_typewrap.h>
#include <dds/ddsi/ddsi_xt_impl.h>
#include <dds/ddsrt/heap.h>

#include "dds/cyclone/type_replies.hpp"
#include "dds/message_type.hpp"
#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

/// Others may tell what they like; a definition with more types is cut off.
constexpr std::size_t kMostTypes = 1000;
/// Of sequences of sequences.
constexpr int kDeepest = 16;

TypeId own(ddsi_typeid_t* id) {
  return {id, [](ddsi_typeid_t* each) {
            ddsi_typeid_fini(each);
            ddsrt_free(each);
          }};
}

/// So long the library may wait for what it cannot read.
constexpr std::chrono::milliseconds kOneWait{20};

const char* number_name(std::uint8_t kind) {
  switch (kind) {
    case DDS_XTypes_TK_BOOLEAN:
      return "bool";
    case DDS_XTypes_TK_BYTE:
    case kUInt8:
      return "uint8";
    case kInt8:
      return "int8";
    case DDS_XTypes_TK_INT16:
      return "int16";
    case DDS_XTypes_TK_INT32:
      return "int32";
    case DDS_XTypes_TK_INT64:
      return "int64";
    case DDS_XTypes_TK_UINT16:
      return "uint16";
    case DDS_XTypes_TK_UINT32:
      return "uint32";
    case DDS_XTypes_TK_UINT64:
      return "uint64";
    case DDS_XTypes_TK_FLOAT32:
      return "float32";
    case DDS_XTypes_TK_FLOAT64:
      return "float64";
    case DDS_XTypes_TK_FLOAT128:
      return "float128";
    case DDS_XTypes_TK_CHAR8:
      return "char";
    case DDS_XTypes_TK_CHAR16:
      return "wchar";
    default:
      return nullptr;
  }
}

std::string bound(std::uint32_t most) { return most == 0 ? "" : "<=" + std::to_string(most); }

std::string sizes(std::span<const std::uint32_t> lengths) {
  std::string text;
  for (const std::uint32_t length : lengths) {
    text += "[" + std::to_string(length) + "]";
  }
  return text;
}

/// Reads definitions, and asks for those that they mention.
class DefinitionReader {
 public:
  DefinitionReader(dds_entity_t participant, std::chrono::nanoseconds limit)
      : participant_(participant), end_(std::chrono::steady_clock::now() + limit) {}

  std::vector<MessageDefinition> read(const ddsi_typeid_t& type) {
    mention(type);
    while (!open_.empty()) {
      const TypeObject object = std::move(open_.front());
      open_.pop_front();
      definitions_.push_back(definition_of(object->_u.complete));
    }
    return std::move(definitions_);
  }

 private:
  [[nodiscard]] std::chrono::nanoseconds rest() const {
    return std::max<std::chrono::nanoseconds>(end_ - std::chrono::steady_clock::now(),
                                              std::chrono::nanoseconds(1));
  }

  /// Null: nobody has told it in time. The library asks, and hears what it can read of the answer.
  TypeObject ask(const ddsi_typeid_t& type) {
    const auto end = std::chrono::steady_clock::now() + rest();
    TypeObject found = replies_.find(type);
    while (found == nullptr && std::chrono::steady_clock::now() < end) {
      dds_typeobj_t* object = nullptr;
      const auto begin = std::chrono::steady_clock::now();
      if (dds_get_typeobj(participant_, &type, std::chrono::nanoseconds(kOneWait).count(),
                          &object) == DDS_RETCODE_OK) {
        dds_free_typeobj(object);
      }
      found = replies_.find(type);
      if (found == nullptr) {
        std::this_thread::sleep_until(begin + kOneWait);
      }
    }
    return found;
  }

  /// The name of a type that has a definition of its own, which read() then reads, too.
  std::string mention(const ddsi_typeid_t& type) {
    const auto same = [&](const auto& each) {
      return ddsi_typeid_compare(each.first.get(), &type) == 0;
    };
    if (const auto known = std::ranges::find_if(names_, same); known != names_.end()) {
      return known->second;
    }
    TypeObject object = names_.size() < kMostTypes ? ask(type) : nullptr;
    if (object != nullptr && object->_d != DDS_XTypes_EK_COMPLETE) {
      object = nullptr;
    }
    std::string name = object == nullptr ? "?" : name_of(object->_u.complete);
    names_.emplace_back(own(ddsi_typeid_dup(&type)), name);
    if (object != nullptr && !is_collection(object->_u.complete._d)) {
      open_.push_back(std::move(object));
    }
    return name;
  }

  static bool is_collection(std::uint8_t kind) {
    return kind == DDS_XTypes_TK_SEQUENCE || kind == DDS_XTypes_TK_ARRAY ||
           kind == DDS_XTypes_TK_MAP;
  }

  std::string name_of(const DDS_XTypes_CompleteTypeObject& object) {
    switch (object._d) {
      case DDS_XTypes_TK_STRUCTURE:
        return type_called(object._u.struct_type.header.detail.type_name);
      case DDS_XTypes_TK_UNION:
        return type_called(object._u.union_type.header.detail.type_name);
      case DDS_XTypes_TK_ENUM:
        return type_called(object._u.enumerated_type.header.detail.type_name);
      case DDS_XTypes_TK_BITMASK:
        return type_called(object._u.bitmask_type.header.detail.type_name);
      case DDS_XTypes_TK_ALIAS:
        return type_called(object._u.alias_type.header.detail.type_name);
      case DDS_XTypes_TK_SEQUENCE:
        return type_name(object._u.sequence_type.element.common.type) + "[" +
               bound(object._u.sequence_type.header.common.bound) + "]";
      case DDS_XTypes_TK_ARRAY:
        return type_name(object._u.array_type.element.common.type) +
               sizes(elements(object._u.array_type.header.common.bound_seq));
      case DDS_XTypes_TK_MAP:
        return "map<" + type_name(object._u.map_type.key.common.type) + ", " +
               type_name(object._u.map_type.element.common.type) + ">";
      default:
        return "?";
    }
  }

  std::string type_name(const DDS_XTypes_TypeIdentifier& type) {
    struct Depth {
      explicit Depth(int& value) : depth(value) { ++depth; }
      ~Depth() { --depth; }
      int& depth;
    } const inner(depth_);
    if (const char* const number = number_name(type._d)) {
      return number;
    }
    const auto list = [](std::uint32_t most) { return "[" + bound(most) + "]"; };
    switch (depth_ > kDeepest ? DDS_XTypes_TK_NONE : type._d) {
      case DDS_XTypes_TK_STRING8:
        return "string";
      case DDS_XTypes_TK_STRING16:
        return "wstring";
      case DDS_XTypes_TI_STRING8_SMALL:
        return "string" + bound(type._u.string_sdefn.bound);
      case DDS_XTypes_TI_STRING8_LARGE:
        return "string" + bound(type._u.string_ldefn.bound);
      case DDS_XTypes_TI_STRING16_SMALL:
        return "wstring" + bound(type._u.string_sdefn.bound);
      case DDS_XTypes_TI_STRING16_LARGE:
        return "wstring" + bound(type._u.string_ldefn.bound);
      case DDS_XTypes_TI_PLAIN_SEQUENCE_SMALL:
        return type_name(*type._u.seq_sdefn.element_identifier) + list(type._u.seq_sdefn.bound);
      case DDS_XTypes_TI_PLAIN_SEQUENCE_LARGE:
        return type_name(*type._u.seq_ldefn.element_identifier) + list(type._u.seq_ldefn.bound);
      case DDS_XTypes_TI_PLAIN_ARRAY_SMALL: {
        const auto lengths = elements(type._u.array_sdefn.array_bound_seq);
        return type_name(*type._u.array_sdefn.element_identifier) +
               sizes(std::vector<std::uint32_t>(lengths.begin(), lengths.end()));
      }
      case DDS_XTypes_TI_PLAIN_ARRAY_LARGE:
        return type_name(*type._u.array_ldefn.element_identifier) +
               sizes(elements(type._u.array_ldefn.array_bound_seq));
      case DDS_XTypes_TI_PLAIN_MAP_SMALL:
        return "map<" + type_name(*type._u.map_sdefn.key_identifier) + ", " +
               type_name(*type._u.map_sdefn.element_identifier) + ">";
      case DDS_XTypes_TI_PLAIN_MAP_LARGE:
        return "map<" + type_name(*type._u.map_ldefn.key_identifier) + ", " +
               type_name(*type._u.map_ldefn.element_identifier) + ">";
      case DDS_XTypes_EK_COMPLETE:
        return mention(*own(ddsi_typeid_dup_from_impl(&type)));
      default:
        return "?";
    }
  }

  MessageDefinition definition_of(const DDS_XTypes_CompleteTypeObject& object) {
    MessageDefinition definition;
    definition.name = name_of(object);
    switch (object._d) {
      case DDS_XTypes_TK_STRUCTURE:
        definition.kind = "structure";
        definition.wire_name = object._u.struct_type.header.detail.type_name;
        read_structure(object._u.struct_type, definition);
        break;
      case DDS_XTypes_TK_UNION:
        definition.kind = "union";
        definition.wire_name = object._u.union_type.header.detail.type_name;
        read_union(object._u.union_type, definition);
        break;
      case DDS_XTypes_TK_ENUM:
        definition.kind = "enumeration";
        definition.wire_name = object._u.enumerated_type.header.detail.type_name;
        for (const auto& value : elements(object._u.enumerated_type.literal_seq)) {
          definition.fields.push_back({"", value.detail.name, std::to_string(value.common.value)});
        }
        break;
      case DDS_XTypes_TK_BITMASK:
        definition.kind = "mask";
        definition.wire_name = object._u.bitmask_type.header.detail.type_name;
        for (const auto& bit : elements(object._u.bitmask_type.flag_seq)) {
          definition.fields.push_back({"", bit.detail.name, std::to_string(bit.common.position)});
        }
        break;
      case DDS_XTypes_TK_ALIAS:
        definition.kind = "alias";
        definition.wire_name = object._u.alias_type.header.detail.type_name;
        definition.fields.push_back(
            {type_name(object._u.alias_type.body.common.related_type), "", ""});
        break;
      default:
        definition.unknown = "it is of a kind that gxr does not know";
        break;
    }
    return definition;
  }

  void read_structure(const DDS_XTypes_CompleteStructType& type, MessageDefinition& definition) {
    if (type.header.base_type._d != DDS_XTypes_TK_NONE) {
      definition.fields.push_back({type_name(type.header.base_type), "", "base"});
    }
    for (const auto& member : elements(type.member_seq)) {
      const auto flags = member.common.member_flags;
      std::string note = (flags & DDS_XTypes_IS_KEY) != 0 ? "key" : "";
      if ((flags & DDS_XTypes_IS_OPTIONAL) != 0) {
        note += note.empty() ? "optional" : ", optional";
      }
      definition.fields.push_back(
          {type_name(member.common.member_type_id), member.detail.name, std::move(note)});
    }
  }

  void read_union(const DDS_XTypes_CompleteUnionType& type, MessageDefinition& definition) {
    definition.fields.push_back({type_name(type.discriminator.common.type_id), "", "chooses"});
    for (const auto& member : elements(type.member_seq)) {
      std::string cases;
      for (const std::int32_t label : elements(member.common.label_seq)) {
        cases += (cases.empty() ? "" : ", ") + std::to_string(label);
      }
      if ((member.common.member_flags & DDS_XTypes_IS_DEFAULT) != 0) {
        cases += cases.empty() ? "others" : ", others";
      }
      definition.fields.push_back(
          {type_name(member.common.type_id), member.detail.name, std::move(cases)});
    }
  }

  TypeReplies replies_;
  dds_entity_t participant_;
  std::chrono::steady_clock::time_point end_;
  int depth_ = 0;
  std::vector<std::pair<TypeId, std::string>> names_;
  std::deque<TypeObject> open_;
  std::vector<MessageDefinition> definitions_;
};

}  // namespace

TypeId type_id_of(const dds_builtintopic_endpoint_t& end) {
  auto copy = end;  // the function below changes nothing, for all that it asks for
  const dds_typeinfo_t* info = nullptr;
  if (dds_builtintopic_get_endpoint_type_info(&copy, &info) != DDS_RETCODE_OK || info == nullptr) {
    return nullptr;
  }
  const ddsi_typeid_t* const type = ddsi_typeinfo_complete_typeid(info);
  return type == nullptr || ddsi_typeid_is_none(type) ? nullptr : own(ddsi_typeid_dup(type));
}

std::string digest_of(const ddsi_typeid_t& type) {
  ddsi_typeid_str text{};
  return ddsi_make_typeid_str_impl(&text, &type.x);
}

std::vector<MessageDefinition> remote_definitions(dds_entity_t participant,
                                                  const ddsi_typeid_t& type,
                                                  std::chrono::nanoseconds limit) {
  std::vector<MessageDefinition> found = DefinitionReader(participant, limit).read(type);
  if (found.empty()) {
    throw Error(ErrorCode::NotSupported, "its program does not answer");
  }
  return found;
}

}  // namespace gxr::dds
