#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/extension_descriptor.hpp"
#include "gxr/type_info.hpp"
#include "gxr/type_provider.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Makes a component of a type; what it throws is what the component's constructor throws.
using ComponentFactory = std::function<std::unique_ptr<Component>()>;

/// An extension file, known by its sections only; no code of it has run. Or a Python file, known by
/// what another process has told of it. Or a provider of types, which has no file.
struct ExtensionFile {
  std::filesystem::path path;
  ExtensionDescriptor descriptor{};
  std::vector<TypeInfo> types;
  bool provided = false;                      ///< `path` is the name of a provider
  std::vector<ComponentFactory> factories{};  ///< of a provider: by type
  bool is_python = false;                     ///< a PythonHost makes its components

  /// A type that could not be read has no name.
  [[nodiscard]] std::size_t readable_types() const noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(types, [](const TypeInfo& type) { return !type.name.empty(); }));
  }
};

/// Who asked for an extension. A type of an earlier rank hides those of its name in later ones.
enum class ExtensionRank : std::uint8_t {
  Named,       ///< by -x, a manifest or `extensions:` in a file, or given by the program
  InVariable,  ///< in GXR_EXTENSION_PATH
  Installed,
};

/// All types that an application can name, and the extension file or provider that holds each.
/// Runs no code of extension files in this process. One type in two extensions of one rank is an
/// error when it is asked for. What was added is there for all threads: types and files stay where
/// they are.
class TypeCatalog {
 public:
  GXR_INTERNAL_API TypeCatalog();
  GXR_INTERNAL_API ~TypeCatalog();
  GXR_INTERNAL_API TypeCatalog(TypeCatalog&&) noexcept;
  TypeCatalog& operator=(TypeCatalog&&) noexcept;

  /// Adds one file. Throws Error(NotFound, InvalidData or Incompatible) whose text says what is
  /// wrong with the file and what to rebuild.
  void add_extension(const std::filesystem::path& file, ExtensionRank rank = ExtensionRank::Named);
  /// Adds all *.so of a folder as installed extensions, through the cached index. A broken file in
  /// it only disables itself: it is remembered and named when a type is not found.
  void add_installed_folder(const std::filesystem::path& folder);
  /// The same for a folder of GXR_EXTENSION_PATH.
  void add_variable_folder(const std::filesystem::path& folder);

  /// Adds the types of a provider. Throws Error(InvalidData) like check_provider().
  GXR_INTERNAL_API void add_provider(const TypeProvider& provider);

  /// Adds a file from which one component of an application that runs is to be made. Its types are
  /// there by find_in() and file_of(); no name leads to them but those that nobody had, so that
  /// their bases are found. Throws like add_extension().
  const ExtensionFile& add_beside(const std::filesystem::path& file) const;
  /// The type of this name or alias in one file, or nullptr.
  [[nodiscard]] static const TypeInfo* find_in(const ExtensionFile& file, std::string_view name);

  /// The type of this name or alias, or nullptr. `conflict` (if given) receives the two files when
  /// the name is ambiguous; the answer is nullptr then too. Reads an installed extension at the
  /// first use of one of its types.
  struct Conflict {
    std::filesystem::path first, second;
    ExtensionRank rank = ExtensionRank::Named;
    bool provided = false;  ///< one of them is a provider
  };
  GXR_INTERNAL_API const TypeInfo* find(std::string_view name, Conflict* conflict = nullptr) const;
  /// Is `type` the type `base` (name or alias), or derived from it?
  [[nodiscard]] GXR_INTERNAL_API bool is_a(const TypeInfo& type, std::string_view base) const;
  /// The file that holds `type`.
  [[nodiscard]] GXR_INTERNAL_API const ExtensionFile* file_of(const TypeInfo& type) const;
  /// Is one of the extensions written in Python?
  [[nodiscard]] GXR_INTERNAL_API bool has_python() const;
  /// Names and aliases of all types, for did-you-mean, completion and `list`.
  [[nodiscard]] GXR_INTERNAL_API std::vector<std::string_view> names() const;
  [[nodiscard]] GXR_INTERNAL_API std::vector<const TypeInfo*> types() const;  ///< ordered by name
  [[nodiscard]] GXR_INTERNAL_API std::vector<const ExtensionFile*> extensions()
      const;  ///< ordered by name
  /// Files of installed folders that could not be read, or not all of their types, with the reason.
  /// Types are read when they are asked for, by types() and extensions() at the latest. Not while
  /// other threads use the catalog, which may find another one.
  [[nodiscard]] GXR_INTERNAL_API std::vector<std::string> broken() const;
  /// Built without files, for tests: adds types as if an extension of that name held them.
  void add_types(const std::string& extension, std::vector<TypeInfo> types);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gxr
