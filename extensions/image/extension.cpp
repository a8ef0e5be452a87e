#include "gxr/gxr.hpp"
#include "image/bayer_mosaic.hpp"
#include "image/black_level.hpp"
#include "image/brightness_class.hpp"
#include "image/color_converter.hpp"
#include "image/crop.hpp"
#include "image/decoder.hpp"
#include "image/demosaic.hpp"
#include "image/difference.hpp"
#include "image/encoder.hpp"
#include "image/format_converter.hpp"
#include "image/grey.hpp"
#include "image/histogram.hpp"
#include "image/mosaic.hpp"
#include "image/motion_detector.hpp"
#include "image/npp.hpp"
#include "image/orientation.hpp"
#include "image/overlay.hpp"
#include "image/raw_unpack.hpp"
#include "image/resize.hpp"
#include "image/source.hpp"
#include "image/threshold.hpp"
#include "image/tone_curve.hpp"
#include "image/undistort.hpp"
#include "image/viewable.hpp"
#include "image/white_balance.hpp"
#include "image/writer.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::image;
  extension.add<Source>("Publishes pictures from files, or a test pattern");
  extension.add<BayerMosaic>(
      "A simulated colour sensor: keeps one colour of every pixel, adds noise");
  extension.add<RawUnpack>("Packed rows of a sensor (MIPI CSI-2) to a raw picture");
  extension.add<BlackLevel>("Takes off a raw picture what its sensor gives without light");
  extension.add<DemosaicBilinear>("Raw sensor picture to RGB: mean of the neighbours");
  extension
      .add<DemosaicMalvar>("Raw sensor picture to RGB: gradient-corrected linear interpolation")
      .description(
          "H. S. Malvar, L. He, R. Cutler: High-quality linear interpolation for demosaicing of "
          "Bayer-patterned color images, ICASSP 2004.");
  extension.add<WhiteBalance>("Multiplies red, green and blue");
  extension.add<ToneCurve>("Applies a gamma or sRGB curve");
  extension.add<Resize>("Scales a picture");
  extension.add<Crop>("Takes a part of a picture");
  extension.add<Flip>("Mirrors a picture");
  extension.add<Rotate>("Turns a picture by quarters");
  extension.add<Undistort>("Straightens what the lens of a camera bends")
      .description(
          "By the model of Brown and Conrady with the coefficients of OpenCV. The result has the "
          "size, focal lengths and middle of the input; what lies outside of the input is black.");
  extension.add<Grey>("Grey values of a colour picture");
  extension.add<Difference>("How far two pictures lie apart, element by element");
  extension.add<Threshold>("White where a picture is brighter than a level, black elsewhere");
  extension.add<MotionDetector>("Says where a picture differs from the one before");
  extension.add<Overlay>("Draws boxes and a text over a picture");
  extension.add<Mosaic>("Puts pictures side by side");
  extension.add<ColorConverter>("Colours, grey and YUV of 8 bits to each other");
  extension.add<Viewable>("Turns pictures of any kind into ones that files and screens show");
  extension.add<FormatConverter>("Changes element type, channels and size of a picture")
      .alias("nvidia::holoscan::formatconverter::FormatConverter");
  extension.add<Histogram>("Counts a picture's values, as a tensor and as a picture");
  extension.add<BrightnessClass>("Says how bright a picture is, as a number of thresholds reached");
  extension.add<NppiSet>("Publishes pictures of one colour")
      .alias("nvidia::gxf::NppiSet")
      .alias("gxr::cuda::NppiSet")
      .id(0xb5ab03a9f3d54525, 0xbc0cd48b60bac2a5);
  extension.add<NppiMulC>("Multiplies the channels of pictures")
      .alias("nvidia::gxf::NppiMulC")
      .alias("gxr::cuda::NppiMulC")
      .id(0xb2e2181547c44aee, 0x99bf9f3ef6665931);
  extension.add<Decoder>("Pictures from the bytes of PNG, JPEG, TIFF, PPM and PGM files");
  extension.add<Encoder>("The bytes of JPEG or PNG files from pictures");
  extension.add<Writer>("Writes pictures to numbered PNG, JPEG, TIFF, PPM or PGM files");
  extension.add_data<BayerPattern>("Which colours the pixels of a raw sensor picture saw");
}
