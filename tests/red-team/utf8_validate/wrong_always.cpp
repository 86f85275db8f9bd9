// expect: rejected
// trick: Always well-formed (catalogue 43)
// layers: test differential
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  return text != nullptr || size == 0;
}
