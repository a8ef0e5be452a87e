#include <string>

#include "build_facts.hpp"
#include "commands/commands.hpp"
#include "gxr/extension_descriptor.hpp"

namespace gxr::commands {

std::string version_text() {
  const std::string commit(kBuildCommit.empty() ? "unknown" : kBuildCommit);
  const std::string sanitizers =
      kBuildSanitizers.empty() ? "" : ", sanitizers " + std::string(kBuildSanitizers);
  const std::string cuda =
      kBuildCuda.empty() ? "built without CUDA" : "CUDA " + std::string(kBuildCuda);
  return "gxr " GXR_VERSION "\ncommit " + commit + ", " + std::string(kBuildType) + " build" +
         sanitizers + "\nSDK fingerprint " + std::string(kSdkFingerprint) + "\n" + cuda +
         (kBuildHasMpi ? "\nbuilt with MPI" : "\nbuilt without MPI");
}

}  // namespace gxr::commands
