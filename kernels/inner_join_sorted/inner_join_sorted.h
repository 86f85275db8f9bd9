// What two sorted lists have in common, as a search engine intersects the documents of two words.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postings {

/// Writes the numbers that occur both in a and in b to common[0], common[1], …, in ascending order; returns how many
/// there are. a and b ascend and hold no number twice; each may be empty. common has room for aSize elements; those
/// behind the last common number keep their values. a and b may overlap, common is disjoint from both. Exact.
/// This form is in: std::set_intersection of libstdc++; CRoaring's intersect_uint16; the conjunctions of search
/// engines.
std::size_t innerJoinSorted(const std::uint32_t *a, std::size_t aSize, const std::uint32_t *b, std::size_t bSize,
                            std::uint32_t *common);

} // namespace postings
