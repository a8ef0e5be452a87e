#include "registry/type_catalog.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "gxr/error.hpp"
#include "registry/extension_index.hpp"
#include "registry/extension_reader.hpp"
#include "registry/file_kind.hpp"
#include "registry/type_json.hpp"
#include "registry/type_provider.hpp"

namespace gxr {
namespace {

/// An extension of the catalog. Its names are known from the start. The file of one from the index
/// is read when one of its types is first asked for. As all types were read without an error before
/// they got into the index, each is then read when it is asked for itself.
struct Holder {
  ExtensionFile file;
  ExtensionRank rank = ExtensionRank::Installed;
  bool read = false;               // the file, and its types but for those in `unread`
  std::optional<FileStamp> stamp;  // none for types without a file
  std::vector<TypeNames> types;    // the names of each
  std::string section;
  std::vector<std::string_view> unread{};  // by type, parts of `section`; empty: none, or was read
  bool beside = false;                     // of TypeCatalog::add_beside()
  bool flawed = false;                     // some of them cannot be read, which is in State::broken
};

/// The extensions that hold a name: one, or the first two of several.
struct Contenders {
  Holder* first = nullptr;
  Holder* second = nullptr;

  void add(Holder& holder) {
    if (first == nullptr) {
      first = &holder;
    } else if (second == nullptr && first != &holder) {
      second = &holder;
    }
  }
};

struct Name {
  std::array<Contenders, 3> of_rank;  // by ExtensionRank
  const TypeInfo* type = nullptr;     // set at the first use, when there is no conflict

  Contenders& of(ExtensionRank rank) { return of_rank[static_cast<std::size_t>(rank)]; }
  /// The first rank in which an extension holds the name. Precondition: one does.
  [[nodiscard]] ExtensionRank best() const {
    const auto* const found = std::find_if(of_rank.begin(), of_rank.end(),
                                           [](const Contenders& c) { return c.first != nullptr; });
    return static_cast<ExtensionRank>(found - of_rank.begin());
  }
};

std::vector<TypeNames> names_of(const std::vector<TypeInfo>& types) {
  std::vector<TypeNames> names;
  for (const TypeInfo& type : types) {
    TypeNames& of_type = names.emplace_back(TypeNames{type.name});
    of_type.insert(of_type.end(), type.aliases.begin(), type.aliases.end());
  }
  return names;
}

bool has_name(const TypeInfo& type, std::string_view name) {
  return type.name == name ||
         std::find(type.aliases.begin(), type.aliases.end(), name) != type.aliases.end();
}

bool holds(const ExtensionFile& file, const TypeInfo& type) {
  const std::less_equal<> not_behind;
  return !file.types.empty() && not_behind(&file.types.front(), &type) &&
         not_behind(&type, &file.types.back());
}

/// X_cuda.so beside X.so is no extension but the half of that one with device code, see
/// load_device_half(); X_gstreamer.so and X_cyclone.so are halves that link GStreamer and Cyclone
/// DDS.
bool is_half(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  for (const std::string_view end : {"_cuda", "_gstreamer", "_cyclone"}) {
    const std::string extension =
        stem.substr(0, stem.size() - std::min(stem.size(), end.size())) + ".so";
    std::error_code ignored;
    if (stem.ends_with(end) && std::filesystem::exists(path.parent_path() / extension, ignored)) {
      return true;
    }
  }
  return false;
}

std::vector<std::filesystem::path> libraries_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".so" && !is_half(at->path())) {
      files.push_back(at->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path resolved(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path result = std::filesystem::canonical(path, error);
  return error ? path : result;
}

/// Reads the file of an extension from the index, and its types unless each can be read later.
void read_indexed(Holder& holder) {
  auto [file, section] = open_extension_file(holder.file.path);
  holder.section = std::move(section);
  holder.unread = lines_of_types(holder.section);
  if (holder.unread.size() == holder.types.size()) {
    file.types.resize(holder.unread.size());
  } else {
    holder.unread.clear();
    file.types = read_types(file, holder.section);
  }
  holder.file = std::move(file);
}

bool same_file(const FileStamp& a, const FileStamp& b) {
  return a.inode == b.inode && a.device == b.device;
}

}  // namespace

struct TypeCatalog::State {
  std::mutex mutex;  // what is asked for is read and remembered then; locked by all that is public
  std::deque<Holder> holders;
  std::unordered_map<std::string_view, Name> names;  // keys point into Holder::types
  std::unordered_map<const TypeInfo*, const TypeInfo*> bases;
  std::vector<std::string> broken;

  Holder* find_file(const FileStamp& stamp);
  Holder& add(ExtensionFile file, ExtensionRank rank, std::optional<FileStamp> stamp);
  void add_indexed(const std::filesystem::path& path, const IndexEntry& entry, ExtensionRank rank);
  void register_names(Holder& holder);
  void add_folder(const std::filesystem::path& folder, ExtensionRank rank);
  std::optional<IndexEntry> add_from_folder(const std::filesystem::path& path,
                                            const ExtensionIndex& index, ExtensionRank rank);
  bool ensure_read(Holder& holder);
  void ensure_type(Holder& holder, std::size_t index);
  bool ensure_types(Holder& holder);
  const TypeInfo* find_in(Holder& holder, std::string_view name);
  const TypeInfo* find(std::string_view name, Conflict* conflict);
  const TypeInfo* base_of(const TypeInfo& type);
  [[nodiscard]] bool hidden(const Holder& holder, const TypeInfo& type) const;
};

Holder* TypeCatalog::State::find_file(const FileStamp& stamp) {
  for (Holder& holder : holders) {
    if (holder.stamp && same_file(*holder.stamp, stamp)) {
      return &holder;
    }
  }
  return nullptr;
}

Holder& TypeCatalog::State::add(ExtensionFile file, ExtensionRank rank,
                                std::optional<FileStamp> stamp) {
  Holder& holder = holders.emplace_back();
  holder.file = std::move(file);
  holder.rank = rank;
  holder.read = true;
  holder.stamp = stamp;
  holder.types = names_of(holder.file.types);
  register_names(holder);
  return holder;
}

void TypeCatalog::State::register_names(Holder& holder) {
  for (const TypeNames& of_type : holder.types) {
    for (const std::string& name : of_type) {
      Name& entry = names[name];
      entry.of(holder.rank).add(holder);
      entry.type = nullptr;
    }
  }
  bases.clear();
}

void TypeCatalog::State::add_folder(const std::filesystem::path& folder, ExtensionRank rank) {
  const std::filesystem::path place = resolved(folder);
  if (!is_folder(place)) {
    broken.push_back("the folder of extensions '" + folder.string() + "' does not exist");
    return;
  }
  const ExtensionIndex index(place);
  std::vector<IndexEntry> entries;
  for (const std::filesystem::path& path : libraries_of(place)) {
    if (std::optional<IndexEntry> entry = add_from_folder(path, index, rank)) {
      entries.push_back(std::move(*entry));
    }
  }
  index.store(entries);
}

void TypeCatalog::State::add_indexed(const std::filesystem::path& path, const IndexEntry& entry,
                                     ExtensionRank rank) {
  Holder& holder = holders.emplace_back();
  holder.file.path = path;
  holder.rank = rank;
  holder.stamp = entry.stamp;
  holder.types = entry.types;
  register_names(holder);
}

/// Returns what the index shall say of the file; nothing of a file that cannot be read.
std::optional<IndexEntry> TypeCatalog::State::add_from_folder(const std::filesystem::path& path,
                                                              const ExtensionIndex& index,
                                                              ExtensionRank rank) {
  const std::string name = path.filename().string();
  const std::optional<FileStamp> stamp = stamp_of(path);
  if (!stamp) {
    return std::nullopt;
  }
  if (const Holder* known = find_file(*stamp)) {
    return IndexEntry{name, *stamp, known->types};
  }
  if (const IndexEntry* indexed = index.find(name, *stamp)) {
    add_indexed(path, *indexed, rank);
    return *indexed;
  }
  try {
    return IndexEntry{name, *stamp, add(read_extension_file(path), rank, stamp).types};
  } catch (const Error& error) {
    broken.push_back(error.message());
    return std::nullopt;
  }
}

/// False when the file has become unreadable since it was indexed.
bool TypeCatalog::State::ensure_read(Holder& holder) {
  if (!holder.read) {
    holder.read = true;
    try {
      read_indexed(holder);
    } catch (const Error& error) {
      broken.push_back(error.message());
    }
  }
  return holder.file.descriptor.name[0] != '\0';
}

/// A type that cannot be read keeps an empty name.
void TypeCatalog::State::ensure_type(Holder& holder, std::size_t index) {
  if (index >= holder.unread.size() || holder.unread[index].empty()) {
    return;
  }
  try {
    holder.file.types[index] =
        read_type(holder.file, std::exchange(holder.unread[index], std::string_view()));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::InvalidData) {
      broken.push_back(error.message());
    } else if (!std::exchange(holder.flawed, true)) {
      broken.push_back(flaw_of_lines(holder.file, holder.section));
    }
  }
}

/// Reads all types. False like ensure_read().
bool TypeCatalog::State::ensure_types(Holder& holder) {
  if (!ensure_read(holder)) {
    return false;
  }
  for (std::size_t i = 0; i < holder.unread.size(); ++i) {
    ensure_type(holder, i);
  }
  return true;
}

const TypeInfo* TypeCatalog::State::find_in(Holder& holder, std::string_view name) {
  if (!ensure_read(holder)) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(holder.types, [&](const TypeNames& of_type) {
    return std::ranges::find(of_type, name) != of_type.end();
  });
  const auto index = static_cast<std::size_t>(found - holder.types.begin());
  if (index >= holder.file.types.size()) {
    return nullptr;
  }
  ensure_type(holder, index);
  const TypeInfo& type = holder.file.types[index];
  return has_name(type, name) ? &type : nullptr;
}

const TypeInfo* TypeCatalog::State::find(std::string_view name, Conflict* conflict) {
  const auto found = names.find(name);
  if (found == names.end()) {
    return nullptr;
  }
  Name& entry = found->second;
  if (entry.type != nullptr) {
    return entry.type;
  }
  const ExtensionRank rank = entry.best();
  const Contenders& winners = entry.of(rank);
  if (winners.second != nullptr) {
    if (conflict != nullptr) {
      const ExtensionFile& first = winners.first->file;
      const ExtensionFile& second = winners.second->file;
      *conflict = {first.path, second.path, rank, first.provided || second.provided};
    }
    return nullptr;
  }
  entry.type = find_in(*winners.first, name);
  return entry.type;
}

const TypeInfo* TypeCatalog::State::base_of(const TypeInfo& type) {
  const auto [found, fresh] = bases.try_emplace(&type, nullptr);
  if (fresh && !type.base.empty()) {
    found->second = find(type.base, nullptr);
  }
  return found->second;
}

/// Does an extension of an earlier rank hold a type of this name, so that the one of `holder`
/// cannot be named?
bool TypeCatalog::State::hidden(const Holder& holder, const TypeInfo& type) const {
  const auto found = names.find(type.name);
  return found == names.end() || found->second.best() < holder.rank;
}

TypeCatalog::TypeCatalog() : state_(std::make_unique<State>()) {}
TypeCatalog::~TypeCatalog() = default;
TypeCatalog::TypeCatalog(TypeCatalog&&) noexcept = default;
TypeCatalog& TypeCatalog::operator=(TypeCatalog&&) noexcept = default;

void TypeCatalog::add_extension(const std::filesystem::path& file, ExtensionRank rank) {
  const std::lock_guard lock(state_->mutex);
  const std::optional<FileStamp> stamp = stamp_of(file);
  Holder* known = stamp ? state_->find_file(*stamp) : nullptr;
  if (known == nullptr) {
    state_->add(read_extension_file(file), rank, stamp);
    return;
  }
  if (!known->read) {
    known->file = read_extension_file(file);
    known->read = true;
  }
  if (rank < known->rank) {
    known->rank = rank;
    state_->register_names(*known);
  }
}

void TypeCatalog::add_installed_folder(const std::filesystem::path& folder) {
  const std::lock_guard lock(state_->mutex);
  state_->add_folder(folder, ExtensionRank::Installed);
}

void TypeCatalog::add_variable_folder(const std::filesystem::path& folder) {
  const std::lock_guard lock(state_->mutex);
  state_->add_folder(folder, ExtensionRank::InVariable);
}

void TypeCatalog::add_provider(const TypeProvider& provider) {
  check_provider(provider);
  ExtensionFile file;
  file.path = provider.name;
  file.descriptor =
      make_extension_descriptor(provider.name, provider.version, "", provider.description);
  file.provided = true;
  for (const ProvidedType& type : provider.types) {
    file.types.push_back(type.info);
    file.types.back().extension = provider.name;
    file.factories.push_back(type.create);
  }
  const std::lock_guard lock(state_->mutex);
  state_->add(std::move(file), ExtensionRank::Named, std::nullopt);
}

const ExtensionFile& TypeCatalog::add_beside(const std::filesystem::path& file) const {
  ExtensionFile read = read_extension_file(file);
  const std::lock_guard lock(state_->mutex);
  Holder& holder = state_->holders.emplace_back();
  holder.file = std::move(read);
  holder.read = true;
  holder.beside = true;
  holder.types = names_of(holder.file.types);
  for (const TypeNames& of_type : holder.types) {
    for (const std::string& name : of_type) {
      if (!state_->names.contains(name)) {
        state_->names[name].of(holder.rank).add(holder);
      }
    }
  }
  state_->bases.clear();
  return holder.file;
}

const TypeInfo* TypeCatalog::find_in(const ExtensionFile& file, std::string_view name) {
  const auto found =
      std::ranges::find_if(file.types, [&](const TypeInfo& type) { return has_name(type, name); });
  return found == file.types.end() ? nullptr : &*found;
}

const TypeInfo* TypeCatalog::find(std::string_view name, Conflict* conflict) const {
  const std::lock_guard lock(state_->mutex);
  return state_->find(name, conflict);
}

bool TypeCatalog::is_a(const TypeInfo& type, std::string_view base) const {
  const std::lock_guard lock(state_->mutex);
  const TypeInfo* at = &type;
  // A chain longer than there are types has a cycle.
  for (std::size_t steps = state_->names.size() + 1; at != nullptr && steps > 0; --steps) {
    if (has_name(*at, base) || at->base == base) {
      const TypeInfo* target = state_->find(base, nullptr);
      if (at == target || target == nullptr) {
        return true;
      }
    }
    at = state_->base_of(*at);
  }
  return false;
}

const ExtensionFile* TypeCatalog::file_of(const TypeInfo& type) const {
  const std::lock_guard lock(state_->mutex);
  for (const Holder& holder : state_->holders) {
    if (holds(holder.file, type)) {
      return &holder.file;
    }
  }
  return nullptr;
}

bool TypeCatalog::has_python() const {
  const std::lock_guard lock(state_->mutex);
  return std::ranges::any_of(state_->holders,
                             [](const Holder& holder) { return holder.file.is_python; });
}

std::vector<std::string_view> TypeCatalog::names() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string_view> names;
  names.reserve(state_->names.size());
  for (const auto& [name, entry] : state_->names) {
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<const TypeInfo*> TypeCatalog::types() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<const TypeInfo*> types;
  for (Holder& holder : state_->holders) {
    if (holder.beside) {
      continue;
    }
    state_->ensure_types(holder);
    for (const TypeInfo& type : holder.file.types) {
      if (!state_->hidden(holder, type)) {
        types.push_back(&type);
      }
    }
  }
  std::stable_sort(types.begin(), types.end(),
                   [](const auto* a, const auto* b) { return a->name < b->name; });
  return types;
}

std::vector<const ExtensionFile*> TypeCatalog::extensions() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<const ExtensionFile*> files;
  for (Holder& holder : state_->holders) {
    if (!holder.beside && state_->ensure_types(holder)) {
      files.push_back(&holder.file);
    }
  }
  std::stable_sort(files.begin(), files.end(), [](const auto* a, const auto* b) {
    return std::strcmp(a->descriptor.name, b->descriptor.name) < 0;
  });
  return files;
}

std::vector<std::string> TypeCatalog::broken() const {
  const std::lock_guard lock(state_->mutex);
  return state_->broken;
}

void TypeCatalog::add_types(const std::string& extension, std::vector<TypeInfo> types) {
  const std::lock_guard lock(state_->mutex);
  ExtensionFile file;
  file.path = extension;
  file.descriptor = make_extension_descriptor(extension, "0.0.0", "", "");
  for (TypeInfo& type : types) {
    type.extension = extension;
  }
  file.types = std::move(types);
  state_->add(std::move(file), ExtensionRank::Named, std::nullopt);
}

}  // namespace gxr
