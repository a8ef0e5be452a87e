#pragma once

#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

// What GXF's files may refer to although this version has no network: types for handles, which
// extensions may derive from.

/// Answers questions about, and takes orders for, a running application from outside.
class GXR_API IPCServer : public Component {
 public:
  ~IPCServer() override;
};

/// Asks an IPCServer of another application.
class GXR_API IPCClient : public Component {
 public:
  ~IPCClient() override;
};

/// Carries messages between applications on behalf of network queues.
class GXR_API NetworkContext : public Component {
 public:
  ~NetworkContext() override;
};

}  // namespace gxr
