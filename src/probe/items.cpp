// The probe's items. Entry: series_of. Changing one raises Profile::kVersion.
// Tested by tests/pipeline/probe_test.cpp.
#include "probe/items.h"

#include <array>
#include <initializer_list>
#include <utility>

namespace logit::probe_items {
namespace {

constexpr std::array<Item, 8> kDesk = {{
    {"I was charged twice for the same invoice.", 0},
    {"The app shows an error and closes when I press save.", 1},
    {"I would like a quote for two hundred licences.", 2},
    {"When will my parcel be delivered?", 3},
    {"Please refund the payment from last month.", 0},
    {"I cannot log in, the page stays blank.", 1},
    {"We want to buy the larger plan for our team.", 2},
    {"The package was left at the wrong address.", 3},
}};

constexpr std::array<Item, 8> kTopic = {{
    {"The striker scored twice and the team won the cup.", 0},
    {"Fry the onions in butter, then add the rice.", 1},
    {"The doctor said the fever would pass in three days.", 2},
    {"Heavy rain and strong wind are expected tomorrow.", 3},
    {"She ran the marathon faster than last year.", 0},
    {"Bake the cake for forty minutes in a hot oven.", 1},
    {"The nurse gave the patient a vaccine.", 2},
    {"It will be sunny with a few clouds in the evening.", 3},
}};

constexpr std::array<Item, 9> kMood = {{
    {"Terrible service, I will never come back.", 0},
    {"The parcel arrived on Tuesday.", 1},
    {"Wonderful, the best purchase I ever made!", 2},
    {"It broke on the first day and nobody helped me.", 0},
    {"The box contains a cable and a manual.", 1},
    {"I love it, everything works perfectly.", 2},
    {"A complete waste of money, awful quality.", 0},
    {"The shop opens at nine o'clock.", 1},
    {"Great staff, delicious food, we were delighted.", 2},
}};

constexpr std::array<Item, 9> kUrgency = {{
    {"Whenever you have time, please change the colour of the logo.", 0},
    {"Please send the report by Friday.", 1},
    {"The building is on fire, send help now!", 2},
    {"There is no hurry, next year is fine.", 0},
    {"Could you answer this within the week?", 1},
    {"All servers are down and customers cannot pay, act immediately!", 2},
    {"Just an idea for some day in the future.", 0},
    {"We need the contract in a few days.", 1},
    {"He is not breathing, call an ambulance!", 2},
}};

constexpr std::array<Item, 8> kAngry = {{
    {"This is outrageous, I am furious with you!", 0},
    {"Thank you so much, you were very kind.", 1},
    {"How dare you ignore me, I am sick of your lies!", 0},
    {"What a lovely day, I enjoyed every minute.", 1},
    {"Stop wasting my time, you useless people!", 0},
    {"Could you please tell me your opening hours?", 1},
    {"I hate this company, you ruined my holiday!", 0},
    {"The meeting went well and we agreed on a plan.", 1},
}};

constexpr std::array<Item, 8> kMoney = {{
    {"The invoice of 300 euros is still unpaid.", 0},
    {"The cat sleeps on the sofa.", 1},
    {"My salary was paid into the wrong bank account.", 0},
    {"The train stops at every village.", 1},
    {"How much does the ticket cost?", 0},
    {"We walked along the beach at sunset.", 1},
    {"They lowered the price by ten dollars.", 0},
    {"The teacher opened the window.", 1},
}};

constexpr std::array<Item, 8> kDoor = {{
    {"The door is open.", 0},
    {"The door is closed.", 1},
    {"Somebody left the door wide open all night.", 0},
    {"She shut the door and locked it.", 1},
    {"The door stands open to let the air in.", 0},
    {"The door was locked, so nobody could enter.", 1},
    {"He opened the door and went in without closing it.", 0},
    {"The door has been shut since Monday.", 1},
}};

Question choice(const char* instructions, std::initializer_list<const char*> names) {
  Question question;
  question.id = "probe";
  question.type = QuestionType::kChoice;
  question.instructions = instructions;
  for (const char* name : names) question.options.push_back({name, {}});
  return question;
}

Question score(const char* instructions, std::initializer_list<const char*> levels) {
  Question question;
  question.id = "probe";
  question.type = QuestionType::kScore;
  question.instructions = instructions;
  for (const char* level : levels) question.levels.emplace_back(level);
  return question;
}

Question noul(const char* instructions) {
  Question question;
  question.id = "probe";
  question.instructions = instructions;
  return question;
}

}  // namespace

std::vector<Series> series_of(QuestionType type) {
  switch (type) {
    case QuestionType::kChoice:
      return {{choice("Which desk should handle this message?",
                      {"billing", "technical support", "sales", "delivery"}),
               kDesk},
              {choice("What is this text about?", {"sport", "cooking", "medicine", "weather"}),
               kTopic}};
    case QuestionType::kScore:
      return {{score("How satisfied is the writer?", {"unhappy", "neutral", "happy"}), kMood},
              {score("How urgent is this request?", {"not urgent", "within days", "emergency"}),
               kUrgency}};
    case QuestionType::kNoul:
      break;
  }
  return {{noul("Is the writer angry?"), kAngry},
          {noul("The text is about money."), kMoney},
          {noul("Is the door open?"), kDoor}};
}

}  // namespace logit::probe_items
