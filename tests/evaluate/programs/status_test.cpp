// A test that is no GoogleTest: its exit status decides, and it refuses arguments that it does not know.
#include "kernel.h"

int main(int argc, char **) {
  if (argc > 1)
    return 64;
  float x[7], y[7] = {};
  for (int i = 0; i < 7; ++i)
    x[i] = float(i + 1);
  square(x, y, 7);
  for (int i = 0; i < 7; ++i)
    if (y[i] != x[i] * x[i])
      return 1;
}
