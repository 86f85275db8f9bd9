#pragma once
#include <vector>

namespace images {

struct Image {
  int width, height;
  float *data;
};

struct Node {
  Node(float ofValue, const Node *after) : value(ofValue), next(after) {}
  Node(const Node &) = delete;
  float value;
  const Node *next;
};

/// Each line's running sums.
void running(const Image &in, Image &out);

/// Each value times the number of nodes from there to the list's end.
float total(const Node *list);

} // namespace images
