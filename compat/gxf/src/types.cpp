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
  std::string base_name;  // empty: none
  std::string gxr_name;   // empty: not gxr's
  gxr::detail::PartOperations operations{};
};

struct TidHash {
  std::size_t operator()(const gxf_tid_t& tid) const noexcept { return tid.hash1 ^ tid.hash2; }
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
  /// Adds what `fill` makes of a new entry. The same name or id again is an error, but for the same
  /// type once more.
  template <class F>
  gxf_result_t add(const char* name, gxf_tid_t tid, const char* base,
                   const PartFunctions& functions, F&& fill) {
    const std::unique_lock lock(mutex_);
    const auto same_name = by_name_.find(name);
    if (same_name != by_name_.end()) {
      const TypeRecord& known = same_name->second->record;
      if (!(known.tid == tid)) {
        GXF_LOG_ERROR("type '%s' is registered twice, with different ids", name);
        return GXF_FACTORY_DUPLICATE_TID;
      }
      if (functions.construct != nullptr &&
          (known.size != functions.size || known.alignment != functions.alignment)) {
        GXF_LOG_ERROR(
            "type '%s' is registered twice, with different layouts: rebuild the older of the two "
            "extensions",
            name);
        return GXF_FACTORY_DUPLICATE_TID;
      }
      return GXF_SUCCESS;
    }
    const auto same_tid = by_tid_.find(tid);
    if (same_tid != by_tid_.end()) {
      GXF_LOG_ERROR("types '%s' and '%s' are registered with the same id",
                    same_tid->second->name.c_str(), name);
      return GXF_FACTORY_DUPLICATE_TID;
    }
    Entry& entry = entries_.emplace_back();
    entry.name = name;
    entry.base_name = base != nullptr ? base : "";
    entry.record.name = entry.name.c_str();
    entry.record.tid = tid;
    fill(entry);
    by_name_.emplace(entry.name, &entry);
    by_tid_.emplace(tid, &entry);
    join(entry);
    return GXF_SUCCESS;
  }

 private:
  /// A base may come later, from an extension that is loaded later.
  void join(Entry& added) {
    for (Entry& entry : entries_) {
      if (entry.base_name == added.name) {
        entry.record.base.store(&added.record, std::memory_order_release);
        added.record.has_derived.store(true, std::memory_order_release);
      }
    }
    if (const auto base = by_name_.find(added.base_name); base != by_name_.end()) {
      added.record.base.store(&base->second->record, std::memory_order_release);
      base->second->record.has_derived.store(true, std::memory_order_release);
    }
  }

  std::shared_mutex mutex_;
  std::deque<Entry> entries_;  // stay where they are
  std::unordered_map<std::string_view, Entry*> by_name_;
  std::unordered_map<gxf_tid_t, Entry*, TidHash> by_tid_;
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
  static_cast<void>(bare_table().add(name, to_tid(id), nullptr, {}, [&](Entry& entry) {
    set_part(entry, operations, construct);
  }));
}

void add_native_components(const std::vector<NativeType>& types) {
  for (const NativeType& type : types) {
    static_cast<void>(bare_table().add(type.name, to_tid(gxr::type_id_of_name(type.gxr_name)),
                                       type.base, {}, [&](Entry& entry) {
                                         entry.gxr_name = type.gxr_name;
                                         entry.record.is_component = true;
                                       }));
  }
}

gxf_result_t add_registered(const Registration& type) {
  if (type.name == nullptr || GxfTidIsNull(type.tid) != 0) {
    return GXF_ARGUMENT_INVALID;
  }
  return table().add(type.name, type.tid, type.base, type.functions, [&](Entry& entry) {
    entry.record.is_component = type.is_component;
    if (type.functions.construct != nullptr) {
      const PartFunctions& f = type.functions;
      set_part(entry, {f.size, f.alignment, f.destroy, f.copy, nullptr, f.type_name}, f.construct);
    }
  });
}

std::string gxr_name_of(std::string_view name) {
  const Entry* const entry = table().find(name);
  return entry != nullptr && !entry->gxr_name.empty() ? entry->gxr_name : std::string(name);
}

}  // namespace nvidia::gxf::layer
