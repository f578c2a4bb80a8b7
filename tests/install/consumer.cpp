// A user's program: parses a request and says how many questions it asks.
#include <logit/wire.h>

#include <iostream>

int main() {
  const auto request = logit::parse_request(R"({
    "state": "I was charged twice.",
    "model": "logit-latest",
    "questions": {
      "team": {"type": "choice", "criteria": {"billing": null, "shipping": null}},
      "angry": {"type": "noul", "instructions": "Is the writer angry?"}
    }
  })");
  if (!request) {
    std::cerr << request.error().message << '\n';
    return 1;
  }
  std::cout << "questions: " << request->questions.size() << '\n';
}
