// A kernel whose arguments nobody can capture, for compared_program.cpp and the candidates of it.
#pragma once

#include <cstddef>
#include <vector>

struct Image {
  int width, height;
  float *data;
};
struct Node {
  int value;
  const Node *next;
};
using Rows = std::vector<std::vector<int>>;

/// out = in * factor; rows[y] = the pixels of line y, as integers, times the sum of the list; the sum of all of them.
using ComparedKernel = double(const Image &in, Image &out, Rows &rows, const Node *list, int factor);
