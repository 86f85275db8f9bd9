// What a well-kept library needs for the same filter: OpenCV on one thread.
#include "conv3x3.h"
#include "conv3x3_bench_case.h"

#include <cmath>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>

namespace {

bool agreesWithKernel(const Conv3x3Case &run) {
  std::vector<float> expected(run.out.size());
  filters::conv3x3(run.in.data(), run.weights.data(), expected.data(), run.height, run.width);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.out[i] - expected[i]) <= 1e-5f))
      return false;
  return true;
}

void BM_Conv3x3_Expert_OpenCV(benchmark::State &state) {
  Conv3x3Case &run = conv3x3Case(state);
  const int height = static_cast<int>(run.height), width = static_cast<int>(run.width);
  const cv::Mat in(height, width, CV_32F, run.in.data()), weights(3, 3, CV_32F, run.weights.data());
  cv::Mat out(height, width, CV_32F, run.out.data()); // filter2D writes in place where size and type fit
  cv::setNumThreads(1);
  const auto filter = [&] { cv::filter2D(in, out, CV_32F, weights, cv::Point(1, 1), 0.0, cv::BORDER_CONSTANT); };
  filter();
  if (!agreesWithKernel(run)) {
    state.SkipWithError("OpenCV and the kernel disagree");
    return;
  }
  for (auto _ : state) {
    filter();
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Conv3x3_Expert_OpenCV)->Apply(conv3x3Sizes);

} // namespace
