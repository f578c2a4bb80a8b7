// The README's C++ example: one question about a text, asked of a model on this machine.
//
//   example_classify MODEL.gguf
#include <logit/classifier.h>
#include <logit/llama_backend.h>

#include <cstdio>
#include <utility>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  logit::LlamaOptions options;
  options.path = argv[1];
  auto backend = logit::open_llama_backend(options);
  if (!backend) return std::fprintf(stderr, "%s\n", backend.error().message.c_str()), 1;
  auto classifier = logit::Classifier::create(std::move(*backend), {});
  if (!classifier) return std::fprintf(stderr, "%s\n", classifier.error().message.c_str()), 1;

  logit::Question team;
  team.id = "team";
  team.type = logit::QuestionType::kChoice;
  team.instructions = "Which team should handle this message?";
  team.options = {{"billing", "charges, refunds, invoices"},
                  {"shipping", "parcels and delivery"},
                  {"technical problem", {}}};
  logit::Request request;
  request.state = "I was charged twice for the same order.";
  request.questions = {team};

  const auto reply = classifier->classify(request);
  if (!reply) return std::fprintf(stderr, "%s\n", reply.error().message.c_str()), 1;
  const logit::Answer& answer = reply->answers.front();
  for (std::size_t i = 0; i < team.options.size(); ++i) {
    std::printf("%-20s %.3f\n", team.options[i].name.c_str(), answer.probabilities[i]);
  }
}
