// expect: valid
// style: An early return, and pointers that walk
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  if (size == 0)
    return;
  std::uint32_t sum = 0;
  const std::int32_t *const end = in + size;
  do {
    sum += static_cast<std::uint32_t>(*in++);
    *out++ = static_cast<std::int32_t>(sum);
  } while (in != end);
}
