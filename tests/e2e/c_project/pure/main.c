#include "../column_sums.h"
#include <stdio.h>

int main(void) {
  const float matrix[6] = {1, 2, 3, 4, 5, 6};
  float sums[3];
  column_sums(matrix, sums, 2, 3);
  printf("%g %g %g\n", sums[0], sums[1], sums[2]);
  return 0;
}
