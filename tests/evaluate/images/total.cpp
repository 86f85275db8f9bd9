#include "images.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

namespace images {

AGENTIC_KERNEL
float total(const Node *list) {
  float sum = 0;
  for (const Node *node = list; node; node = node->next) {
    int count = 0;
    for (const Node *rest = node; rest; rest = rest->next)
      ++count;
    sum += node->value * static_cast<float>(count);
  }
  return sum;
}

} // namespace images
