#pragma once

#include <cstdint>
#include <string>

#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include "dds/message_type.hpp"
#include "dds/sample_bytes.hpp"

namespace gxr::dds {

/// A sample within Cyclone DDS: its bytes, as they are sent. Nothing is decoded here.
struct StoredSample : ddsi_serdata {
  SharedBytes bytes;         ///< null for a sample that only says that its writer is gone
  std::uint64_t number = 0;  ///< see Received
  std::string flaw;          ///< why it is no sample of its type; empty: nothing found
  bool is_own = false;       ///< a writer of this process keeps the bytes
  bool was_shared = false;   ///< it came in shared memory
};

/// For dds_create_topic_sertype(), which takes the reference over. A type without keys, whose
/// samples are StoredSamples. `may_share`: they may go through shared memory.
[[nodiscard]] ddsi_sertype* make_sample_type(const Description& description, bool may_share);

/// A sample to be written, with one reference.
[[nodiscard]] StoredSample* make_stored_sample(const ddsi_sertype& type, SharedBytes bytes);

}  // namespace gxr::dds
