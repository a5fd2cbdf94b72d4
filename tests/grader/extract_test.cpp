// Tests of grader/extract.hpp: the known ways in which replies mislead extractors, one by one.
// Not of Markdown itself (markdown_test.cpp) or of definitions (definition_test.cpp).
// Run by the unit suite.
#include "grader/extract.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <string>

using grader::Extraction;
using grader::Language;
using grader::Reason;
using namespace std::string_literals;

namespace {

constexpr std::array kAll{Language::cpp, Language::python, Language::lua};
const std::string kPython = "def predict(w, a, m):\n    return {}\n";
const std::string kLua = "function predict(w, a, m)\n  return {}\nend\n";
const std::string kCpp =
    "Prediction predict(const Workload& w, const Architecture&, const Mapping&) {\n  return "
    "{};\n}\n";

grader::Submission reply(std::string text, std::string finish_reason = "") {
    grader::Submission submission;
    submission.text = std::move(text);
    submission.finish_reason = std::move(finish_reason);
    return submission;
}

Extraction read(std::string text, std::string finish_reason = "") {
    return grader::extract(reply(std::move(text), std::move(finish_reason)), kAll, "predict");
}

std::string fenced(const std::string& tag, const std::string& code) {
    return "```" + tag + "\n" + code + "```\n";
}

std::string code_of(const Extraction& extraction) {
    return extraction.source ? extraction.source->bytes : "none";
}

}  // namespace

TEST_CASE("extract: prose around one block (1, 3, 6, 11)") {
    const Extraction found =
        read("Here you go:\n\n" + fenced("python", kPython) + "\nIt is `fast`.\n");
    CHECK(code_of(found) == kPython);
    CHECK(found.source->language == Language::python);
    CHECK(found.rule == "last_defining_block");
    CHECK(found.candidates == 1);
    CHECK_FALSE(found.other_policies_differ);
    CHECK_FALSE(found.truncated);
}

TEST_CASE("extract: literal backticks in prose are no fences (2)") {
    CHECK(code_of(read("Use ``` for code, and ```x``` too.\n```print(1)```\n" +
                       fenced("lua", kLua))) == kLua);
    CHECK(read("Wrap it in ``` please ```.").rule == "no_block");
}

TEST_CASE("extract: an inner run of backticks closes only what it can close (4, 22)") {
    const std::string code = "# ```\n" + kPython;
    CHECK(code_of(read("````python\n" + code + "```\n" + "````\n")) == code + "```\n");
    CHECK(code_of(read("~~~py\n" + kPython + "~~~~\n")) == kPython);
    CHECK(code_of(read("~~~py\n```\n" + kPython + "~~~\n")) == "```\n" + kPython);
}

TEST_CASE("extract: the last block that defines the entry point wins (5)") {
    const std::string draft = "def predict(w, a, m):\n    return None\n";
    const Extraction found =
        read(fenced("python", draft) + "Better:\n" + fenced("python", kPython) + "Use:\n" +
             fenced("python", "print(predict(w, a, m))\n"));
    CHECK(code_of(found) == kPython);
    CHECK(found.candidates == 3);
    CHECK(found.other_policies_differ);
}

TEST_CASE("extract: blocks are never joined; without a definition the last is taken") {
    const Extraction found = read(fenced("python", "import math\n") + fenced("python", "x = 1\n"));
    CHECK(code_of(found) == "x = 1\n");
    CHECK(found.rule == "last_block");
}

TEST_CASE("extract: blocks of other languages are passed over") {
    const Extraction found =
        read(fenced("cpp", kCpp) + fenced("bash", "g++ -c a.cpp\n") + fenced("text", "out\n"));
    CHECK(code_of(found) == kCpp);
    CHECK(found.candidates == 1);
    CHECK(read(fenced("rust", "fn predict() {}\n")).rule == "no_block_of_a_task_language");
}

TEST_CASE("extract: reasoning is cut first (7, 10)") {
    const std::string draft = "def predict(w, a, m):\n    pass\n";
    for (const char* tag : {"think", "thinking", "THINK", "reasoning", "Thought"}) {
        const std::string open = "<"s + tag + ">", close = "</"s + tag + ">";
        CHECK(code_of(read(open + "\n" + fenced("python", draft) + close + "\n" +
                           fenced("python", kPython))) == kPython);
        CHECK(code_of(read(fenced("python", kPython) + open + "\n" + fenced("python", draft) +
                           close)) == kPython);
        CHECK(code_of(read("Sure. " + open + "a```" + close + fenced("python", kPython))) ==
              kPython);
    }
    CHECK(code_of(read("[THINK]\n" + fenced("python", draft) + "[/THINK]" +
                       fenced("python", kPython))) == kPython);
}

TEST_CASE("extract: a closing tag alone cuts all before it, an open fence included (10)") {
    const std::string draft = "def predict(w, a, m):\n    pass\n";
    CHECK(code_of(read(fenced("python", draft) + "so that works.</think>\n" +
                       fenced("python", kPython))) == kPython);
    CHECK(code_of(read("```python\n" + draft + "</think>\n" + fenced("python", kPython))) ==
          kPython);
    CHECK(read(fenced("python", draft) + "</think>\nDone.").reason == Reason::no_code);
}

TEST_CASE("extract: an opening tag without a closing one lasts to the end") {
    const Extraction cut = read("<think>\n" + fenced("python", kPython), "length");
    CHECK_FALSE(cut.source);
    CHECK(cut.reason == Reason::truncated);
    CHECK(cut.rule == "unclosed_reasoning");
    CHECK(cut.truncated);
    CHECK(read("<think>\nhm", "stop").reason == Reason::no_code);
    // A mention is not an opening.
    CHECK(code_of(read("I do not use <think> here.\n" + fenced("python", kPython))) == kPython);
    CHECK(code_of(read("`</think>` is a tag.\n" + fenced("python", "x = '<think>'\n" + kPython))) ==
          "x = '<think>'\n" + kPython);
}

TEST_CASE("extract: a lone fence is the closing one of a block that the prompt opened (9)") {
    const Extraction found = read(kPython + "```\n");
    CHECK(code_of(found) == kPython);
    CHECK(found.rule == "text_before_lone_fence");
    CHECK_FALSE(found.truncated);
    CHECK(code_of(read(kPython + "```\nIt returns nothing.\n")) == kPython);
    CHECK(code_of(read("thoughts</think>" + kPython + "```")) == kPython);
    CHECK(code_of(read(fenced("python", kPython) + "done\n```\n")) == kPython);
    CHECK(read("Just prose.\n```\n").rule == "no_block");
}

TEST_CASE("extract: the first word of code is not a tag (12)") {
    CHECK_FALSE(read("```def predict(w, a, m):\n    return {}\n```\n").source);
    CHECK(code_of(read("```python title=\"a.py\"\n" + kPython + "```")) == kPython);
}

TEST_CASE("extract: a reply cut off is truncated, not wrong (13, 20, 25)") {
    const Extraction open = read("```lua\nfunction predict(w, a, m)\n  local x = ", "length");
    CHECK(open.reason == Reason::truncated);
    CHECK(open.rule == "unclosed_block");
    CHECK(open.truncated);
    CHECK(read("```lua\n" + kLua, "stop").reason == Reason::truncated);
    CHECK(read(fenced("lua", kLua) + "or\n```lua\nfunc").reason == Reason::truncated);
    CHECK(read(fenced("lua", kLua) + "or\n```lua").reason == Reason::truncated);
    CHECK(read("The idea is", "length").reason == Reason::truncated);
    CHECK(read(fenced("python", "import math\n") + "Then", "length").reason == Reason::truncated);
    const Extraction whole = read(fenced("lua", kLua) + "It is", "max_tokens");
    CHECK(code_of(whole) == kLua);
    CHECK(whole.truncated);
    const Extraction usage = read(fenced("lua", kLua) + "```bash\nlua x");
    CHECK(code_of(usage) == kLua);
    CHECK(usage.truncated);
}

TEST_CASE("extract: every kind of line end is read and kept (15)") {
    const std::string crlf = "def predict(w, a, m):\r\n    return {}\r\n";
    CHECK(code_of(read("Hi\r\n```python\r\n" + crlf + "```\r\n")) == crlf);
    const std::string cr = "def predict(w, a, m):\r    return {}\r";
    CHECK(code_of(read("Hi\r```python\r" + cr + "```\r")) == cr);
}

TEST_CASE("extract: a NUL in code is refused with its rule (16)") {
    const Extraction found = read(fenced("python", kPython + "\0\n"s));
    CHECK(found.reason == Reason::wrong_format);
    CHECK(found.rule == "nul_in_code");
    CHECK(code_of(read("a\0b\n"s + fenced("python", kPython))) == kPython);
}

TEST_CASE("extract: no block, no text, no content (19, 25)") {
    CHECK(read("").rule == "empty");
    CHECK(read(" \n").reason == Reason::no_code);
    CHECK(read("I cannot help.").rule == "no_block");
    const Extraction bare = read(kPython);
    CHECK(bare.reason == Reason::no_code);
    CHECK(bare.rule == "no_block_but_definition");
}

TEST_CASE("extract: diffs and search/replace blocks are a wrong format (21, 23)") {
    const std::string diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+def predict(w, a, m):\n";
    CHECK(read(fenced("diff", diff)).reason == Reason::wrong_format);
    CHECK(read(fenced("", diff)).rule == "diff");
    CHECK(read(fenced("cpp", "--- a\n+++ b\n@@ -1 +1,2 @@\n+" + kCpp)).reason ==
          Reason::wrong_format);
    CHECK(read(diff).reason == Reason::wrong_format);
    CHECK(read("x.py\n" + fenced("python", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"))
              .reason == Reason::wrong_format);
    CHECK(code_of(read(fenced("python", kPython) + fenced("diff", diff))) == kPython);
}

TEST_CASE("extract: indented and quoted fences lose the indentation that CommonMark removes (22)") {
    CHECK(code_of(read("  ```python\n  def predict(w, a, m):\n      return {}\n  ```\n")) ==
          kPython);
    CHECK(code_of(read(
              "1. Code:\n\n   ```python\n   def predict(w, a, m):\n       return {}\n   ```\n")) ==
          kPython);
    CHECK(code_of(read("> ```python\n> def predict(w, a, m):\n>     return {}\n> ```\n")) ==
          kPython);
    CHECK(code_of(read("- > ```python\n  > def predict(w, a, m):\n  >     return {}\n  > ```\n")) ==
          kPython);
    CHECK(read("text\n\n    ```python\n    def predict(w, a, m):\n    ```\n").reason ==
          Reason::no_code);
}

TEST_CASE("extract: odd characters stay as they are and are hinted at (24, 26, 27)") {
    const std::string code = "# a &lt; b \xE2\x80\x9Cq\xE2\x80\x9D \xEF\xBB\xBF\n" + kPython;
    const Extraction found = read(fenced("python", code));
    CHECK(code_of(found) == code);
    CHECK(found.hints ==
          std::vector<std::string>{"html_entities", "byte_order_mark", "curly_quotes"});
    const Extraction coloured =
        read("\x1b[32m```python\x1b[0m\n" + kPython + "\x1b[1m```\x1b[0m\n");
    CHECK(code_of(coloured) == kPython);
    CHECK(code_of(read("\xEF\xBB\xBF" + fenced("python", kPython))) == kPython);
}

TEST_CASE("extract: untagged blocks get their language from the line, else from their form") {
    CHECK(read(fenced("", kPython)).source->language == Language::python);
    CHECK(read(fenced("", kLua)).source->language == Language::lua);
    CHECK(read(fenced("", kCpp)).source->language == Language::cpp);
    CHECK(read(fenced("", "x = 1\n")).rule == "language_unknown");
    auto submission = reply(fenced("", "x = 1\n"));
    submission.language = Language::lua;
    CHECK(grader::extract(submission, kAll, "predict").source->language == Language::lua);
}

TEST_CASE("extract: two languages at once fail closed (29)") {
    const Extraction found = read(fenced("", "predict = other\n"));
    CHECK(found.reason == Reason::no_code);
    CHECK(found.rule == "ambiguous_language");
}

TEST_CASE("extract: the language of the line narrows the candidates") {
    auto submission = reply(fenced("lua", kLua) + fenced("python", kPython));
    submission.language = Language::lua;
    CHECK(code_of(grader::extract(submission, kAll, "predict")) == kLua);
    constexpr std::array kOnlyCpp{Language::cpp};
    CHECK(grader::extract(submission, kOnlyCpp, "predict").rule == "language_not_of_task");
}

TEST_CASE("extract: code is taken as it is") {
    grader::Submission submission = reply("```\n" + kLua);
    submission.is_code = true;
    CHECK(code_of(grader::extract(submission, kAll, "predict")) == "```\n" + kLua);
    submission.text = "x = 1";
    CHECK(grader::extract(submission, kAll, "predict").rule == "language_unknown");
    submission.language = Language::python;
    CHECK(grader::extract(submission, kAll, "predict").rule == "as_given");
    submission.text = " \n";
    CHECK(grader::extract(submission, kAll, "predict").reason == Reason::no_code);
}

TEST_CASE("extract: long hostile replies take linear time (28)") {
    const auto repeat = [](std::string_view piece) {
        std::string all;
        while (all.size() < 1'000'000) all += piece;
        return all;
    };
    for (const char* piece : {"`",
                              "```\n",
                              "```py\nx\n",
                              "```\nx\n```\n",
                              "<think>",
                              "</think>",
                              "<think></think>",
                              "> ",
                              "- ",
                              "- \n",
                              "~",
                              "\\",
                              "```py\nR\"(\n```\n",
                              "[[=",
                              "\"\"\"",
                              "x ",
                              "\r",
                              "\x1b[",
                              "> ```\n",
                              "1. a\n\n",
                              "```\npredict(\n```\n",
                              "``` <think>\n"}) {
        const std::string text = repeat(piece);
        CHECK_NOTHROW(read(text));
        for (const std::string& code :
             {fenced("cpp", text), fenced("lua", text), fenced("python", text), "-\n" + text})
            CHECK_NOTHROW(read(code));
    }
}
