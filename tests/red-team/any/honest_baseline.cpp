// expect: valid
// style: The baseline as it is
@SIGNATURE@ @BODY@
