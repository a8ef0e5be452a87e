#pragma once

#include <array>
#include <complex>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/fixed_string.hpp"
#include "common/fixed_vector.hpp"
#include "custom_types.hpp"
#include "gauge.hpp"
#include "gxf/core/filepath.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/core/parameter.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/clock.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/parameter_parser_std.hpp"
#include "gxf/std/scheduling_terms.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace params {

// Has a parameter of every kind, and shows the values. `expected` lists what is shown.
class ParameterShow : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 protected:
  // Whether there are parameters for tuning.
  virtual bool tunable() const { return false; }

  void show(const char* key, const std::string& value);

 private:
  template <typename T>
  using Parameter = nvidia::gxf::Parameter<T>;
  template <typename T>
  using Handle = nvidia::gxf::Handle<T>;

  void showNumbers();
  void showLists();
  void showOwnTypes();
  void showHandles();
  void showOptional();

  // Numbers and texts, in all forms of registration.
  Parameter<bool> flag_;
  Parameter<int32_t> count_;
  Parameter<uint32_t> index_;
  Parameter<int64_t> ticks_;
  Parameter<uint64_t> bytes_;
  Parameter<size_t> limit_;
  Parameter<uint8_t> level_;
  Parameter<int16_t> short_;
  Parameter<float> gain_;
  Parameter<double> ratio_;
  Parameter<std::string> text_;
  Parameter<nvidia::gxf::FilePath> file_;
  Parameter<nvidia::FixedString<16>> label_;
  Parameter<std::complex<double>> complex_;

  // Lists.
  Parameter<std::vector<int>> integers_;
  Parameter<std::vector<int16_t>> shorts_;
  Parameter<std::vector<float>> floats_;
  Parameter<std::vector<double>> doubles_;
  Parameter<std::vector<std::string>> names_;
  Parameter<std::vector<std::vector<float>>> grid_;
  Parameter<std::array<int32_t, 3>> triple_;
  Parameter<nvidia::FixedVector<int32_t, 4>> few_;
  Parameter<std::map<std::string, std::vector<std::string>>> groups_;
  Parameter<std::unordered_map<std::string, int32_t>> sizes_;

  // Own types, and YAML as it is.
  Parameter<Quality> quality_;
  Parameter<Interval> interval_;
  Parameter<Couple<std::string, std::vector<int32_t>>> couple_;
  Parameter<YAML::Node> node_;
  Parameter<nvidia::gxf::MemoryStorageType> storage_;

  // Handles.
  Parameter<Handle<nvidia::gxf::Clock>> clock_;
  Parameter<Handle<nvidia::gxf::BooleanSchedulingTerm>> term_;
  Parameter<Handle<Gauge>> gauge_;
  Parameter<std::vector<Handle<nvidia::gxf::Transmitter>>> outputs_;
  Parameter<nvidia::FixedVector<Handle<Gauge>, kMaxComponents>> gauges_;

  // Optional and dynamic ones.
  Parameter<float> optional_;
  Parameter<int64_t> optional_default_;
  Parameter<std::string> unset_;
  Parameter<double> dynamic_;
  Parameter<int32_t> tuned_;
  Parameter<std::string> tuning_name_;

  Parameter<std::vector<std::string>> expected_;

  std::vector<std::string> shown_;
};

// The same with parameters for tuning.
class TunableParameterShow : public ParameterShow {
 protected:
  bool tunable() const override { return true; }
};

}  // namespace params
}  // namespace acme
