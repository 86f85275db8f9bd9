// The recorded pairs of identical code in tests/evaluate/data.
#pragma once

#include "tool/model/measurement.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace agentic {

/// A file of rows: `repetitions` CPU times, then perhaps as many wall times and the process's wall time; twice.
inline std::vector<Pair> loadPool(const std::string &name, std::ptrdiff_t repetitions) {
  std::ifstream file(std::string(AGENTIC_TEST_DATA) + "/data/" + name);
  std::vector<Pair> pairs;
  for (std::string line; std::getline(file, line);) {
    std::vector<double> row;
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');)
      row.push_back(std::stod(cell));
    const std::ptrdiff_t perSide = std::ssize(row) / 2;
    if (std::ssize(row) % 2 != 0 || (perSide != repetitions && perSide != 2 * repetitions + 1))
      throw std::runtime_error(name + " has a row of " + std::to_string(row.size()) + " columns");
    Pair pair;
    pair.reference.assign(row.begin(), row.begin() + repetitions);
    pair.candidate.assign(row.begin() + perSide, row.begin() + perSide + repetitions);
    pairs.push_back(pair);
  }
  return pairs;
}

} // namespace agentic
