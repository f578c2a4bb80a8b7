// Values that become prompt text: a string, or anything structured.
#pragma once

#include "logit/content.h"
#include "wire/faults.h"

namespace logit::wire {

enum class Nulls : unsigned char { kAllowed, kRefused };

// Takes `value` out of the document, repeated keys resolved to the last. Adds a fault when it is a
// number or a bool, null where that is refused, or has a picture in it; `what` names it then.
Content take_prose(Content& value, Nulls nulls, const char* what, const Place& place,
                   FaultList& faults);

// Adds the fault for a field or value that is not there.
void add_missing(const char* what, const Place& place, FaultList& faults);

}  // namespace logit::wire
