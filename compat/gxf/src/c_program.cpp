#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "c_api.hpp"
#include "gxf/core/gxf.h"
#include "gxr/parameter.hpp"

// The C interface for programs that embed applications: contexts, extensions, graphs.

namespace nvidia::gxf::layer {
namespace {

gxf_result_t to_strings(const char* const* texts, std::uint32_t count,
                        std::vector<std::string>& strings) {
  if (texts == nullptr && count > 0) {
    return GXF_ARGUMENT_NULL;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (texts[i] == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    strings.emplace_back(texts[i]);
  }
  return GXF_SUCCESS;
}

/// Files that the folder has are taken from there.
void put_below(const char* folder, std::vector<std::string>& files) {
  for (std::string& file : files) {
    const std::filesystem::path below = std::filesystem::path(folder) / file;
    std::error_code ignored;
    if (std::filesystem::exists(below, ignored)) {
      file = below.string();
    }
  }
}

/// A subgraph whose entities get the prefix, "camera." for those of "camera".
std::string subgraph(const std::string& prefix, const std::string& file) {
  const auto in_quotes = [](const std::string& text) { return TextOf(text); };
  return "name: " + in_quotes(prefix.substr(0, prefix.size() - 1)) +
         "\ncomponents:\n- type: nvidia::gxf::Subgraph\n  parameters:\n    location: " +
         in_quotes(file) + "\n";
}

}  // namespace
}  // namespace nvidia::gxf::layer

using namespace nvidia::gxf;  // NOLINT(google-build-using-namespace)

// --- contexts

gxf_result_t GxfContextCreate(gxf_context_t* context) {
  if (context == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::guarded([&] {
    *context = layer::Context::make_for_program().get();
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfContextDestroy(gxf_context_t context) {
  return layer::guarded([&] {
    const std::shared_ptr<layer::Context> known = layer::find_context(context, "GxfContextDestroy");
    if (known == nullptr) {
      return GXF_CONTEXT_INVALID;
    }
    if (known->program() == nullptr) {
      return layer::not_implemented("the context belongs to the run of the application",
                                    "GxfContextDestroy");
    }
    gxf_result_t code = GXF_SUCCESS;
    if (!known->program()->close(code)) {
      return code;
    }
    return layer::Context::close(known) ? code : GXF_CONTEXT_INVALID;
  });
}

// --- extensions

gxf_result_t GxfLoadExtensions(gxf_context_t context, const GxfLoadExtensionsInfo* info) {
  return layer::with_program(context, [&](layer::Program& program) {
    if (info == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    std::vector<std::string> files;
    std::vector<std::string> manifests;
    gxf_result_t code =
        layer::to_strings(info->extension_filenames, info->extension_filenames_count, files);
    if (code == GXF_SUCCESS) {
      code = layer::to_strings(info->manifest_filenames, info->manifest_filenames_count, manifests);
    }
    if (code != GXF_SUCCESS) {
      return code;
    }
    if (info->base_directory != nullptr && *info->base_directory != '\0') {
      layer::put_below(info->base_directory, files);
      layer::put_below(info->base_directory, manifests);
    }
    return program.load_extensions(files, manifests);
  });
}

// --- graphs

gxf_result_t GxfGraphLoadFile(gxf_context_t context, const char* filename, const char* overrides[],
                              uint32_t override_count) {
  return layer::with_program(context, [&](layer::Program& program) {
    if (filename == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    std::vector<std::string> settings;
    const gxf_result_t code = layer::to_strings(overrides, override_count, settings);
    return code == GXF_SUCCESS
               ? program.load_file(filename, std::move(settings), "GxfGraphLoadFile")
               : code;
  });
}

gxf_result_t GxfGraphLoadFileExtended(gxf_context_t context, const char* filename,
                                      const char* prefix, const char* overrides[],
                                      uint32_t override_count, gxf_uid_t parent,
                                      void* prerequisites) {
  if (prefix == nullptr || *prefix == '\0') {
    return GxfGraphLoadFile(context, filename, overrides, override_count);
  }
  return layer::with_program(context, [&](layer::Program& program) {
    if (filename == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    const std::string begin = prefix;
    if (parent > kNullUid || prerequisites != nullptr || begin.size() < 2 || begin.back() != '.') {
      return layer::not_implemented(
          "a file is loaded with a prefix that ends with '.', without parent and prerequisites",
          "GxfGraphLoadFileExtended");
    }
    std::vector<std::string> settings;
    const gxf_result_t code = layer::to_strings(overrides, override_count, settings);
    return code == GXF_SUCCESS ? program.load_text(layer::subgraph(begin, filename),
                                                   std::move(settings), "GxfGraphLoadFileExtended")
                               : code;
  });
}

gxf_result_t GxfGraphParseString(gxf_context_t context, const char* text, const char* overrides[],
                                 uint32_t override_count) {
  return layer::with_program(context, [&](layer::Program& program) {
    if (text == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    std::vector<std::string> settings;
    const gxf_result_t code = layer::to_strings(overrides, override_count, settings);
    return code == GXF_SUCCESS ? program.load_text(text, std::move(settings), "GxfGraphParseString")
                               : code;
  });
}

gxf_result_t GxfGraphSetRootPath(gxf_context_t context, const char* path) {
  return layer::with_program(context, [&](layer::Program& program) {
    return path == nullptr ? GXF_ARGUMENT_NULL : program.set_root(path);
  });
}

gxf_result_t GxfGraphActivate(gxf_context_t context) {
  return layer::with_program(context, [](layer::Program& program) { return program.activate(); });
}

gxf_result_t GxfGraphDeactivate(gxf_context_t context) {
  return layer::with_program(context, [](layer::Program& program) { return program.deactivate(); });
}

gxf_result_t GxfGraphRunAsync(gxf_context_t context) {
  return layer::with_program(
      context, [](layer::Program& program) { return program.run_async("GxfGraphRunAsync"); });
}

gxf_result_t GxfGraphWait(gxf_context_t context) {
  return layer::with_program(context, [](layer::Program& program) { return program.wait(); });
}

gxf_result_t GxfGraphRun(gxf_context_t context) {
  return layer::with_program(context, [](layer::Program& program) {
    const gxf_result_t code = program.run_async("GxfGraphRun");
    return code == GXF_SUCCESS ? program.wait() : code;
  });
}

gxf_result_t GxfGraphInterrupt(gxf_context_t context) {
  return layer::with(context, [](layer::Context& known) {
    if (known.program() != nullptr) {
      return known.program()->interrupt();
    }
    known.engine().interrupt();
    return GXF_SUCCESS;
  });
}
