#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "gxr/open_file.hpp"
#include "packets/udp_address.hpp"

namespace gxr::cuda {

/// A socket of UDP that receives from one port, or sends to one.
class UdpSocket {
 public:
  struct Options {
    std::string interface;               ///< name of a network interface, for multicast; empty: any
    std::uint64_t buffer_bytes = 0;      ///< of the kernel; 0: its own choice
    std::uint32_t hops = 1;              ///< how far multicast goes
    std::chrono::microseconds pause{0};  ///< longest wait of a call that receives or sends
  };

  /// One that receives what is sent to `address`: one of this machine, or a multicast group, which
  /// it joins. Throws Error: InvalidParameter for an unknown interface, InputOutput.
  static UdpSocket receiver(const UdpAddress& address, const Options& options);
  /// One that sends to `address`.
  static UdpSocket sender(const UdpAddress& address, const Options& options);

  [[nodiscard]] int descriptor() const noexcept { return file_.descriptor(); }
  /// Where it receives: the port, if 0 was asked for.
  [[nodiscard]] UdpAddress local_address() const;
  /// Datagrams that the kernel discarded because the socket's buffer was full.
  [[nodiscard]] std::uint64_t kernel_drops() const noexcept;
  /// Bytes of the kernel's buffer, as the kernel counts, for what is received or sent.
  [[nodiscard]] std::uint64_t buffer_bytes(bool receives) const noexcept;
  /// Calls that wait return at once, now and later. Any thread.
  void wake() const noexcept;

 private:
  UdpSocket(const UdpAddress& address, const Options& options, bool receives);
  template <class T>
  void set(int level, int option, const T& value, const std::string& what) const;
  void set_buffer(std::uint64_t bytes, bool receives) const;
  void join(const UdpAddress& group, unsigned interface) const;
  void send_from(const UdpAddress& group, unsigned interface, std::uint32_t hops) const;

  OpenFile file_;
};

}  // namespace gxr::cuda
