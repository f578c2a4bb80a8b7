// Classifies items block by block; entry: ask_rows. Tested by tests/cli/run_test.cpp.
#include "eval/ask_rows.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace logit::eval {
namespace {

std::vector<Request> requests_of(std::span<const Item> items) {
  std::vector<Request> requests;
  for (const Item& item : items) {
    Request& request = requests.emplace_back();
    request.state = item.row->state;
    request.questions.push_back(*item.question);
  }
  return requests;
}

std::string name_of(const Item& item, const std::string& what) {
  return what.empty() ? item.row->id : item.row->id + " (" + what + ")";
}

// Every reply of a call carries the call's totals, so one of them counts.
void add_cost(Asked& asked, const std::vector<Result<Reply>>& replies) {
  for (const Result<Reply>& reply : replies) {
    if (!reply) continue;
    asked.evaluated_tokens += reply->diagnostics.evaluated_tokens;
    asked.reused_tokens += reply->diagnostics.reused_tokens;
    return;
  }
}

}  // namespace

Result<Asked> ask_rows(Classifier& classifier, std::span<const Item> items,
                       const AskOptions& options,
                       const std::function<void(std::size_t, const Reply&)>& take) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t block = std::max<std::size_t>(options.block, 1);
  Asked asked;
  for (std::size_t done = 0; done < items.size();) {
    const auto part = items.subspan(done, std::min(block, items.size() - done));
    const std::vector<Request> requests = requests_of(part);
    std::vector<Result<Reply>> replies =
        classifier.classify(std::span<const Request>(requests), options.stop);
    add_cost(asked, replies);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (replies[i]) {
        take(done + i, *replies[i]);
        continue;
      }
      Error error = std::move(replies[i]).error();
      const std::string name = name_of(part[i], options.what);
      if (error.code == ErrorCode::kTooLong) {
        asked.failed.push_back(name + ": " + error.message);
        continue;
      }
      error.where = "row " + name + (error.where.empty() ? "" : ": " + error.where);
      return error;
    }
    done += part.size();
    if (options.progress) options.progress(done, items.size());
  }
  asked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return asked;
}

}  // namespace logit::eval
