#include "tool/evaluate/insight/vectorizer_remarks.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(VectorizerRemarks, ClangNamesItsLoops) {
  const std::string remarks =
      "/p/k.cpp:12:5: remark: vectorized loop (vectorization width: 16, interleaved count: 4) [-Rpass=loop-vectorize]\n"
      "   12 |     for (int i = 0; i < n; ++i)\n"
      "/p/k.cpp:12:5: remark: vectorized loop (vectorization width: 8, interleaved count: 1) [-Rpass=loop-vectorize]\n"
      "/p/k.cpp:30:5: remark: vectorized loop (vectorization width: 8, interleaved count: 1) [-Rpass=loop-vectorize]\n"
      "/p/k.cpp:14:5: remark: unrolled loop by a factor of 4 [-Rpass=loop-unroll]\n"
      "/p/other.h:13:5: remark: vectorized loop (vectorization width: 8) [-Rpass=loop-vectorize]\n";
  EXPECT_EQ(countVectorized(remarks, Family::Clang, "/p/k.cpp", 10, 20), 1);
  EXPECT_EQ(countVectorized(remarks, Family::Clang, "/p/k.cpp", 10, 30), 2);
  EXPECT_EQ(countVectorized("", Family::Clang, "/p/k.cpp", 10, 30), 0);
}

TEST(VectorizerRemarks, GccNamesItsLoops) {
  const std::string remarks = "/p/k.cpp:12:25: optimized: loop vectorized using 64 byte vectors\n"
                              "/p/k.cpp:15:25: optimized: basic block part vectorized using 64 byte vectors\n"
                              "/p/k.cpp:17:9: optimized:  loop turned into non-loop; it never loops\n";
  EXPECT_EQ(countVectorized(remarks, Family::Gcc, "/p/k.cpp", 10, 20), 1);
  EXPECT_EQ(countVectorized(remarks, Family::Clang, "/p/k.cpp", 10, 20), 0);
}

} // namespace
} // namespace agentic
