// ChatTemplate: the literal text a model's template puts around a user's turn.
#pragma once

#include <string>

#include "logit/result.h"

namespace logit {

struct TurnLiterals {
  std::string open;        // before what the user says
  std::string close;       // after it, up to where the answer begins: thinking is opened and closed
  bool trims = false;      // the template drops white space around what the user says
  bool names_bos = false;  // the template writes the beginning-of-text token itself
};

// Renders the template with one user turn and no system turn. llama.cpp knows about fifty
// templates by marks in their text; it runs no template language.
// Errors: kModelLoad, saying why this template gives no frame.
Result<TurnLiterals> render_turn(const std::string& chat_template);

}  // namespace logit
