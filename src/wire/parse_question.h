// One question of a request.
#pragma once

#include <string>

#include "logit/content.h"
#include "logit/types.h"
#include "wire/faults.h"

namespace logit::wire {

// Takes what the question needs out of `body`. The result is meant for use only when no fault was
// added.
Question take_question(std::string id, Content& body, const Place& place, FaultList& faults);

// Adds a fault for a key that stood before in the same object.
void add_repeated(const Place& place, FaultList& faults);

}  // namespace logit::wire
