#pragma once

#include <string>
#include <string_view>

#include "observe/run_status.hpp"

namespace gxr {

/// The two forms that Prometheus and others read. The older one knows counters, gauges and
/// summaries, the newer one also units, information and sets of states.
enum class MetricsForm : std::uint8_t { OpenMetrics, PrometheusText };

/// The form that a client takes, by its header Accept: the older one only when it names it, and not
/// the newer one.
MetricsForm metrics_form(std::string_view accept) noexcept;
const char* content_type_of(MetricsForm form) noexcept;

/// The status as metrics. What is not known at the moment is left out.
std::string render_metrics(const ApplicationStatus& status, MetricsForm form);

}  // namespace gxr
