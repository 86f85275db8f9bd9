// Types of the kernels in the runner's tests.
#pragma once

#include <string_view>
#include <vector>

struct Params {
  double scale;
  int offset;
};

struct Ints { // a span, for every standard
  int *elements;
  unsigned long count;
  Ints(int *first, unsigned long size) : elements(first), count(size) {}
  int *data() const { return elements; }
  unsigned long size() const { return count; }
};

using Map = void(const float *x, float *y, long n);
using Vectors = void(const std::vector<float> &a, std::vector<float> &b);
using Views = long(std::string_view s, Ints v, const Params &p, Params q, int &count);
