// Kernels for the transformations, made in memory.
#pragma once

#include "tool/source/transform/transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace agentic {

/// `text` is the kernel's definition; `prelude` may hold directives only.
inline KernelSpec kernelSpec(const std::string &text, std::vector<std::string> prelude = {}) {
  KernelSpec spec;
  spec.kernel = "k";
  spec.source = "/nowhere/kernel.cpp";
  spec.identifier = spec.function = "f";
  spec.text = text;
  spec.prelude = {"using size_t = decltype(sizeof 0);"};
  spec.prelude.insert(spec.prelude.end(), prelude.begin(), prelude.end());
  spec.parseArguments = {"-std=c++20", "-xc++", "-resource-dir=" AGENTIC_CLANG_RESOURCE_DIR};
  return spec;
}

inline std::unique_ptr<Transformer> transformerFor(const KernelSpec &spec, Family family = Family::Clang) {
  auto transformer = Transformer::create(spec, {.family = family});
  EXPECT_TRUE(transformer) << transformer.error().message;
  return transformer ? std::move(*transformer) : nullptr;
}

/// The textbook triple loop on packed signs, without headers.
inline const std::string kBinaryGemm = R"(void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {
  for (size_t i = 0; i < M; ++i) {
    for (size_t j = 0; j < K; ++j) {
      float sum = 0.0f;
      for (size_t p = 0; p < K; ++p) {
        const unsigned bit = (B[p * (K / 32) + j / 32] >> (j % 32)) & 1u;
        const float sign = bit ? 1.0f : -1.0f;
        sum += A[i * K + p] * sign;
      }
      C[i * K + j] = sum;
    }
  }
}
)";

} // namespace agentic
