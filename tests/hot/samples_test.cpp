// parseSamples on files that the sampler would write, and on files that nobody should.
#include "tool/hot/samples.h"
#include "tool/runner/sample_file.h"

#include <cstring>
#include <gmock/gmock.h>
#include <random>

namespace agentic {
namespace {

using sampler::Header;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Place = std::pair<std::string, std::uint64_t>;

std::string fileWith(const std::string &maps, const std::vector<std::uint64_t> &samples, std::uint64_t count) {
  std::string bytes(sampler::kFileBytes, '\0');
  Header header = {};
  header.magic = sampler::kMagic;
  header.capacity = sampler::kCapacity;
  header.mapsCapacity = sampler::kMapsCapacity;
  header.count = count;
  header.mapsSize = maps.size();
  std::strcpy(header.program, "/bin/app");
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.replace(sizeof header, maps.size(), maps);
  std::memcpy(bytes.data() + sizeof header + sampler::kMapsCapacity, samples.data(),
              samples.size() * sizeof samples[0]);
  return bytes;
}

constexpr const char *kMaps = "@\n"
                              "1000-2000 r-xp 00000500 fe:00 12                         /bin/app\n"
                              "7f0000001000-7f0000003000 r-xp 00001000 fe:00 13         /lib/lib with blanks.so\n"
                              "7f0000008000-7f0000009000 r-xp 00000000 00:00 0          [vdso]\n"
                              "7f000000a000-7f000000b000 r-xp 00000000 00:00 0 \n";

TEST(Samples, AreOffsetsInFiles) {
  const Result<ProcessSamples> samples = parseSamples(
      fileWith(kMaps, {0x1000, 0x1fff, 0x1000, 0x7f0000002010, 0x7f0000008004, 0x7f000000a000, 0x2000, 0}, 8));
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ(samples->program, "/bin/app");
  EXPECT_EQ(samples->taken, 8u);
  EXPECT_THAT(samples->places,
              ElementsAre(Pair(Place("", 0), 3u), // in memory without a file: unmapped, and made by the program
                          Pair(Place("/bin/app", 0x500), 2u), Pair(Place("/bin/app", 0x14ff), 1u),
                          Pair(Place("/lib/lib with blanks.so", 0x2010), 1u), Pair(Place("[vdso]", 4), 1u)));
}

TEST(Samples, MeanWhatTheNewestReadingSays) {
  const std::string maps = std::string(kMaps) + "@\n1000-2000 r-xp 00000000 fe:00 14 /lib/later.so\n";
  const Result<ProcessSamples> samples = parseSamples(fileWith(maps, {0x1001, 0x7f0000001000}, 2));
  ASSERT_TRUE(samples);
  EXPECT_THAT(samples->places,
              ElementsAre(Pair(Place("/lib/later.so", 1), 1u), Pair(Place("/lib/lib with blanks.so", 0x1000), 1u)));
}

TEST(Samples, OfWhichManyWereNotKept) {
  const std::vector<std::uint64_t> all(sampler::kCapacity, 0x1010);
  const Result<ProcessSamples> samples = parseSamples(fileWith(kMaps, all, 3 * sampler::kCapacity));
  ASSERT_TRUE(samples);
  EXPECT_EQ(samples->taken, 3 * sampler::kCapacity);
  EXPECT_EQ(samples->kept, sampler::kCapacity);
}

TEST(Samples, RefusesWhatIsNoSuchFile) {
  EXPECT_FALSE(parseSamples(""));
  EXPECT_THAT(parseSamples(std::string(sampler::kFileBytes - 1, 'x')).error().message, HasSubstr("size"));
  EXPECT_THAT(parseSamples(std::string(sampler::kFileBytes, 'x')).error().message, HasSubstr("contradicts itself"));
  std::string tooLong = fileWith(kMaps, {1}, 1);
  reinterpret_cast<Header *>(tooLong.data())->mapsSize = sampler::kMapsCapacity + 1;
  EXPECT_FALSE(parseSamples(tooLong));
}

TEST(Samples, StandOddMappings) {
  for (const std::string maps : {"", "@", "\n\n\n", "@\n@\n", "1000", "1000-", "-2000 r-xp 0 0 0 /x",
                                 "2000-1000 r-xp 0 0 0 /x", "1000-2000", "1000-2000 r-xp", "1000-2000 r-xp zz 0 0 /x",
                                 "fffffffffffffffff-1 r-xp 0 0 0 /x", "1000-2000 r-xp  0 0 0 /x"}) {
    const Result<ProcessSamples> samples = parseSamples(fileWith(maps, {0x1000}, 1));
    ASSERT_TRUE(samples) << maps;
    EXPECT_THAT(samples->places, ElementsAre(Pair(Place("", 0), 1u))) << maps;
  }
}

TEST(Samples, StandAnyBytes) {
  std::mt19937 random(7);
  const std::string whole = fileWith(kMaps, {0x1000, 0x7f0000002010}, 2);
  for (int turn = 0; turn < 300; ++turn) {
    std::string bytes = whole;
    for (int change = 0; change < 8; ++change) { // in the header's numbers, the mappings and the first samples
      const std::size_t places[] = {random() % 56, sizeof(Header) + random() % 300,
                                    sizeof(Header) + sampler::kMapsCapacity + random() % 16};
      bytes[places[random() % 3]] = static_cast<char>(random());
    }
    if (const Result<ProcessSamples> samples = parseSamples(bytes)) {
      std::uint64_t sum = 0;
      for (const auto &[place, count] : samples->places)
        sum += count;
      EXPECT_EQ(sum, samples->kept);
    }
  }
}

} // namespace
} // namespace agentic
