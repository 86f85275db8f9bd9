#include "prefix_decode.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>
#include <string>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;

struct Code {
  std::vector<std::string> bits =
      std::vector<std::string>(256); ///< of each symbol, as they are sent; "" if it has none
  std::vector<std::uint16_t> table;
  std::vector<unsigned> symbols; ///< that have a code
};

/// A tree of that many leaves, grown at random places (or at the longest one); symbol numbers are spread over a byte.
Code makeCode(std::size_t leaves, bool isSkewed, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::string> codes{"0", "1"};
  while (codes.size() < leaves) {
    std::string &leaf = codes[isSkewed && codes.size() < 12 ? codes.size() - 1 : engine() % codes.size()];
    if (leaf.size() == 11)
      continue;
    leaf += '0';
    codes.push_back(leaf);
    codes.back().back() = '1';
  }
  codes.resize(leaves); // one leaf: half of the slots stay empty
  Code code;
  code.table.assign(2048, 0);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const auto symbol = static_cast<unsigned>((leaf * 151 + seed) % 256);
    code.bits[symbol] = codes[leaf];
    code.symbols.push_back(symbol);
    std::size_t slot = 0;
    for (std::size_t bit = 0; bit < codes[leaf].size(); ++bit)
      slot |= (codes[leaf][bit] == '1' ? std::size_t{1} : 0) << bit;
    for (; slot < 2048; slot += std::size_t{1} << codes[leaf].size())
      code.table[slot] = static_cast<std::uint16_t>(symbol * 16 + codes[leaf].size());
  }
  return code;
}

Bytes randomSymbols(const Code &code, std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes symbols(count);
  for (std::uint8_t &symbol : symbols)
    symbol = static_cast<std::uint8_t>(code.symbols[engine() % code.symbols.size()]);
  return symbols;
}

/// The bytes of a string of bits; what is left of the last byte is filled with ones.
Bytes packed(std::string bits) {
  bits.resize((bits.size() + 7) / 8 * 8, '1');
  Bytes bytes(bits.size() / 8);
  for (std::size_t bit = 0; bit < bits.size(); ++bit)
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | (bits[bit] == '1' ? 1u : 0u) << bit % 8);
  return bytes;
}

Bytes encode(const Code &code, const Bytes &symbols) {
  std::string bits;
  for (std::uint8_t symbol : symbols)
    bits += code.bits[symbol];
  return packed(bits);
}

/// Asks for `count` symbols, and expects `expected`.
void expectDecoded(const Code &code, const Bytes &bytes, std::size_t count, const Bytes &expected) {
  const EdgeBuffer<std::uint8_t> in(bytes);
  const EdgeBuffer<std::uint16_t> table(code.table);
  EdgeBuffer<std::uint8_t> out(count);
  ASSERT_EQ(coding::prefixDecode(in.data(), in.size(), table.data(), out.data(), count), expected.size());
  expectSame(out.data(), expected);
  out.expectNothingWrittenBefore();
}

TEST(PrefixDecode, EverySmallCount) {
  const Code code = makeCode(40, true, 1);
  for (std::size_t count = 0; count <= 150; ++count) {
    const Bytes symbols = randomSymbols(code, count, static_cast<unsigned>(count));
    expectDecoded(code, encode(code, symbols), count, symbols);
  }
}

TEST(PrefixDecode, ManyCodes) {
  for (std::size_t leaves : {2u, 3u, 12u, 16u, 100u, 255u, 256u})
    for (bool isSkewed : {false, true}) {
      SCOPED_TRACE(leaves);
      const Code code = makeCode(leaves, isSkewed, static_cast<unsigned>(leaves));
      const Bytes symbols = randomSymbols(code, 3001, 2);
      expectDecoded(code, encode(code, symbols), symbols.size(), symbols);
      for (unsigned symbol : {code.symbols.front(), code.symbols.back()}) { // the shortest and the longest in a row
        const Bytes same(100, static_cast<std::uint8_t>(symbol));
        expectDecoded(code, encode(code, same), same.size(), same);
      }
    }
}

// Fewer symbols than there are: the rest of the input is left alone.
TEST(PrefixDecode, StopsAtTheCount) {
  const Code code = makeCode(30, false, 3);
  const Bytes symbols = randomSymbols(code, 300, 3), bytes = encode(code, symbols);
  for (std::size_t count = 0; count < 300; count += 7)
    expectDecoded(code, bytes, count, {symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(count)});
}

// Cut off after each byte: the whole symbols before the cut, none made of the zeros behind it.
TEST(PrefixDecode, StopsAtTheEndOfTheInput) {
  for (bool isSkewed : {false, true}) {
    const Code code = makeCode(60, isSkewed, 4);
    const Bytes symbols = randomSymbols(code, 300, 4), bytes = encode(code, symbols);
    for (std::size_t size = 0; size < 150; ++size) {
      std::size_t whole = 0, used = 0;
      while (used + code.bits[symbols[whole]].size() <= 8 * size)
        used += code.bits[symbols[whole++]].size();
      expectDecoded(code, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}, 300,
                    {symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(whole)});
    }
  }
}

// A single symbol has the code 0: a one anywhere ends the output there.
TEST(PrefixDecode, StopsWhereNoCodeBegins) {
  const Code code = makeCode(1, false, 5);
  for (std::size_t before = 0; before < 200; ++before)
    expectDecoded(code, packed(std::string(before, '0') + "1" + std::string(90, '0')), 280,
                  Bytes(before, static_cast<std::uint8_t>(code.symbols[0])));
}

TEST(PrefixDecode, AnyAlignment) {
  const Code code = makeCode(50, true, 6);
  const Bytes symbols = randomSymbols(code, 200, 6), bytes = encode(code, symbols);
  for (std::size_t shift = 0; shift < 17; ++shift) {
    Bytes in(shift, 0xff), out(shift + 201, 7);
    in.insert(in.end(), bytes.begin(), bytes.end());
    ASSERT_EQ(coding::prefixDecode(in.data() + shift, bytes.size(), code.table.data(), out.data() + shift, 200), 200u);
    expectSame(out.data() + shift, symbols);
    ASSERT_TRUE((shift == 0 || out[shift - 1] == 7) && out.back() == 7) << "written beside the output";
  }
}

TEST(PrefixDecode, SecondCallSeesNewContents) {
  Bytes in(200), out(100);
  std::vector<std::uint16_t> table(2048);
  for (unsigned seed : {7u, 8u}) { // another table and other bits at the same places
    const Code code = makeCode(50, false, seed);
    const Bytes symbols = randomSymbols(code, 100, seed), bytes = encode(code, symbols);
    std::copy(bytes.begin(), bytes.end(), in.begin());
    std::copy(code.table.begin(), code.table.end(), table.begin());
    ASSERT_EQ(coding::prefixDecode(in.data(), bytes.size(), table.data(), out.data(), 100), 100u);
    expectSame(out.data(), symbols);
  }
}

} // namespace
