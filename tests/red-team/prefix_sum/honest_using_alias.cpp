// expect: valid
// style: Type aliases and using declarations
using Sum = std::uint32_t;
typedef std::int32_t Value;

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  using std::size_t;
  Sum sum{};
  for (size_t i{}; i != size; ++i)
    out[i] = Value(sum += Sum(in[i]));
}
