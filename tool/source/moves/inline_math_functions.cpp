#include "tool/source/moves/inline_math.h"

#include "tool/source/loops/expression.h"

#include <array>

namespace agentic::moves {
namespace {

// The coefficients are those of Cephes' expf (S. Moshier), in the public domain.
constexpr std::string_view kExp = R"(
/// e^x as 2^n * e^r with |r| <= ln(2) / 2. Within 1.1 units in the last place, subnormal results included; infinite,
/// zero and NaN where std::exp is. No branches, so that loops around it can use vectors.
static inline float @(float x) {
  constexpr unsigned kSign = 0x80000000, kInfinity = 0x7f800000;
  constexpr unsigned kLimit = 0x42d00000; // 104: e^104 is infinite, e^-104 is 0
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f; // the first bits of ln(2): n * kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kRound = 12582912.0f; // 1.5 * 2^23: what is added to it is rounded to an integer,
  constexpr unsigned kRoundBits = 0x4b400000; // which the lowest bits then hold
  constexpr unsigned kBias = 127, kMantissaBits = 23;
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const unsigned magnitude = bits & ~kSign;
  // All bits of a number beyond the limit, none of others and of NaN, which stays what it is.
  const unsigned outside = 0 - static_cast<unsigned>(magnitude - kLimit <= kInfinity - kLimit);
  const unsigned clampedBits = (magnitude & ~outside) | (kLimit & outside) | (bits & kSign);
  float clamped;
  __builtin_memcpy(&clamped, &clampedBits, sizeof clamped);
  const float rounded = clamped * kLog2E + kRound;
  unsigned roundedBits;
  __builtin_memcpy(&roundedBits, &rounded, sizeof roundedBits);
  const unsigned n = roundedBits - kRoundBits;
  const float wholes = static_cast<float>(static_cast<int>(n));
  const float r = (clamped - wholes * kLn2High) - wholes * kLn2Low;
  float tail = 1.9875691500e-4f; // of the series of e^r, divided by r^2
  tail = tail * r + 1.3981999507e-3f;
  tail = tail * r + 8.3334519073e-3f;
  tail = tail * r + 4.1665795894e-2f;
  tail = tail * r + 1.6666665459e-1f;
  tail = tail * r + 5.0000001201e-1f;
  const float power = tail * r * r + r + 1.0f;
  // 2^n may leave the range of normal numbers: it comes in two factors.
  const unsigned biased = n + 2 * kBias, half = biased / 2;
  const unsigned firstBits = half << kMantissaBits, secondBits = (biased - half) << kMantissaBits;
  float first, second;
  __builtin_memcpy(&first, &firstBits, sizeof first);
  __builtin_memcpy(&second, &secondBits, sizeof second);
  return power * first * second;
}
)";

// The coefficients are those of Cephes' tanhf and expf (S. Moshier), in the public domain.
constexpr std::string_view kTanh = R"(
/// The hyperbolic tangent within 1.5 units in the last place; NaN and -0 where std::tanh has them. No branches, so that
/// loops around it can use vectors.
static inline float @(float x) {
  constexpr unsigned kSign = 0x80000000, kRoundBits = 0x4b400000;
  constexpr unsigned kBias = 127, kMantissaBits = 23;
  constexpr unsigned kLimit = 0x41180000, kInfinity = 0x7f800000; // 9.5: of 9.02 and more it is 1
  constexpr float kSmall = 0.625f;
  constexpr float kLog2E = 1.44269504f, kRound = 12582912.0f;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const unsigned magnitudeBits = bits & ~kSign;
  float magnitude;
  __builtin_memcpy(&magnitude, &magnitudeBits, sizeof magnitude);
  const float square = x * x; // small arguments: a series
  float tail = -5.70498872745e-3f;
  tail = tail * square + 2.06390887954e-2f;
  tail = tail * square - 5.37397155531e-2f;
  tail = tail * square + 1.33314422036e-1f;
  tail = tail * square - 3.33332819422e-1f;
  const float small = tail * square * x + x;
  // Others: (1 - e^-2|x|) / (1 + e^-2|x|), with 2^n * e^r for the power.
  const unsigned outside = 0 - static_cast<unsigned>(magnitudeBits - kLimit <= kInfinity - kLimit);
  const unsigned clampedBits = (magnitudeBits & ~outside) | (kLimit & outside);
  float clamped;
  __builtin_memcpy(&clamped, &clampedBits, sizeof clamped);
  const float exponent = -2.0f * clamped;
  const float rounded = exponent * kLog2E + kRound;
  unsigned roundedBits;
  __builtin_memcpy(&roundedBits, &rounded, sizeof roundedBits);
  const unsigned n = roundedBits - kRoundBits;
  const float wholes = static_cast<float>(static_cast<int>(n));
  const float r = (exponent - wholes * kLn2High) - wholes * kLn2Low;
  float series = 1.9875691500e-4f;
  series = series * r + 1.3981999507e-3f;
  series = series * r + 8.3334519073e-3f;
  series = series * r + 4.1665795894e-2f;
  series = series * r + 1.6666665459e-1f;
  series = series * r + 5.0000001201e-1f;
  const float power = series * r * r + r + 1.0f;
  const unsigned scaleBits = (n + kBias) << kMantissaBits;
  float scale;
  __builtin_memcpy(&scale, &scaleBits, sizeof scale);
  const float decayed = power * scale;
  const float large = (1.0f - decayed) / (1.0f + decayed);
  unsigned smallBits, largeBits;
  __builtin_memcpy(&smallBits, &small, sizeof smallBits);
  __builtin_memcpy(&largeBits, &large, sizeof largeBits);
  const unsigned isSmall = 0 - static_cast<unsigned>(magnitude < kSmall);
  const unsigned chosenBits = (smallBits & isSmall) | (largeBits & ~isSmall);
  const unsigned resultBits = (chosenBits & ~kSign) | (bits & kSign);
  float result;
  __builtin_memcpy(&result, &resultBits, sizeof result);
  return result;
}
)";

// The coefficients are those of Cephes' logf (S. Moshier), in the public domain.
constexpr std::string_view kLog = R"(
/// The natural logarithm as n * ln(2) + ln(f). Within 0.9 units in the last place; NaN and infinite where std::log is.
/// No branches, so that loops around it can use vectors.
static inline float @(float x) {
  constexpr unsigned kRootOfHalf = 0x3f3504f3, kMantissaBits = 23, kOne = 0x3f800000;
  constexpr unsigned kInfinity = 0x7f800000, kMinusInfinity = 0xff800000, kNaN = 0x7fc00000;
  constexpr float kLn2High = 0.693359375f; // the first bits of ln(2): n * kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kLeastNormal = 1.17549435e-38f, kLargest = 3.40282347e+38f;
  // Subnormal numbers times 2^23.
  const unsigned isSubnormal = 0 - static_cast<unsigned>(x < kLeastNormal);
  const unsigned scaleBits = kOne + (isSubnormal & (kMantissaBits << kMantissaBits));
  float scale;
  __builtin_memcpy(&scale, &scaleBits, sizeof scale);
  const float scaled = x * scale;
  unsigned bits;
  __builtin_memcpy(&bits, &scaled, sizeof bits);
  const unsigned shifted = bits - kRootOfHalf;
  const int exponent = static_cast<int>(shifted) >> kMantissaBits;
  const unsigned fractionBits = (shifted & 0x7fffff) + kRootOfHalf; // from the root of 1/2 to the root of 2
  float fraction;
  __builtin_memcpy(&fraction, &fractionBits, sizeof fraction);
  const float n = static_cast<float>(exponent - static_cast<int>(isSubnormal & kMantissaBits));
  const float f = fraction - 1.0f, square = f * f;
  float tail = 7.0376836292e-2f;
  tail = tail * f - 1.1514610310e-1f;
  tail = tail * f + 1.1676998740e-1f;
  tail = tail * f - 1.2420140846e-1f;
  tail = tail * f + 1.4249322787e-1f;
  tail = tail * f - 1.6668057665e-1f;
  tail = tail * f + 2.0000714765e-1f;
  tail = tail * f - 2.4999993993e-1f;
  tail = tail * f + 3.3333331174e-1f;
  const float small = tail * f * square + n * kLn2Low - 0.5f * square;
  const float positive = (f + small) + n * kLn2High;
  const unsigned isPositive = 0 - static_cast<unsigned>(x > 0.0f), isZero = 0 - static_cast<unsigned>(x == 0.0f);
  const unsigned isInfinite = 0 - static_cast<unsigned>(x > kLargest);
  unsigned resultBits;
  __builtin_memcpy(&resultBits, &positive, sizeof resultBits);
  resultBits = (resultBits & isPositive & ~isInfinite) | (kInfinity & isInfinite) | (kMinusInfinity & isZero) |
               (kNaN & ~isPositive & ~isZero);
  float result;
  __builtin_memcpy(&result, &resultBits, sizeof result);
  return result;
}
)";

// The coefficients of P interpolate the function at Chebyshev's nodes, within 1.1e-8 of it; those of e^r are Cephes'.
constexpr std::string_view kErfc = R"(
/// The complementary error function, as s * P(s) * e^-x^2 with s = 1 / (1 + 0.35 |x|), of which P is a polynomial. Within
/// 8.2 units in the last place, subnormal results included; NaN where std::erfc is. No branches, so that loops around it
/// can use vectors.
static inline float @(float x) {
  constexpr unsigned kSign = 0x80000000, kHighBits = 0xfffff000, kRoundBits = 0x4b400000;
  constexpr unsigned kBias = 127, kMantissaBits = 23;
  constexpr unsigned kLimit = 0x4121999a, kInfinity = 0x7f800000; // 10.1: of it and more the function is 0
  constexpr unsigned kTwo = 0x40000000;
  constexpr float kLog2E = 1.44269504f, kRound = 12582912.0f;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const unsigned magnitudeBits = bits & ~kSign;
  const unsigned outside = 0 - static_cast<unsigned>(magnitudeBits - kLimit <= kInfinity - kLimit);
  const unsigned clampedBits = (magnitudeBits & ~outside) | (kLimit & outside);
  float magnitude;
  __builtin_memcpy(&magnitude, &clampedBits, sizeof magnitude);
  const float s = 1.0f / (1.0f + 0.35f * magnitude);
  float tail = 3.6829029608e-02f;
  tail = tail * s - 1.5052889606e-01f;
  tail = tail * s + 1.6206077428e-01f;
  tail = tail * s - 2.3353866951e-03f;
  tail = tail * s + 6.6362478754e-02f;
  tail = tail * s + 1.5687866524e-01f;
  tail = tail * s + 1.4753004005e-01f;
  tail = tail * s + 1.8866625888e-01f;
  tail = tail * s + 1.9704877009e-01f;
  tail = tail * s + 1.9748827046e-01f;
  // The square in two parts: that of the first 12 bits is exact.
  const unsigned highBits = clampedBits & kHighBits;
  float high;
  __builtin_memcpy(&high, &highBits, sizeof high);
  const float square = high * high, rest = (magnitude - high) * (magnitude + high);
  const float rounded = -square * kLog2E + kRound;
  unsigned roundedBits;
  __builtin_memcpy(&roundedBits, &rounded, sizeof roundedBits);
  const unsigned n = roundedBits - kRoundBits;
  const float wholes = static_cast<float>(static_cast<int>(n));
  const float r = ((-square - wholes * kLn2High) - wholes * kLn2Low) - rest;
  float series = 1.9875691500e-4f;
  series = series * r + 1.3981999507e-3f;
  series = series * r + 8.3334519073e-3f;
  series = series * r + 4.1665795894e-2f;
  series = series * r + 1.6666665459e-1f;
  series = series * r + 5.0000001201e-1f;
  const float power = series * r * r + r + 1.0f;
  const unsigned biased = n + 2 * kBias, half = biased / 2;
  const unsigned firstBits = half << kMantissaBits, secondBits = (biased - half) << kMantissaBits;
  float first, second;
  __builtin_memcpy(&first, &firstBits, sizeof first);
  __builtin_memcpy(&second, &secondBits, sizeof second);
  const float positive = tail * s * power * first * second;
  // Of a negative number 2 - positive, else 0 + positive.
  unsigned positiveBits;
  __builtin_memcpy(&positiveBits, &positive, sizeof positiveBits);
  const unsigned sign = bits & kSign, signedBits = positiveBits ^ sign, baseBits = kTwo & (0 - (sign >> 31));
  float signedPart, base;
  __builtin_memcpy(&signedPart, &signedBits, sizeof signedPart);
  __builtin_memcpy(&base, &baseBits, sizeof base);
  return base + signedPart;
}
)";

// Compilers call the library for a number that might be negative, because of errno, and use no vectors then.
constexpr std::string_view kSqrt = R"(
/// The square root, of an estimate of its inverse that is improved three times. Within 0.9 units in the last place; NaN,
/// infinite and -0 where std::sqrt is. It sets no errno, so that loops around it can use vectors.
static inline float @(float x) {
  constexpr unsigned kEstimate = 0x5f3759df, kOne = 0x3f800000, kMantissaBits = 23;
  constexpr unsigned kInfinity = 0x7f800000, kNaN = 0x7fc00000;
  constexpr float kLeastNormal = 1.17549435e-38f, kLargest = 3.40282347e+38f;
  // Subnormal numbers times 2^24, and their roots by 2^12.
  const unsigned isSubnormal = 0 - static_cast<unsigned>(x < kLeastNormal);
  const unsigned scaleBits = kOne + (isSubnormal & (24 << kMantissaBits));
  const unsigned backBits = kOne - (isSubnormal & (12 << kMantissaBits));
  float scale, back;
  __builtin_memcpy(&scale, &scaleBits, sizeof scale);
  __builtin_memcpy(&back, &backBits, sizeof back);
  const float scaled = x * scale;
  unsigned bits;
  __builtin_memcpy(&bits, &scaled, sizeof bits);
  bits = kEstimate - bits / 2;
  float inverse;
  __builtin_memcpy(&inverse, &bits, sizeof inverse);
  const float half = 0.5f * scaled;
  inverse = inverse * (1.5f - half * inverse * inverse);
  inverse = inverse * (1.5f - half * inverse * inverse);
  const float root = scaled * inverse;
  const float better = (root + 0.5f * inverse * (scaled - root * root)) * back;
  const unsigned isNegative = 0 - static_cast<unsigned>(x < 0.0f);
  const unsigned isInfinite = 0 - static_cast<unsigned>(x > kLargest);
  unsigned resultBits;
  __builtin_memcpy(&resultBits, &better, sizeof resultBits);
  resultBits = (resultBits & ~isInfinite) | (kInfinity & isInfinite) | (kNaN & isNegative);
  float result;
  __builtin_memcpy(&result, &resultBits, sizeof result);
  return result;
}
)";

constexpr std::array kFunctions = {MathFunction{"exp", kExp, 1.1}, MathFunction{"log", kLog, 0.9},
                                   MathFunction{"tanh", kTanh, 1.5}, MathFunction{"erfc", kErfc, 8.2},
                                   MathFunction{"sqrt", kSqrt, 0.9}};

} // namespace

bool MathFunction::isSpelling(std::string_view callee) const {
  const std::string_view plain = libraryName(callee);
  return plain.starts_with(name) && (plain.size() == name.size() || plain.substr(name.size()) == "f");
}

std::span<const MathFunction> mathFunctions() {
  return kFunctions;
}

} // namespace agentic::moves
