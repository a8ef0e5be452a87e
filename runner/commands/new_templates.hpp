#pragma once

#include <span>
#include <string_view>

namespace gxr::commands {

/// A file of a new folder. In path and text, @name@ stands for the name, @Name@ for the class made
/// from it, and @version@ for the version of gxr.
struct TemplateFile {
  std::string_view path;
  std::string_view text;
  bool executable = false;
};

/// An extension with one codelet, an application that uses it, and a test.
std::span<const TemplateFile> extension_template();
/// The same with an operator for GPUs, and a test that compares its kernel with the host.
std::span<const TemplateFile> gpu_operator_template();
/// An application of installed types, and a test.
std::span<const TemplateFile> application_template();

}  // namespace gxr::commands
