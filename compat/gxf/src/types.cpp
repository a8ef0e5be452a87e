#include "types.hpp"

#include <complex>
#include <cstdint>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "common/logger.hpp"
#include "gxr/queue.hpp"
#include "gxr/type_id.hpp"
#include "native_types.hpp"

namespace nvidia::gxf::layer {
namespace {

struct Entry {
  TypeRecord record;
  std::string name;
  std::string gxr_name;  // empty: not gxr's
  gxr::detail::PartOperations operations{};
};

struct TidHash {
  std::size_t operator()(const gxf_tid_t& tid) const noexcept { return tid.hash1 ^ tid.hash2; }
};
struct SameTid {
  bool operator()(const gxf_tid_t& a, const gxf_tid_t& b) const noexcept {
    return a.hash1 == b.hash1 && a.hash2 == b.hash2;
  }
};

class TypeTable {
 public:
  Entry* find(std::string_view name) {
    const std::shared_lock lock(mutex_);
    const auto found = by_name_.find(name);
    return found != by_name_.end() ? found->second : nullptr;
  }
  Entry* find(gxf_tid_t tid) {
    const std::shared_lock lock(mutex_);
    const auto found = by_tid_.find(tid);
    return found != by_tid_.end() ? found->second : nullptr;
  }
  Entry& add(const char* name, gxf_tid_t tid) {
    const std::unique_lock lock(mutex_);
    Entry& entry = entries_.emplace_back();
    entry.name = name;
    entry.record.name = entry.name.c_str();
    entry.record.tid = tid;
    by_name_.emplace(entry.name, &entry);
    by_tid_.emplace(tid, &entry);
    return entry;
  }

 private:
  std::shared_mutex mutex_;
  std::deque<Entry> entries_;  // stay where they are
  std::unordered_map<std::string_view, Entry*> by_name_;
  std::unordered_map<gxf_tid_t, Entry*, TidHash, SameTid> by_tid_;
};

TypeTable& bare_table() {
  static TypeTable& table = *new TypeTable();  // messages are destroyed until the very end
  return table;
}

TypeTable& table() {
  static const bool is_filled = (add_native_types(), true);
  static_cast<void>(is_filled);
  return bare_table();
}

void set_part(Entry& entry, const gxr::detail::PartOperations& operations,
              void (*construct)(void*)) {
  entry.record.size = operations.size;
  entry.record.alignment = operations.alignment;
  entry.record.construct = construct;
  entry.operations = operations;
  entry.record.operations = &entry.operations;
}

}  // namespace

const TypeRecord* FindType(std::string_view name) noexcept {
  const Entry* const entry = table().find(name);
  return entry != nullptr ? &entry->record : nullptr;
}

const TypeRecord* FindType(gxf_tid_t tid) noexcept {
  const Entry* const entry = table().find(tid);
  return entry != nullptr ? &entry->record : nullptr;
}

void add_native_data(const char* name, gxr::TypeId id,
                     const gxr::detail::PartOperations& operations, void (*construct)(void*)) {
  set_part(bare_table().add(name, to_tid(id)), operations, construct);
}

void add_native_components(const std::vector<NativeType>& types) {
  for (const NativeType& type : types) {
    Entry& entry = bare_table().add(type.name, to_tid(gxr::type_id_of_name(type.gxr_name)));
    entry.gxr_name = type.gxr_name;
    entry.record.is_component = true;
    if (type.base != nullptr) {
      entry.record.base = &bare_table().find(std::string_view(type.base))->record;
    }
  }
}

gxf_result_t add_registered(const Registration& type) {
  if (type.name == nullptr || GxfTidIsNull(type.tid) != 0) {
    return GXF_ARGUMENT_INVALID;
  }
  if (const Entry* const known = table().find(std::string_view(type.name)); known != nullptr) {
    if (!SameTid()(known->record.tid, type.tid)) {
      GXF_LOG_ERROR("type '%s' is registered twice, with different ids", type.name);
      return GXF_FACTORY_DUPLICATE_TID;
    }
    return GXF_SUCCESS;
  }
  if (const Entry* const known = table().find(type.tid); known != nullptr) {
    GXF_LOG_ERROR("types '%s' and '%s' are registered with the same id", known->name.c_str(),
                  type.name);
    return GXF_FACTORY_DUPLICATE_TID;
  }
  const TypeRecord* base = nullptr;
  if (type.base != nullptr) {
    base = FindType(type.base);
    if (base == nullptr) {
      GXF_LOG_ERROR("type '%s': its base '%s' is not registered before it", type.name, type.base);
      return GXF_FACTORY_UNKNOWN_CLASS_NAME;
    }
  }
  Entry& entry = table().add(type.name, type.tid);
  entry.record.base = base;
  entry.record.is_component = type.is_component;
  if (type.functions.construct != nullptr) {
    const PartFunctions& f = type.functions;
    set_part(entry, {f.size, f.alignment, f.destroy, f.copy, nullptr, f.type_name}, f.construct);
  }
  return GXF_SUCCESS;
}

std::string gxr_name_of(std::string_view name) {
  const Entry* const entry = table().find(name);
  return entry != nullptr && !entry->gxr_name.empty() ? entry->gxr_name : std::string(name);
}

}  // namespace nvidia::gxf::layer
