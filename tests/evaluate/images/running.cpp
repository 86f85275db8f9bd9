#include "images.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

namespace images {

AGENTIC_KERNEL
void running(const Image &in, Image &out) {
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) {
      float sum = 0;
      for (int i = 0; i <= x; ++i)
        sum += in.data[y * in.width + i];
      out.data[y * in.width + x] = sum;
    }
}

} // namespace images
