// Codelets to try schedulers and queues with; GXF has the same.

#include "async_ping.hpp"
#include "gxr/gxr.hpp"
#include "hello_world.hpp"
#include "multi_ping_rx.hpp"
#include "ping_batch_rx.hpp"
#include "ping_rx.hpp"
#include "ping_tx.hpp"

extern "C" void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::sample;
  extension.add<HelloWorld>("Says hello in start, tick and stop")
      .alias("nvidia::gxf::HelloWorld")
      .id(0x3d1e58fc74fa11ed, 0xa7eef7e728cd4c11);
  extension.add<PingTx>("Publishes one empty message per tick")
      .alias("nvidia::gxf::PingTx")
      .id(0x568ba758168811ec, 0x96210242ac130002);
  extension.add<PingRx>("Takes one message per tick")
      .alias("nvidia::gxf::PingRx")
      .id(0xa7fc439a168811ec, 0x96210242ac130002);
  extension.add<PingBatchRx>("Takes a batch of messages per tick")
      .alias("nvidia::gxf::PingBatchRx")
      .id(0x75acc5caeaaa11ed, 0xa05b0242ac120003);
  extension.add<PingTxAsync>("Publishes a running number per tick and rests")
      .alias("nvidia::gxf::PingTxAsync")
      .id(0x986417b44f1546b3, 0xbb2426382858d1db);
  extension.add<PingRxAsync>("Checks the numbers of a PingTxAsync and rests")
      .alias("nvidia::gxf::PingRxAsync")
      .id(0x7720a88e28f84a84, 0xb6d08c39e8014ef4);
  extension
      .add<MultiPingRx>("Takes one message per tick from each of several receivers that has one")
      .alias("nvidia::gxf::MultiPingRx")
      .id(0xd7a53484a1a711ed, 0xb686138d2bc637ee);
}
