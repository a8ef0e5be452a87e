// The daemon of iceoryx with little memory, for shared_memory.py: pieces up to the size that it is
// started with. Ends by a signal.

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <iceoryx_posh/iceoryx_posh_config.hpp>
#include <iceoryx_posh/roudi/cmd_line_args.hpp>
#include <iceoryx_posh/roudi/iceoryx_roudi_app.hpp>

int main(int argc, char** argv) {
  std::uint32_t largest = 0;
  if (argc != 2 ||
      std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), largest).ec != std::errc()) {
    std::fprintf(stderr, "usage: test_roudi BYTES_OF_THE_LARGEST_PIECES\n");
    return 2;
  }
  constexpr std::uint32_t kSmall = 1024;
  constexpr std::uint32_t kCount = 24;
  iox::mepoo::MePooConfig pools;
  pools.addMemPool({kSmall, kCount});
  pools.addMemPool({largest, kCount});
  iox::RouDiConfig_t config;
  const auto group = iox::posix::PosixGroup::getGroupOfCurrentProcess().getName();
  config.m_sharedMemorySegments.push_back({group, group, pools});
  iox::roudi::IceOryxRouDiApp daemon(iox::config::CmdLineArgs_t{}, config);
  return daemon.run();
}
