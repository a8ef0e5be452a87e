#include "commands/new_templates.hpp"

#include "commands/template_texts.hpp"  // made from commands/templates by CMake

namespace gxr::commands {
namespace {

constexpr TemplateFile kExtensionFiles[] = {
    {"CMakeLists.txt", templates::extension_CMakeLists_txt},
    {"@name@.cpp", templates::extension_operator_cpp},
    {"@name@.yaml", templates::extension_application_yaml},
    {"tests/@name@.test", templates::extension_transcript_test},
    {"README.md", templates::extension_README_md},
    {".ci/run", templates::repository_ci_run, true},
    {".gitignore", templates::repository_gitignore},
};

constexpr TemplateFile kGpuOperatorFiles[] = {
    {"CMakeLists.txt", templates::gpu_operator_CMakeLists_txt},
    {"@name@.cpp", templates::gpu_operator_operator_cpp},
    {"@name@_kernels.cu", templates::gpu_operator_kernels_cu},
    {"@name@_kernels.hpp", templates::gpu_operator_kernels_hpp},
    {"@name@_kernels_test.cpp", templates::gpu_operator_kernels_test_cpp},
    {"@name@.yaml", templates::extension_application_yaml},
    {"tests/@name@.test", templates::gpu_operator_transcript_test},
    {"tests/on_gpu.test", templates::gpu_operator_on_gpu_test},
    {"README.md", templates::gpu_operator_README_md},
    {".ci/run", templates::repository_ci_run, true},
    {".gitignore", templates::repository_gitignore},
};

constexpr TemplateFile kApplicationFiles[] = {
    {"CMakeLists.txt", templates::app_CMakeLists_txt},
    {"@name@.yaml", templates::app_application_yaml},
    {"tests/@name@.test", templates::app_transcript_test},
    {"README.md", templates::app_README_md},
    {".ci/run", templates::repository_ci_run, true},
    {".gitignore", templates::repository_gitignore},
};

}  // namespace

std::span<const TemplateFile> extension_template() { return kExtensionFiles; }

std::span<const TemplateFile> gpu_operator_template() { return kGpuOperatorFiles; }

std::span<const TemplateFile> application_template() { return kApplicationFiles; }

}  // namespace gxr::commands
