// expect: valid
// style: Helpers in an anonymous namespace
namespace {
@HELPER compute@ @BODY@
}

@SIGNATURE@ {
  return compute(@ARGUMENTS@);
}
