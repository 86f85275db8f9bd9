#include "tool/build/level_instructions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

namespace agentic {
namespace {

/// Instructions that a feature adds; a trailing '*' stands for any ending. The first row that fits decides.
struct Row {
  std::string_view feature;
  std::initializer_list<std::string_view> mnemonics;
};

const Row kLegacy[] = {
    {"sse3", {"addsubp*", "haddp*", "hsubp*", "movddup", "movshdup", "movsldup", "lddqu", "fisttp*"}},
    {"ssse3",
     {"pabsb", "pabsw", "pabsd", "palignr", "phadd*", "phsub*", "pmaddubsw", "pmulhrsw", "pshufb", "psignb", "psignw",
      "psignd"}},
    {"sse4.1",
     {"blendp*",    "blendvp*", "dpps",    "dppd",   "extractps", "insertps", "movntdqa", "mpsadbw", "packusdw",
      "pblendvb",   "pblendw",  "pcmpeqq", "pextrb", "pextrd",    "pextrq",   "pinsrb",   "pinsrd",  "pinsrq",
      "phminposuw", "pmaxsb",   "pmaxsd",  "pmaxud", "pmaxuw",    "pminsb",   "pminsd",   "pminud",  "pminuw",
      "pmovsx*",    "pmovzx*",  "pmuldq",  "pmulld", "ptest",     "roundp*",  "rounds*"}},
    {"sse4.2", {"pcmpgtq", "pcmpestr*", "pcmpistr*", "crc32*"}},
    {"popcnt", {"popcnt*"}},
    {"lzcnt", {"lzcnt*"}},
    {"movbe", {"movbe*"}},
    {"bmi", {"andn", "bextr", "blsi*", "blsmsk*", "blsr*"}},
    {"bmi2", {"bzhi*", "mulx*", "pdep*", "pext", "pextl", "rorx*", "sarx*", "shlx*", "shrx*"}},
    {"adx", {"adcx*", "adox*"}},
    {"aes", {"aes*"}},
    {"pclmul", {"pclmul*"}},
    {"sha", {"sha1*", "sha256*"}},
    {"gfni", {"gf2p8*"}},
    {"sse4a", {"extrq", "insertq", "movntss", "movntsd"}},
    {"amx", {"tile*", "tdp*", "ttdp*"}},
};

const Row kVector[] = {
    {"fma", {"vfmadd*", "vfmsub*", "vfnmadd*", "vfnmsub*"}},
    {"f16c", {"vcvtph2ps", "vcvtps2ph"}},
    {"aes", {"vaes*"}},
    {"pclmul", {"vpclmul*"}},
    {"gfni", {"vgf2p8*"}},
    {"xop", {"vfrcz*", "vpperm", "vpcmov", "vpmac*", "vpmadc*", "vprotb", "vprotw", "vprotd", "vprotq"}},
    {"sha512", {"vsha512*", "vsm3*", "vsm4*"}},
};

/// The instructions that AVX-512 added after v4's five parts.
const Row kAfterV4[] = {
    {"avx512ifma", {"vpmadd52*"}},
    {"avx512vbmi", {"vpermb", "vpermi2b", "vpermt2b", "vpmultishiftqb"}},
    {"avx512vbmi2", {"vpcompressb", "vpcompressw", "vpexpandb", "vpexpandw", "vpshld*", "vpshrd*"}},
    {"avx512vnni", {"vpdpbusd", "vpdpbusds", "vpdpwssd", "vpdpwssds"}},
    {"avxvnniint", {"vpdpb*", "vpdpw*"}},
    {"avx512bitalg", {"vpopcntb", "vpopcntw", "vpshufbitqmb"}},
    {"avx512vpopcntdq", {"vpopcntd", "vpopcntq"}},
    {"avx512bf16", {"vcvtne2ps2bf16", "vcvtneps2bf16*", "vdpbf16ps"}},
    {"avxneconvert", {"vcvtnee*", "vcvtneo*", "vbcstne*"}},
    {"avx512vp2intersect", {"vp2intersect*"}},
    {"avx512er", {"vexp2*", "vrcp28*", "vrsqrt28*", "vgatherpf*", "vscatterpf*", "v4f*", "vp4dp*"}},
    {"avx512fp16",
     {"vcvtph2psx*", "vcvtph2d*", "vcvtph2u*", "vcvtph2q*", "vcvtph2w", "vcvttph2*", "vcvtsh2*", "vcvttsh2*", "vmovw"}},
};

/// Instructions of v4 with any registers.
constexpr std::string_view kEvexOnly[] = {
    "valign*",       "vblendmp*",       "vcompress*",      "vcvtpd2u*",       "vcvtps2u*",       "vcvttpd2u*",
    "vcvttps2u*",    "vcvtpd2qq*",      "vcvtps2qq",       "vcvttp*qq",       "vcvtqq*",         "vcvtu*",
    "vcvtsd2us*",    "vcvtss2us*",      "vcvttsd2us*",     "vcvttss2us*",     "vdbpsadbw",       "vexpand*",
    "vfixupimm*",    "vfpclass*",       "vgetexp*",        "vgetmant*",       "vpabsq",          "vpandd",
    "vpandq",        "vpandnd",         "vpandnq",         "vpblendm*",       "vpcompress*",     "vpconflict*",
    "vpermi2*",      "vpermt2*",        "vpermw",          "vpexpand*",       "vplzcnt*",        "vpmaxsq",
    "vpmaxuq",       "vpminsq",         "vpminuq",         "vpmov*2m",        "vpmovm2*",        "vpmovqb",
    "vpmovqw",       "vpmovqd",         "vpmovdb",         "vpmovdw",         "vpmovwb",         "vpmovsqb",
    "vpmovsqw",      "vpmovsqd",        "vpmovsdb",        "vpmovsdw",        "vpmovswb",        "vpmovus*",
    "vpmullq",       "vpord",           "vporq",           "vprol*",          "vpror*",          "vpscatter*",
    "vpsllvw",       "vpsravq",         "vpsravw",         "vpsrlvw",         "vpsraq",          "vpternlog*",
    "vptestm*",      "vptestnm*",       "vpxord",          "vpxorq",          "vrange*",         "vrcp14*",
    "vreduce*",      "vrndscale*",      "vrsqrt14*",       "vscalef*",        "vscatter*",       "vshuff*",
    "vshufi*",       "vmovdqa32",       "vmovdqa64",       "vmovdqu8",        "vmovdqu16",       "vmovdqu32",
    "vmovdqu64",     "vbroadcastf32x*", "vbroadcastf64x*", "vbroadcasti32x*", "vbroadcasti64x*", "vextractf32x*",
    "vextractf64x*", "vextracti32x*",   "vextracti64x*",   "vinsertf32x*",    "vinsertf64x*",    "vinserti32x*",
    "vinserti64x*",
};

bool fits(std::string_view mnemonic, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return mnemonic == pattern;
  const std::string_view head = pattern.substr(0, star), tail = pattern.substr(star + 1);
  return mnemonic.size() >= head.size() + tail.size() && mnemonic.starts_with(head) && mnemonic.ends_with(tail);
}

template <std::size_t N> std::string_view featureIn(const Row (&rows)[N], std::string_view mnemonic) {
  for (const Row &row : rows)
    for (std::string_view pattern : row.mnemonics)
      if (fits(mnemonic, pattern))
        return row.feature;
  return {};
}

/// %zmm, %k1, {%k1}, {1to8}, and the registers from 16 on.
bool hasEvexOperands(std::string_view operands) {
  if (operands.find("%zmm") != operands.npos || operands.find("%k") != operands.npos ||
      operands.find('{') != operands.npos)
    return true;
  for (std::string_view registers : {"%xmm", "%ymm"})
    for (std::size_t at = operands.find(registers); at != operands.npos; at = operands.find(registers, at + 4)) {
      const std::string_view number = operands.substr(at + 4, 2);
      if (number.size() == 2 && std::isdigit(static_cast<unsigned char>(number[1])) && number >= "16")
        return true;
    }
  return false;
}

std::string_view vectorFeature(std::string_view mnemonic, std::string_view operands) {
  if (const std::string_view late = featureIn(kAfterV4, mnemonic); !late.empty())
    return late;
  if ((mnemonic.ends_with("ph") && mnemonic != "vcvtps2ph") || mnemonic.ends_with("sh"))
    return "avx512fp16";
  if (const std::string_view other = featureIn(kVector, mnemonic);
      other == "aes" || other == "pclmul" || other == "gfni" || other == "xop" || other == "sha512")
    return other;
  else if (hasEvexOperands(operands) ||
           std::ranges::any_of(kEvexOnly, [&](std::string_view pattern) { return fits(mnemonic, pattern); }))
    return "avx512f";
  else if (other == "fma" && mnemonic.find_first_of("123") == mnemonic.npos)
    return "fma4";
  else
    return other.empty() ? "avx" : other;
}

} // namespace

std::string_view x86FeatureOf(std::string_view mnemonic, std::string_view operands) {
  if (mnemonic.starts_with('k') && operands.find("%k") != operands.npos)
    return "avx512f";
  if (mnemonic.starts_with('v') && operands.find("mm") != operands.npos)
    return vectorFeature(mnemonic, operands);
  if (mnemonic.starts_with("vzero"))
    return "avx";
  return featureIn(kLegacy, mnemonic);
}

bool isFeatureOf(std::string_view feature, std::string_view features) {
  while (!feature.empty() && !features.empty()) {
    const std::size_t comma = std::min(features.find(','), features.size());
    if (features.substr(0, comma) == feature)
      return true;
    features.remove_prefix(std::min(comma + 1, features.size()));
  }
  return feature.empty();
}

} // namespace agentic
