// Who may call: keys, the Host and Origin rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "message.h"

namespace logit::serve {

// Where the service is reached, as far as the Host rule cares.
enum class Reach : unsigned char {
  kLoopback,  // a browser on this machine reaches it: foreign names in Host are refused
  kNetwork,   // other machines do: their names for this one are not known here
  kSocket,    // a Unix socket: no browser reaches it
};

struct Access {
  Reach reach = Reach::kLoopback;
  std::vector<std::string> keys;     // empty: everybody may call
  std::vector<std::string> origins;  // of other web pages that may call; "*" is every page
};

// Whether `authorization` ("Bearer KEY") has one of the keys; true when there are no keys. Takes
// equally long for every wrong key of one length.
bool has_key(const Access& access, std::string_view authorization);

// Whether a Host header names this machine by a loopback name, with any port.
bool is_loopback_host(std::string_view host);

// A name that is not this machine's was made to point here by somebody else's web page (DNS
// rebinding). With keys that page has none, and a proxy may pass its own names on.
bool may_use_host(const Access& access, std::string_view host);

enum class Origin : unsigned char {
  kNone,     // not a web page, or a page of this server
  kAllowed,  // another page on the list
  kForeign,
};
Origin classify_origin(const Access& access, const Head& head);

}  // namespace logit::serve
