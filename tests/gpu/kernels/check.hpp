#pragma once

#include "catch.hpp"
#include "device_image.hpp"

/// Runs a kernel on the host and on the device and compares.

namespace gxr::kernels::testing {

/// host(in view, out view) and device(in view, out view, stream), for all shapes; the pictures have
/// in_channels and out_channels. `difference(device image, wanted)` compares.
template <class In, class Out, class Host, class Device, class Difference>
void check_transform(std::int64_t in_channels, std::int64_t out_channels, Host host, Device device,
                     Difference difference) {
  const TestStream stream;
  for_each_shape([&](Size size, const Layout& in_layout, const Layout& out_layout) {
    Image<In> in = random_image<In>(size.width, size.height, in_channels);
    Image<Out> wanted(size.width, size.height, out_channels);
    host(in.view(), wanted.view());
    DeviceImage<In> device_in(in, in_layout);
    DeviceImage<Out> device_out(size.width, size.height, out_channels, out_layout);
    device(device_in.view(), device_out.view(), stream);
    INFO(text_of(size) << ", channels " << in_channels << " to " << out_channels << ", in "
                       << text_of(in_layout) << ", out " << text_of(out_layout));
    CHECK(difference(device_out, wanted) == "");
  });
}

template <class In, class Out, class Host, class Device>
void check_transform(std::int64_t in_channels, std::int64_t out_channels, Host host,
                     Device device) {
  check_transform<In, Out>(in_channels, out_channels, host, device,
                           [](auto& found, auto& wanted) { return found.difference(wanted); });
}

/// device(view, view, stream) with the same picture as input and output.
template <class T, class Host, class Device>
void check_in_place(std::int64_t channels, Host host, Device device) {
  const TestStream stream;
  for_each_shape([&](Size size, const Layout& layout, const Layout& other) {
    if (layout != other) {
      return;
    }
    Image<T> in = random_image<T>(size.width, size.height, channels);
    Image<T> wanted(size.width, size.height, channels);
    host(in.view(), wanted.view());
    DeviceImage<T> image(in, layout);
    device(image.view(), image.view(), stream);
    INFO(text_of(size) << ", in place, " << text_of(layout));
    CHECK(image.difference_beyond(wanted, 1e-6) == "");
  });
}

/// host(view) and device(view, stream) that draw RGB pictures.
template <class T, class Host, class Device, class Difference>
void check_drawing(Host host, Device device, Difference difference) {
  const TestStream stream;
  for_each_shape([&](Size size, const Layout&, const Layout& layout) {
    Image<T> wanted(size.width, size.height, 3);
    host(wanted.view());
    DeviceImage<T> drawn(size.width, size.height, 3, layout);
    device(drawn.view(), stream);
    INFO(text_of(size) << ", " << text_of(layout));
    CHECK(difference(drawn, wanted) == "");
  });
}

template <class T, class Host, class Device>
void check_drawing(Host host, Device device) {
  check_drawing<T>(host, device,
                   [](auto& found, auto& wanted) { return found.difference(wanted); });
}

}  // namespace gxr::kernels::testing
