#pragma once

#include "gxr/error.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// receiver.sync(), whose errors name the receiver.
inline void sync_receiver(Receiver& receiver) {
  try {
    receiver.sync();
  } catch (const Error& error) {
    throw Error(error.code(), "receiver '" + receiver.full_name() + "': " + error.message());
  }
}

}  // namespace gxr
