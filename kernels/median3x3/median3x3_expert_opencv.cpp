// What a well-kept library needs for the same filter: OpenCV on one thread.
#include "median3x3_bench_case.h"

#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>

namespace {

void BM_Median3x3_Expert_OpenCV(benchmark::State &state) {
  auto &run = testing_support::caseFor<Median3x3Case>(state);
  const int height = static_cast<int>(run.height), width = static_cast<int>(run.width);
  const cv::Mat in(height, width, CV_8U, run.in.data());
  cv::Mat out(height, width, CV_8U, run.out.data()); // written in place where size and type fit
  cv::setNumThreads(1);
  run.out.assign(run.out.size(), 0);
  cv::medianBlur(in, out, 3);
  testing_support::timeExpert(state, "OpenCV", run.hasKernelsInterior(), [&] {
    cv::medianBlur(in, out, 3);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_Median3x3_Expert_OpenCV)->Apply(median3x3Sizes);

} // namespace
