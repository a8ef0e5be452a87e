#pragma once

#include <string>

#include "document/arena.hpp"
#include "document/yaml_source.hpp"
#include "document/yaml_tree.hpp"
#include "gxr/export.hpp"
#include "gxr/value.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Loads libgxr_yaml.so, which whatever reads YAML does otherwise. Throws Error(NotFound) with what
/// is missing.
GXR_INTERNAL_API void require_yaml_library();

}  // namespace gxr

/// The functions of libgxr_yaml.so, the only part of gxr that uses yaml-cpp. libgxr.so loads it and
/// does not link it: what libgxr.so links would be in the scope of every extension, in front of the
/// yaml-cpp that a library of the extension brings along.
extern "C" GXR_API void gxr_read_yaml(const gxr::YamlStretch& stretch, gxr::Arena& arena,
                                      gxr::YamlTrees& result);
/// A list or map as yaml-cpp writes it.
extern "C" GXR_API void gxr_write_yaml(const gxr::Value& collection, std::string& result);
