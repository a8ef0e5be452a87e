// GXF's test components under this project's names and GXF's, with GXF's ids.

#include <string>
#include <string_view>

#include "async_ping.hpp"
#include "configuration_set.hpp"
#include "gxf_configuration_set.hpp"
#include "gxf_metric_logger.hpp"
#include "gxf_parameter_checks.hpp"
#include "gxr/gxr.hpp"
#include "metric_logger.hpp"
#include "mock_allocator.hpp"
#include "mock_codelet.hpp"
#include "mock_queues.hpp"
#include "numbers.hpp"
#include "observers.hpp"
#include "parameter_checks.hpp"
#include "ping_rx.hpp"
#include "printing.hpp"
#include "serialization_tester.hpp"
#include "step_count.hpp"
#include "tensor_comparator.hpp"
#include "tensor_generator.hpp"
#include "tensor_strides.hpp"
#include "terms.hpp"
#include "timestamps.hpp"

namespace {

using namespace gxr;
using namespace gxr::testing;

template <class T, class Base = void>
void add(Extension& extension, TypeId id, std::string_view headline) {
  constexpr std::string_view own = "gxr::testing::";
  extension.add<T, Base>(headline)
      .alias("nvidia::gxf::test::" + std::string(type_name<T>().substr(own.size())))
      .id(id.hash1, id.hash2);
}

/// A type that has GXF's parameters, beside one of this project with others and the same last name.
template <class T>
void add_gxf(Extension& extension, TypeId id, std::string_view headline) {
  constexpr std::string_view own = "gxr::testing::gxf::";
  extension.add<T>(headline)
      .alias("nvidia::gxf::test::" + std::string(type_name<T>().substr(own.size())))
      .id(id.hash1, id.hash2);
}

void add_mocks(Extension& e) {
  add<MockReceiver>(e, {0xe9c70ddbf2235546, 0xbb7b118048380c21},
                    "A receiver of one stage that complains about messages left over");
  add<MockTransmitter>(e, {0x9fa09605848581ab, 0x92c23096508cc4a1},
                       "A transmitter of one stage that complains about messages left over");
  add<MockAllocator>(e, {0x93585693d816b6c5, 0xcb06ba6ec534dfd4},
                     "An allocator with limits that complains about leaks");
  add<MockCodelet>(
      e, {0x01401bae1cf64e91, 0xadd00c88b988b04c},
      "Publishes messages, or takes or passes on those of another MockCodelet, and takes its "
      "time");
  add<MockFailure>(e, {0x263ba11abf9d11ed, 0xa3ed8f40163997e9}, "Fails after some ticks");
}

void add_codelets(Extension& e) {
  add<StepCount>(e, {0xc076cb7155ca4687, 0x8c84c789818f5cf7},
                 "Fails the run unless it ticked as often as expected");
  add<StepRangeCount>(e, {0x947e3c3d122142d5, 0x92f1fe6c7fd95a8a},
                      "Fails the run unless its ticks lie in a range");
  add<ScheduledPingTx>(e, {0x8b2e8b0f02364d5f, 0x3e572048949a43ef},
                       "Publishes messages at times that it sets itself");
  add<AsyncPingTx>(e, {0x1c211f155e5a4efc, 0x8daa19f351d19ad6},
                   "Publishes messages at events from another thread");
  add<AsyncPingRx>(e, {0xa4f26a81a7dc4cdb, 0x8ad9c638c2de48f8},
                   "Takes messages at events from another thread");
  add<PingPollRx>(e, {0x64866edc725b11eb, 0x9dfa37dfe2305968},
                  "Takes messages when there are some and checks their number");
  add<testing::PingBatchRx>(e, {0x85058d3a553911eb, 0xbe0b873d2618d774},
                            "Takes a batch of messages per tick");
  add<Generator>(e, {0xebe83f933e8e4c09, 0x8c124ab7390ac565},
                 "Publishes integers and Fibonacci numbers, the same every tick");
  add<Pop>(e, {0x6019517f60844d1b, 0x9eff178d6891e9e8}, "Takes and drops messages");
  add<Print>(e, {0x15ac607f553942e0, 0xb1f09b841e1f9ecd}, "Logs the parts of messages");
  add<PrintTensor>(e, {0xc73d835ebf5b4a54, 0x9cd5370e1256b650}, "Logs the tensors of messages");
  add<ArbitraryPrecisionFactorial>(e, {0x2ca901d00d384a06, 0x951edc0d655ac5a6},
                                   "Publishes all digits of a factorial");
  add<IntegerSinSum>(e, {0x2ed6049cc6ad4d89, 0x8e28078be6776adf}, "Publishes a sum of sines");
  add<TensorGenerator>(e, {0xd2abde61ff76ea8b, 0xfdc74e01d70259af}, "Publishes random tensors");
  add<TensorComparator>(e, {0xe99f8fe0c7ab9674, 0xc4ef5778874b7c3f},
                        "Fails when tensors or timestamps of two messages differ");
  add<SerializationTester>(e, {0xdb9f4ca3f121471b, 0xb0a0d49b89a0dc19},
                           "Serialises messages into memory and reads them back");
  add<TestTensorStrides>(e, {0x92002082602311eb, 0xaeea03cedbfc916f}, "Checks strides of tensors");
  add<TestTimestampTx>(e, {0x4f7b92fcfb4d1096, 0xeebf2cf958e74c45},
                       "Publishes messages with timestamps at a pace of its own");
  add<TestTimestampRx>(e, {0xa0204781cabf69d7, 0x56153ac8398984ca},
                       "Checks how far the timestamps of messages lie apart");
  e.add<TestMetricLogger>("Records numbers in metrics and logs the result");
  add_gxf<testing::gxf::TestMetricLogger>(e, {0x557d64785a864052, 0xa2acf94edb0341ca},
                                          "Records 100 numbers in nine metrics and checks them");
  e.add<TestConfigurationSet>("Logs parameters that change while the application runs");
  add_gxf<testing::gxf::TestConfigurationSet>(
      e, {0x85ed3ce306114314, 0x94dfda4f507f75a0},
      "Logs GXF's parameters that change while the application runs");
  add<TestLogger>(e, {0x121178a5ee024251, 0xb2d30663306bf3c3}, "Logs a line of every level");
}

void add_others(Extension& e) {
  add<EntityMonitor, Monitor>(e, {0xd3f52056b8a0974d, 0xf8d3c321bdf247ee},
                              "Logs every execution of an entity");
  add<PeriodicSchedulingTermWithDelay>(e, {0xbb138e69066aba28, 0xd392c98a9b0849b4},
                                       "READY once per period, at most 99 ns late");
  add<WaitSchedulingTerm>(e, {0xa055fbf8758811ed, 0xa423331e2d38b116}, "Never READY");
  add<Frame>(e, {0xcd944caff32f46cc, 0xa8a744977a4805a6}, "A component that handles can name");
}

void add_parameter_checks(Extension& e) {
  e.add<LoadParameterFromYamlTest>("Checks parameters that are scalars");
  e.add<RegisterParameterInterfaceTest>("Checks defaults, ranges and choices of parameters");
  e.add<VectorParameterTest>("Checks parameters that are lists");
  e.add<FixedVectorParameterTest>("Checks parameters that are lists of bounded length");
  e.add<StdParameterTest>("Checks parameters that are arrays, pairs, maps and complex numbers");
  e.add<TestHandleParameter>("Checks parameters that are handles");
  e.add<TestGxfParameterSetFromYamlNode>("Checks parameters that are any YAML");
}

void add_gxf_parameter_checks(Extension& e) {
  add_gxf<testing::gxf::LoadParameterFromYamlTest>(e, {0x77d3cb561ddb4656, 0x828a3955ad78fb27},
                                                   "Fails unless its parameters have GXF's values");
  add_gxf<testing::gxf::RegisterParameterInterfaceTest>(e, {0xe9234c1ad5f8445c, 0xae9118bcda197032},
                                                        "Has optional parameters and defaults");
  add_gxf<testing::gxf::VectorParameterTest>(e, {0xb6c6697a3b2d79fa, 0x0bb8c8d6ad0f92ac},
                                             "Has parameters that are lists");
  add_gxf<testing::gxf::FixedVectorParameterTest>(
      e, {0xf6a9bda17a0d1642, 0xc2d06c87c645218f},
      "Fails unless its parameter is the list of the numbers from 0 to 15");
  add_gxf<testing::gxf::StdParameterTest>(
      e, {0x405d8e062d3f45f1, 0x84c492ac9ef3c67c},
      "Has parameters that are arrays, pairs, maps and complex numbers");
  add_gxf<testing::gxf::TestHandleParameter>(e, {0x92f49e50aded48a8, 0x8b97a274e227875f},
                                             "Fails unless its handle is the right allocator");
  add_gxf<testing::gxf::TestGxfParameterSetFromYamlNode>(
      e, {0xfa56c02660824b44, 0x9fc75efd1e1d6a13}, "Has a parameter of each type");
}

}  // namespace

extern "C" void gxr_extension(gxr::Extension& extension) {
  add_mocks(extension);
  add_codelets(extension);
  add_others(extension);
  add_parameter_checks(extension);
  add_gxf_parameter_checks(extension);
}
