// The orders in which a question's candidates are listed behind labels.
#pragma once

#include <cstddef>
#include <vector>

#include "logit/types.h"
#include "pipeline/prompt.h"

namespace logit::pipeline {

// A permutation: place k of the list holds candidate order[k].
using Order = std::vector<std::size_t>;

// Up to `n_orders` different orders, the first of which is listed when one is asked for.
//
// A choice's first order is decided by the texts alone, so that the order in which a client sorts
// its options cannot change an answer; the others rotate it by even steps. An option named by a
// single letter stands behind that letter in every order. Levels of a score are listed low to high
// or high to low, a noul's answers yes first or no first; neither has a third order.
std::vector<Order> list_orders(const QuestionText& text, QuestionType type, std::size_t n_orders);

}  // namespace logit::pipeline
