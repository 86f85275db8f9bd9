# compare.awk REPOSITORY.tsv NOW.tsv: each figure measured now beside that of the repository, with its change.
BEGIN { printf "%-70s %12s %12s %9s\n", "figure", "repository", "now", "change" }
FILENAME == ARGV[1] { known[$1] = $2; next }
{
  change = "new"
  if ($1 in known)
    change = known[$1] + 0 == 0 ? "" : sprintf("%+.0f %%", 100 * ($2 / known[$1] - 1))
  printf "%-70s %12s %12s %9s  %s\n", $1, ($1 in known) ? known[$1] : "", $2, change, $3
}
