#pragma once

#include <memory>

#include "dds/cyclone/entity.hpp"
#include "dds/transport.hpp"

namespace gxr::dds {

/// As those of Participation. `participant` must outlive the result. `shares_memory`: with others
/// on this machine, where the type and the qualities allow that.
[[nodiscard]] std::unique_ptr<Reader> make_reader(dds_entity_t participant, bool shares_memory,
                                                  const EndpointOptions& options,
                                                  ReaderListener& listener);
[[nodiscard]] std::unique_ptr<Writer> make_writer(dds_entity_t participant, bool shares_memory,
                                                  const EndpointOptions& options,
                                                  WriterListener& listener);

}  // namespace gxr::dds
