// The loops behind roofline.h, compiled for several vector widths; the caller takes the widest that the CPU has.
#pragma once

#include <cstddef>

namespace agentic {

struct RooflineLoops {
  /// Reads `count` floats from `data` (64-byte aligned; a multiple of 512); returns something made of them all.
  float (*read)(const float *data, std::size_t count);
  /// out[i] = a[i] + 3 * b[i] for `count` floats (64-byte aligned; a multiple of 512).
  void (*triad)(float *out, const float *a, const float *b, std::size_t count);
  /// `rounds` rounds of independent multiply-adds; returns something made of them all.
  float (*arithmetic)(std::size_t rounds, float factor, float term);
  double flopsPerRound;
};

/// Returns the widest loops that this CPU has.
RooflineLoops rooflineLoops();

} // namespace agentic
