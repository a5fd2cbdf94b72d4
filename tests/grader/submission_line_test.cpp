// Tests of grader/submission_line.hpp: every shape that other tools write.
// Not of keys across lines (submission_test.cpp).
// Run by the unit suite.
#include "grader/submission_line.hpp"

#include <doctest/doctest.h>

#include <string>

using grader::Draft;

namespace {

std::vector<Draft> read(std::string_view json,
                        const grader::LineContext& context = {"f:1", "", "", {}}) {
    grader::JsonOptions options;
    options.depth = 64;
    const auto value = grader::parse_json(json, options);
    if (!value) FAIL(value.error().what);
    return grader::read_line(*value, context);
}

Draft one(std::string_view json) {
    auto drafts = read(json);
    REQUIRE(drafts.size() == 1);
    return drafts[0];
}

}  // namespace

TEST_CASE("submission_line: our own line, every field") {
    const Draft draft = one(R"({"task_id":"a","model":"m","sample":3,"round":2,"language":"C++17",
                                "finish_reason":"stop","completion":"text","other":1})");
    CHECK(draft.problem.empty());
    CHECK(draft.why.empty());
    CHECK(draft.task == "a");
    CHECK(draft.model == "m");
    CHECK(draft.sample == 3);
    CHECK(draft.round == 2);
    CHECK(draft.language == grader::Language::cpp);
    CHECK(draft.finish_reason == "stop");
    CHECK(draft.text == "text");
    CHECK_FALSE(draft.is_code);
    CHECK(one(R"({"task_id":"a","code":"x"})").is_code);
    CHECK_FALSE(one(R"({"task_id":"a","text":"x"})").is_code);
    CHECK_FALSE(one(R"({"task_id":"a","model":null,"sample":null,"text":"x"})").sample);
}

TEST_CASE("submission_line: HumanEval and EvalPlus samples") {
    CHECK(one(R"({"task_id":"HumanEval/0","completion":"    return 1\n"})").text ==
          "    return 1\n");
    CHECK(one(R"({"task_id":"HumanEval/0","solution":"def f(): pass"})").is_code);
}

TEST_CASE("submission_line: chat responses; content may be null or a list of parts") {
    CHECK(one(R"({"task_id":"a","choices":[{"message":{"content":"x"},"finish_reason":"length"}]})")
              .finish_reason == "length");
    const Draft none = one(
        R"({"task_id":"a","choices":[{"message":{"content":null,"reasoning_content":"```py\n```","refusal":"no"}}]})");
    CHECK(none.why.empty());
    CHECK(none.text.empty());
    CHECK(one(R"({"task_id":"a","choices":[{"message":{"content":[{"type":"reasoning","text":"r"},
        {"type":"text","text":"p"},{"type":"image_url","image_url":{}},"q"]}}]})")
              .text == "pq");
    CHECK(one(R"({"task_id":"a","choices":[{"text":"old","finish_reason":"stop"}]})").text ==
          "old");
    CHECK(one(R"({"task_id":"a","response":{"model":"m","choices":[{"message":{"content":"x"}}]}})")
              .model == "m");
    CHECK(one(R"({"task_id":"a","choices":[{"message":{"content":7}}]})").why ==
          "the content is neither a string nor a list of parts");
    CHECK(one(R"({"task_id":"a","choices":[]})").why == "the response has no \"choices\"");
}

TEST_CASE("submission_line: several choices are several samples") {
    const char* body =
        R"("choices":[{"index":1,"message":{"content":"x"},"finish_reason":"length"},{"index":0,"message":{"content":"y"}}]})";
    const auto open = read(std::string(R"({"task_id":"a",)") + body);
    REQUIRE(open.size() == 2);
    CHECK_FALSE(open[0].sample);
    const auto numbered = read(std::string(R"({"task_id":"a","sample":2,)") + body);
    CHECK(numbered[0].sample == 5);
    CHECK(numbered[1].sample == 4);
    CHECK(numbered[0].finish_reason == "length");
    CHECK(numbered[1].finish_reason.empty());
}

TEST_CASE("submission_line: batch lines of OpenAI and vLLM") {
    const Draft ok =
        one(R"({"id":"r1","custom_id":"a#4#2","response":{"status_code":200,"request_id":"q",
        "body":{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}},"error":null})");
    CHECK(ok.task == "a");
    CHECK(ok.sample == 4);
    CHECK(ok.round == 2);
    CHECK(ok.model == "m");
    CHECK(ok.text == "x");
    CHECK(one(R"({"custom_id":"a#0","response":null,"error":{"code":"x","message":"expired"}})")
              .why == "the request failed: \"expired\"");
    CHECK(
        one(R"({"custom_id":"a#0","response":{"status_code":500,"body":{"error":{}}},"error":null})")
            .why == "the request failed with status 500");
    CHECK(one(R"({"custom_id":"a#0","response":{"status_code":200,"body":null}})").why ==
          "the response has no body");
    CHECK_FALSE(
        one(R"({"custom_id":"a","response":{"body":{"choices":[{"message":{"content":"x"}}]}}})")
            .sample);
    for (const char* id :
         {"a#", "#0", "a#x", "a#-1", "a#0#", "a#0#y", "a#1.5", "a#99999999999999999999", ""})
        CHECK_FALSE(
            one(std::string(R"({"custom_id":")") + id + R"(","response":{}})").problem.empty());
}

TEST_CASE("submission_line: chat data sets and dialogues") {
    CHECK(
        one(R"({"task_id":"a","messages":[{"role":"assistant","content":"draft"},{"role":"user","content":"?"},
        {"role":"assistant","content":[{"type":"text","text":"final"}]},{"role":"tool","content":"t"}]})")
            .text == "final");
    CHECK(one(R"({"task_id":"a","completion":[{"role":"assistant","content":"x"}]})").text == "x");
    CHECK(one(R"({"task_id":"a","messages":[{"role":"user","content":"?"}]})").why ==
          "no message of the role \"assistant\"");
}

TEST_CASE("submission_line: lm-eval samples") {
    const auto drafts = read(R"({"doc_id":0,"doc":{"task_id":"a"},"target":"","arguments":[],
        "resps":[["x","y"]],"filtered_resps":["z"],"doc_hash":"h"})");
    REQUIRE(drafts.size() == 2);
    CHECK(drafts[1].text == "y");
    CHECK(drafts[1].task == "a");
    const auto named =
        read(R"({"doc_id":0,"doc":{},"resps":[["x"]]})", {"f:1", "a", "m-folder", {}});
    CHECK(named[0].task == "a");
    CHECK(named[0].model == "m-folder");
    CHECK(one(R"({"doc":{"task_id":"a"},"resps":[[[-1.5,true]]]})").why ==
          "\"resps\" holds no texts");
    CHECK(one(R"({"doc":{},"resps":[["x"]]})").problem == "\"doc\" has no \"task_id\"");
}

TEST_CASE("submission_line: inspect logs, whole and by sample") {
    const auto drafts = read(R"({"version":2,"eval":{"model":"m","task":"t"},"samples":[
        {"id":"a","epoch":1,"messages":[],"output":{"model":"m-2","choices":[{"message":{"content":"x"},"stop_reason":"max_tokens"}]}},
        {"id":"a","epoch":2,"error":{"message":"boom"}},
        {"id":7,"epoch":1,"output":{}}]})");
    REQUIRE(drafts.size() == 3);
    CHECK(drafts[0].sample == 0);
    CHECK(drafts[0].model == "m");
    CHECK(drafts[0].finish_reason == "max_tokens");
    CHECK(drafts[0].where == "f:1[0]");
    CHECK(drafts[1].sample == 1);
    CHECK(drafts[1].why == "the sample has no output");
    CHECK(drafts[2].problem == "\"id\" is no string");
    CHECK(
        one(R"({"id":"a","epoch":3,"output":{"model":"m","choices":[{"message":{"content":"x"}}]}})")
            .sample == 2);
}

TEST_CASE("submission_line: bigcode lists and LiveCodeBench lists") {
    const auto lists = read(R"([["x","y"],["z",4]])");
    REQUIRE(lists.size() == 4);
    CHECK(lists[2].task_index == 1U);
    CHECK(lists[2].is_code);
    CHECK(lists[3].why == "the generation is no string");
    const auto custom =
        read(R"([{"question_id":"a","code_list":["x","y"]},{"question_id":"b","code_list":[]},7])");
    REQUIRE(custom.size() == 4);
    CHECK(custom[1].text == "y");
    CHECK(custom[1].is_code);
    CHECK(custom[2].why == "\"code_list\" is empty or no list");
    CHECK(custom[3].problem == "expected an object, found an integer");
}

TEST_CASE("submission_line: an empty id names no task, in any shape") {
    for (const char* line :
         {R"({"task_id":"","completion":"x"})", R"({"question_id":"","code":"x"})",
          R"({"id":"","epoch":1,"output":{"completion":"x"}})"})
        CHECK(one(line).problem == "the task's id is empty: whose reply is this?");
}

TEST_CASE("submission_line: what cannot be decided is said, not guessed") {
    CHECK(one(R"({"task_id":"a","code":"x","completion":"y"})").why ==
          "both \"code\" and \"completion\": which is the reply?");
    CHECK(one(R"({"task_id":"a","code":null,"completion":"y"})").text == "y");
    CHECK(one(R"({"task_id":"a"})").why.starts_with("no reply"));
    CHECK(one(R"({"task_id":"a","completion":null})").why.empty());
    CHECK(one(R"({"task_id":"a","code":["x"]})").why == "\"code\" is no string");
    CHECK(one(R"({"task_id":"a","language":"rust","completion":"y"})").why ==
          "unknown language \"rust\"");
    CHECK(one(R"({"task_id":7,"completion":"y"})").problem == "\"task_id\" is no string");
    CHECK(one(R"({"task_id":"a","model":7,"completion":"y"})").problem == "\"model\" is no string");
    CHECK(one(R"({"task_id":"a","sample":0.0,"completion":"y"})").problem ==
          "\"sample\" is no whole number");
    CHECK(one(R"({"task_id":"a","round":"1","completion":"y"})").problem ==
          "\"round\" is no whole number");
}
