// Facts about chat templates: what stands around a user's turn, and that thinking is closed.
#include "llama/chat_template.h"

#include <gtest/gtest.h>
#include <llama.h>

#include <string>
#include <vector>

namespace logit {
namespace {

struct Family {
  const char* name;
  const char* chat_template;  // with the marks by which a family is known, no more
  const char* open;
  const char* close;
};

const Family kFamilies[] = {
    {"ChatML", "<|im_start|>{{ role }}", "<|im_start|>user\n",
     "<|im_end|>\n<|im_start|>assistant\n"},
    {"Llama 3", "<|start_header_id|>{{ role }}<|end_header_id|>",
     "<|start_header_id|>user<|end_header_id|>\n\n",
     "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"},
    {"Llama 4", "<|header_start|>{{ role }}<|header_end|>",
     "<|header_start|>user<|header_end|>\n\n",
     "<|eot|><|header_start|>assistant<|header_end|>\n\n"},
    {"Llama 2", "[INST] <<SYS>>", "[INST] ", " [/INST]"},
    // Case C46: no system role, the user's turn alone.
    {"Gemma", "{{ raise_exception('System role not supported') }}<start_of_turn>",
     "<start_of_turn>user\n", "<end_of_turn>\n<start_of_turn>model\n"},
    {"Gemma 4", "'<|turn>' + role + '\\n' '<turn|>\\n'", "<|turn>user\n",
     "<turn|>\n<|turn>model\n"},
    {"Mistral 1", "' [INST] ' + system_message", " [INST] ", " [/INST]"},
    {"Mistral 3", "'[INST] ' [AVAILABLE_TOOLS]", "[INST] ", "[/INST]"},
    {"Mistral 3 Tekken", "\"[INST]\" [AVAILABLE_TOOLS]", "[INST]", "[/INST]"},
    {"Mistral 7", "[INST] [SYSTEM_PROMPT]", "[INST] ", "[/INST]"},
    // The engine takes it for the one before.
    {"Mistral 7 Tekken", "{{ '[SYSTEM_PROMPT]' }}{{ '[INST]' + content + '[/INST]' }}", "[INST]",
     "[/INST]"},
    {"Phi 3", "<|user|> <|end|> <|assistant|>", "<|user|>\n", "<|end|>\n<|assistant|>\n"},
    {"Phi 4", "<|im_start|>user<|im_sep|>", "<|im_start|>user<|im_sep|>",
     "<|im_end|><|im_start|>assistant<|im_sep|>"},
    {"Falcon 3", "<|user|> <|assistant|> </s>", "<|user|>\n", "\n<|assistant|>\n"},
    {"Zephyr", "<|user|> <|endoftext|>", "<|user|>\n", "<|endoftext|>\n<|assistant|>\n"},
    {"Vicuna", "USER: ASSISTANT: ", "USER: ", "\nASSISTANT:"},
    {"DeepSeek Coder", "### Instruction: <|EOT|>", "### Instruction:\n", "\n### Response:\n"},
    {"DeepSeek 2", "'Assistant: ' + message['content'] + eos_token", "User: ", "\n\nAssistant:"},
    {"DeepSeek 3",
     "<\xEF\xBD\x9C"
     "User\xEF\xBD\x9C><\xEF\xBD\x9C"
     "Assistant\xEF\xBD\x9C>"
     "<\xEF\xBD\x9C"
     "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>",
     "<\xEF\xBD\x9CUser\xEF\xBD\x9C>",
     "<\xEF\xBD\x9C"
     "Assistant\xEF\xBD\x9C>"},
    {"Command R", "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>", "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>",
     "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"},
    {"Granite", "<|start_of_role|>", "<|start_of_role|>user<|end_of_role|>",
     "<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"},
    {"GigaChat",
     "message['role'] + additional_special_tokens[0] + message['content'] + "
     "additional_special_tokens[1]",
     "<s>user<|role_sep|>",
     "<|message_sep|>available functions<|role_sep|>[]<|message_sep|>assistant<|role_sep|>"},
    {"Kimi K2", "<|im_assistant|>assistant<|im_middle|>", "<|im_user|>user<|im_middle|>",
     "<|im_end|><|im_assistant|>assistant<|im_middle|>"},
    // An answer begins behind the head of its channel.
    {"gpt-oss", "<|start|> <|channel|>", "<|start|>user<|message|>",
     "<|end|><|start|>assistant<|channel|>final<|message|>"},
    {"Solar Open", "<|begin|> <|end|> <|content|>", "<|begin|>user<|content|>",
     "<|end|><|begin|>assistant<|content|>"},
};

TEST(RenderTurn, GivesWhatStandsAroundAUsersTurn) {
  for (const Family& family : kFamilies) {
    const Result<TurnLiterals> turn = render_turn(family.chat_template);
    ASSERT_TRUE(turn) << family.name << ": " << turn.error().message;
    EXPECT_EQ(turn->open, family.open) << family.name;
    EXPECT_EQ(turn->close, family.close) << family.name;
  }
}

// Every template the engine has built in gives a turn, but for the one that marks none.
TEST(RenderTurn, KnowsAllThatTheEngineKnows) {
  std::vector<const char*> names(200);
  const auto n = static_cast<std::size_t>(llama_chat_builtin_templates(names.data(), names.size()));
  ASSERT_GE(n, 50U);
  names.resize(n);
  for (const std::string name : names) {
    EXPECT_EQ(static_cast<bool>(render_turn(name)), name != "deepseek-ocr") << name;
  }
}

TEST(RenderTurn, SaysWhyThereIsNoFrame) {
  EXPECT_EQ(render_turn("{{ messages }}").error().message,
            "chat template is not one the engine knows");
  EXPECT_EQ(render_turn("deepseek-ocr").error().message,
            "chat template does not mark where a turn ends");
}

// Case C47.
TEST(RenderTurn, ATemplateThatTrimsIsNoticed) {
  EXPECT_TRUE(render_turn("<start_of_turn>")->trims);
  EXPECT_TRUE(render_turn("<|start_header_id|><|end_header_id|>")->trims);
  EXPECT_FALSE(render_turn("<|im_start|>")->trims);
}

struct Thinking {
  const char* name;
  const char* chat_template;
  const char* ending;  // of what stands before an answer
};

// Case C49: an answer that started with thinking would have no label in its first place.
TEST(RenderTurn, ThinkingIsClosedBeforeTheAnswer) {
  const Thinking kThinking[] = {
      {"switched by an argument (Qwen 3)",
       "<|im_start|> {% if c %}'<think>\\n' + reasoning + '\\n</think>\\n\\n'{% endif %}"
       "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% if enable_thinking is "
       "false"
       " %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}",
       "<|im_start|>assistant\n<think>\n\n</think>\n\n"},
      {"always opened (QwQ)",
       "<|im_start|> {% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}",
       "<|im_start|>assistant\n<think>\n\n</think>\n\n"},
      {"the end tag alone means none (DeepSeek 3.1)",
       "<|im_start|>{% if add_generation_prompt %}{% if not thinking %}{{ '</think>' }}{% else %}"
       "{{ '<think>' }}{% endif %}",
       "<|im_start|>assistant\n</think>"},
      {"opened by the engine (Ring)", "bailing-think",
       "<role>ASSISTANT</role><think>\n\n</think>\n\n"},
      {"other tags (Command A)",
       "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>'<|START_THINKING|><|END_THINKING|>'",
       "<|CHATBOT_TOKEN|><|START_THINKING|><|END_THINKING|>"},
      {"a channel (Gemma 4)", "<|turn> <turn|> {{ '<|channel>thought\\n<channel|>' }}",
       "<|turn>model\n<|channel>thought\n<channel|>"},
      {"a mention only (Granite)",
       "<|start_of_role|> 'Write your thoughts between <think></think> and stop.'",
       "<|start_of_role|>assistant<|end_of_role|>"},
      {"history only (Qwen 3 Instruct 2507)",
       "<|im_start|> {% if c %}'<think>\\n' + reasoning + '\\n</think>\\n\\n'{% endif %}"
       "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
       "<|im_end|>\n<|im_start|>assistant\n"},
  };
  for (const Thinking& thinking : kThinking) {
    const Result<TurnLiterals> turn = render_turn(thinking.chat_template);
    ASSERT_TRUE(turn) << thinking.name << ": " << turn.error().message;
    EXPECT_TRUE(turn->close.ends_with(thinking.ending)) << thinking.name << ": " << turn->close;
  }
}

}  // namespace
}  // namespace logit
