// expect: valid
// style: The baseline in a lambda
@SIGNATURE@ {
  const auto compute = [&] @BODY@;
  return compute();
}
