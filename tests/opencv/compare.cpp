// Compares kernels with OpenCV's functions: results within a tolerance, and with --times how long
// both take with one thread.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "gxr/kernels/areas.hpp"
#include "gxr/kernels/lens.hpp"
#include "gxr/kernels/luma.hpp"
#include "gxr/kernels/orient.hpp"
#include "gxr/kernels/remap.hpp"
#include "gxr/kernels/subtract.hpp"
#include "gxr/kernels/threshold.hpp"
#include "gxr/kernels/yuv.hpp"

namespace {

using namespace gxr::kernels;

constexpr int kWidth = 1920;
constexpr int kHeight = 1080;

template <class T>
constexpr int kDepth = std::is_same_v<T, std::uint8_t>    ? CV_8U
                       : std::is_same_v<T, std::uint16_t> ? CV_16U
                                                          : CV_32F;

template <class T>
cv::Mat random_picture(int channels) {
  cv::Mat picture(kHeight, kWidth, CV_MAKETYPE(kDepth<T>, channels));
  cv::RNG random(7);
  random.fill(picture, cv::RNG::UNIFORM, 0.0, static_cast<double>(full_scale<T>()));
  // Smooth, as photographs are: interpolation of noise says little.
  cv::GaussianBlur(picture, picture, {0, 0}, 2.0);
  return picture;
}

template <class T>
ImageView<T> view_of(cv::Mat& picture) {
  return {picture.ptr<T>(), picture.cols, picture.rows, picture.channels(),
          static_cast<std::ptrdiff_t>(picture.step[0])};
}

struct Comparison {
  std::string name;
  double tolerance;  ///< the largest difference, in parts of full scale
  std::function<void(cv::Mat& in, cv::Mat& out)> ours;
  std::function<void(cv::Mat& in, cv::Mat& out)> theirs;
  double full_scale = 255;
};

double seconds_of(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 15; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

bool compare(const Comparison& comparison, cv::Mat in, bool times) {
  cv::Mat wanted;
  comparison.theirs(in, wanted);
  cv::Mat found(wanted.size(), wanted.type());
  comparison.ours(in, found);
  const double difference = cv::norm(found, wanted, cv::NORM_INF) / comparison.full_scale;
  const bool same = difference <= comparison.tolerance;
  std::printf("%-44s difference %.6f (at most %.6f)%s", comparison.name.c_str(), difference,
              comparison.tolerance, same ? "" : "  WRONG");
  if (times) {
    const double ours = seconds_of([&] { comparison.ours(in, found); });
    const double theirs = seconds_of([&] { comparison.theirs(in, wanted); });
    std::printf("  %.2f ms, OpenCV %.2f ms, speed %.2f", ours * 1e3, theirs * 1e3, theirs / ours);
  }
  std::printf("\n");
  return same;
}

template <class T>
std::string label(const char* what, int channels) {
  const char* const type = std::is_same_v<T, std::uint8_t>    ? "uint8"
                           : std::is_same_v<T, std::uint16_t> ? "uint16"
                                                              : "float32";
  return std::string(what) + ", " + type + " x " + std::to_string(channels);
}

template <class T>
bool compare_orientations(bool times) {
  struct Turn {
    const char* name;
    Orientation orientation;
    std::function<void(const cv::Mat&, cv::Mat&)> theirs;
  };
  const Turn turns[] = {
      {"mirrored", Orientation::kMirrored, [](auto& in, auto& out) { cv::flip(in, out, 1); }},
      {"flipped", Orientation::kFlipped, [](auto& in, auto& out) { cv::flip(in, out, 0); }},
      {"half turn", Orientation::kHalfTurn,
       [](auto& in, auto& out) { cv::rotate(in, out, cv::ROTATE_180); }},
      {"transposed", Orientation::kTransposed, [](auto& in, auto& out) { cv::transpose(in, out); }},
      {"turned right", Orientation::kTurnedRight,
       [](auto& in, auto& out) { cv::rotate(in, out, cv::ROTATE_90_CLOCKWISE); }},
      {"turned left", Orientation::kTurnedLeft,
       [](auto& in, auto& out) { cv::rotate(in, out, cv::ROTATE_90_COUNTERCLOCKWISE); }}};
  bool same = true;
  for (const Turn& turn : turns) {
    for (const int channels : {1, 3, 4}) {
      same &= compare({label<T>(turn.name, channels), 0,
                       [&](cv::Mat& in, cv::Mat& out) {
                         orient<T>(view_of<T>(in), view_of<T>(out), turn.orientation);
                       },
                       [&](cv::Mat& in, cv::Mat& out) { turn.theirs(in, out); }},
                      random_picture<T>(channels), times);
    }
  }
  return same;
}

template <class T>
bool compare_values(bool times) {
  const double scale = static_cast<double>(full_scale<T>());
  const T level = static_cast<T>(scale / 2);
  bool same = compare(
      {label<T>("threshold", 1), 0,
       [&](cv::Mat& in, cv::Mat& out) {
         threshold<T>(view_of<T>(in), view_of<T>(out), {level, static_cast<T>(scale), T{0}});
       },
       [&](cv::Mat& in, cv::Mat& out) {
         cv::threshold(in, out, static_cast<double>(level), scale, cv::THRESH_BINARY);
       }},
      random_picture<T>(1), times);
  cv::Mat other = random_picture<T>(3);
  cv::flip(other, other, 1);
  same &= compare({label<T>("difference", 3), 0,
                   [&](cv::Mat& in, cv::Mat& out) {
                     subtract_absolute<T>(view_of<T>(in), view_of<T>(other), view_of<T>(out));
                   },
                   [&](cv::Mat& in, cv::Mat& out) { cv::absdiff(in, other, out); }},
                  random_picture<T>(3), times);
  // OpenCV knows the weights of BT.601 alone, and has fewer bits of them.
  same &=
      compare({label<T>("grey, BT.601", 3), 1.01 / scale + 1e-6,
               [](cv::Mat& in, cv::Mat& out) {
                 luma<T>(view_of<T>(in), view_of<T>(out), LumaStandard::kBt601);
               },
               [](cv::Mat& in, cv::Mat& out) { cv::cvtColor(in, out, cv::COLOR_RGB2GRAY); }, scale},
              random_picture<T>(3), times);
  return same;
}

template <class T>
bool compare_undistort(int channels, bool times) {
  const LensModel lens{.focal_x = 1400,
                       .focal_y = 1390,
                       .center_x = 950.5,
                       .center_y = 545.25,
                       .k1 = -0.28,
                       .k2 = 0.09,
                       .p1 = 0.0012,
                       .p2 = -0.0008,
                       .k3 = -0.01};
  const cv::Mat matrix = (cv::Mat_<double>(3, 3) << lens.focal_x, 0, lens.center_x, 0, lens.focal_y,
                          lens.center_y, 0, 0, 1);
  const cv::Mat distortion =
      (cv::Mat_<double>(1, 5) << lens.k1, lens.k2, lens.p1, lens.p2, lens.k3);
  const std::vector<PicturePlace> places = undistorted_places(lens, kWidth, kHeight);
  cv::Mat map1;
  cv::Mat map2;
  cv::initUndistortRectifyMap(matrix, distortion, {}, matrix, {kWidth, kHeight}, CV_16SC2, map1,
                              map2);
  const double scale = static_cast<double>(full_scale<T>());
  // OpenCV has places of 1/32 of a pixel.
  return compare({label<T>("undistorted", channels), 0.012,
                  [&](cv::Mat& in, cv::Mat& out) {
                    remap_bilinear<T>(view_of<T>(in), view_of<T>(out), places.data());
                  },
                  [&](cv::Mat& in, cv::Mat& out) {
                    cv::remap(in, out, map1, map2, cv::INTER_LINEAR, cv::BORDER_CONSTANT);
                  },
                  scale},
                 random_picture<T>(channels), times);
}

/// A picture of YUV in one matrix, as OpenCV has it: the differences below the brightness.
YuvView<std::uint8_t> yuv_view_of(cv::Mat& picture, YuvLayout layout) {
  std::uint8_t* const y = picture.data;
  if (layout == YuvLayout::kPacked) {
    return {y, y + 1, y + 3, kWidth, kHeight, 2 * kWidth, 2 * kWidth, layout, false};
  }
  std::uint8_t* const u = y + kWidth * kHeight;
  const bool pairs = layout == YuvLayout::kPairs;
  return {y,
          u,
          pairs ? u + 1 : u + kWidth * kHeight / 4,
          kWidth,
          kHeight,
          kWidth,
          pairs ? kWidth : kWidth / 2,
          layout,
          true};
}

cv::Mat random_yuv(YuvLayout layout) {
  return layout == YuvLayout::kPacked
             ? random_picture<std::uint8_t>(2)
             : cv::Mat(random_picture<std::uint8_t>(3))
                   .reshape(1, kHeight * 3)({0, 0, kWidth, kHeight * 3 / 2})
                   .clone();
}

constexpr YuvCoding kOpenCv{LumaStandard::kBt601, YuvRange::kLimited};

/// OpenCV knows BT.601 of limited range alone.
bool compare_yuv(bool times) {
  struct Read {
    const char* name;
    YuvLayout layout;
    int code;
    int type;
  };
  const Read reads[] = {
      {"NV12 to RGB", YuvLayout::kPairs, cv::COLOR_YUV2RGB_NV12, CV_8UC3},
      {"NV12 to RGBA", YuvLayout::kPairs, cv::COLOR_YUV2RGBA_NV12, CV_8UC4},
      {"I420 to RGB", YuvLayout::kPlanes, cv::COLOR_YUV2RGB_I420, CV_8UC3},
      {"YUY2 to RGB", YuvLayout::kPacked, cv::COLOR_YUV2RGB_YUY2, CV_8UC3},
  };
  bool same = true;
  for (const Read& read : reads) {
    same &= compare({read.name, 1.01 / 255,
                     [&](cv::Mat& in, cv::Mat& out) {
                       yuv_to_color(yuv_view_of(in, read.layout), view_of<std::uint8_t>(out),
                                    kOpenCv, ColorOrder::kRgb);
                     },
                     [&](cv::Mat& in, cv::Mat& out) { cv::cvtColor(in, out, read.code); }},
                    random_yuv(read.layout), times);
  }
  // OpenCV takes the differences of one pixel of four: a picture of squares has no others.
  cv::Mat squares = random_picture<std::uint8_t>(3);
  cv::resize(squares, squares, {kWidth / 2, kHeight / 2}, 0, 0, cv::INTER_NEAREST);
  cv::resize(squares, squares, {kWidth, kHeight}, 0, 0, cv::INTER_NEAREST);
  same &=
      compare({"RGB to I420", 1.01 / 255,
               [&](cv::Mat& in, cv::Mat& out) {
                 color_to_yuv(view_of<std::uint8_t>(in), yuv_view_of(out, YuvLayout::kPlanes),
                              kOpenCv, ColorOrder::kRgb);
               },
               [&](cv::Mat& in, cv::Mat& out) { cv::cvtColor(in, out, cv::COLOR_RGB2YUV_I420); }},
              squares, times);
  return same;
}

/// Areas of moving things in a picture: some hundred of them.
bool compare_areas(bool times) {
  cv::Mat mask = random_picture<std::uint8_t>(1);
  cv::GaussianBlur(mask, mask, {0, 0}, 8.0);
  cv::threshold(mask, mask, 130, 255, cv::THRESH_BINARY);
  std::vector<Area> ours;
  cv::Mat labels;
  cv::Mat stats;
  cv::Mat middles;
  const auto find_ours = [&] {
    ours = find_areas<std::uint8_t>(view_of<std::uint8_t>(mask), 1, 1);
  };
  const auto find_theirs = [&] {
    cv::connectedComponentsWithStats(mask, labels, stats, middles, 8, CV_32S);
  };
  find_ours();
  find_theirs();
  bool same = ours.size() + 1 == static_cast<std::size_t>(stats.rows);
  for (const Area& area : ours) {
    bool found = false;
    for (int i = 1; i < stats.rows && !found; ++i) {
      found = stats.at<int>(i, cv::CC_STAT_LEFT) == area.left &&
              stats.at<int>(i, cv::CC_STAT_TOP) == area.top &&
              stats.at<int>(i, cv::CC_STAT_WIDTH) == area.right - area.left &&
              stats.at<int>(i, cv::CC_STAT_HEIGHT) == area.bottom - area.top &&
              stats.at<int>(i, cv::CC_STAT_AREA) == area.pixels;
    }
    same = same && found;
  }
  std::printf("%-44s %zu areas%s", "areas, uint8", ours.size(), same ? "" : "  WRONG");
  if (times) {
    const double own = seconds_of(find_ours);
    const double of_opencv = seconds_of(find_theirs);
    std::printf("  %.2f ms, OpenCV %.2f ms, speed %.2f", own * 1e3, of_opencv * 1e3,
                of_opencv / own);
  }
  std::printf("\n");
  return same && ours.size() > 100;
}

}  // namespace

int main(int argc, char** argv) {
  const bool times = argc > 1 && std::strcmp(argv[1], "--times") == 0;
  if (argc > 2 || (argc == 2 && !times)) {
    std::fprintf(stderr, "usage: compare_with_opencv [--times]\n");
    return 2;
  }
  cv::setNumThreads(1);
  bool same = compare_orientations<std::uint8_t>(times);
  same &= compare_orientations<std::uint16_t>(times);
  same &= compare_orientations<float>(times);
  same &= compare_values<std::uint8_t>(times);
  same &= compare_values<std::uint16_t>(times);
  same &= compare_values<float>(times);
  for (const int channels : {1, 3, 4}) {
    same &= compare_undistort<std::uint8_t>(channels, times);
    same &= compare_undistort<std::uint16_t>(channels, times);
    same &= compare_undistort<float>(channels, times);
  }
  same &= compare_yuv(times);
  same &= compare_areas(times);
  std::printf("%s\n", same ? "all within their tolerances" : "not all within their tolerances");
  return same ? 0 : 1;
}
