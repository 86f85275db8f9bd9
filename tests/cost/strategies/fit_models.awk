# awk -f fit_models.awk KERNELS.tsv: what the laboratory of strategies knows of each model (fitted_models.tsv), from a
# table of the files that models wrote one after the other: model, iteration, compiles (yes, no), correct (yes, no or
# empty), speedup over the baseline (empty unless correct).
#
# The halves are taken by the share of correct files, so that both have reliable and unreliable models: in that order,
# the first, fourth, fifth, eighth, ninth … are for fitting, the others for reports.
BEGIN { FS = OFS = "\t"; near = log(1.03); reach[8]; reach[16]; reach[1000] }
/^#/ || NF < 3 { next }
{
  model = $1
  if (!(model in files)) { order[++models] = model; last[model] = "none" }
  ++files[model]
  compiles[model] += $3 == "yes"
  ok = $4 == "yes"
  correct[model] += ok
  if (last[model] == "correct") { ++afterCorrect[model]; okAfterCorrect[model] += ok }
  if (last[model] == "failure") { ++afterFailure[model]; okAfterFailure[model] += ok }
  last[model] = ok ? "correct" : "failure"
  if (!ok)
    next
  for (at in reach)
    if (files[model] <= at + 0 && $5 > best[model, at])
      best[model, at] = $5
  speed = log($5)
  isNew = 1
  if (model in lastSpeed) {
    ++pairs[model]
    distance = speed - lastSpeed[model]
    if (distance < near && distance > -near) { ++repeats[model]; isNew = 0 }
  }
  lastSpeed[model] = speed
  if (isNew) { ++fresh[model]; sum[model] += speed; squares[model] += speed * speed }
}
END {
  for (i = 1; i <= models; ++i)
    for (k = models; k > i; --k)
      if (share(order[k]) > share(order[k - 1]) ||
          (share(order[k]) == share(order[k - 1]) && order[k] < order[k - 1])) {
        swapped = order[k]; order[k] = order[k - 1]; order[k - 1] = swapped
      }
  for (i = 1; i <= models; ++i) {
    m = order[i]
    p = share(m)
    mean = fresh[m] ? sum[m] / fresh[m] : 0
    variance = fresh[m] ? squares[m] / fresh[m] - mean * mean : 0
    printf "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.2f\t%.2f\n",
           m, (i % 4 == 1 || i % 4 == 0) ? "fit" : "report", files[m], compiles[m] / files[m], p,
           (okAfterCorrect[m] + 2 * p) / (afterCorrect[m] + 2), (okAfterFailure[m] + 2 * p) / (afterFailure[m] + 2),
           (repeats[m] + 0.5) / (pairs[m] + 2), mean, sqrt(variance > 0 ? variance : 0),
           best[m, 8] + 0, best[m, 16] + 0, best[m, 1000] + 0
  }
}
function share(m) { return correct[m] / files[m] }
