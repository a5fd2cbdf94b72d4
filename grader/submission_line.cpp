// The shapes that a line of submissions can have, most telling first.
// Does not read files.
// See submission_line.hpp and docs/submissions.md.
#include "grader/submission_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace grader {

namespace {

constexpr std::int64_t kMostSamples = 1'000'000'000;

const Json* value_of(const Json& object, std::string_view key) {
    const Json* value = object.find(key);
    return value && !value->is_null() ? value : nullptr;
}

const std::string* text_of(const Json& object, std::string_view key) {
    const Json* value = object.find(key);
    return value ? value->string() : nullptr;
}

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    if (text[0] == '-' || number > kMostSamples) return std::nullopt;
    return number;
}

/// Optional whole number of a key part. False: there, but unusable.
bool read_count(const Json& object, std::string_view key, std::optional<std::int64_t>& out) {
    const Json* value = value_of(object, key);
    if (!value) return true;
    const std::int64_t* number = value->integer();
    if (!number || *number < 0 || *number > kMostSamples) return false;
    out = *number;
    return true;
}

/// The last assistant turn. Null: there is none.
const Json* last_assistant(const Json& messages) {
    const Json::Array* turns = messages.array_items();
    if (!turns) return nullptr;
    for (auto turn = turns->rbegin(); turn != turns->rend(); ++turn) {
        const std::string* role = text_of(*turn, "role");
        if (role && *role == "assistant") return &*turn;
    }
    return nullptr;
}

Json no_content() {
    return Json();
}

/// The reply of one object to drafts. Reads the key first, then the one payload.
class LineReading {
  public:
    LineReading(const Json& line, const LineContext& context) : line_(line), context_(context) {
        base_.where = context.where;
    }

    std::vector<Draft> run() {
        if (read_key()) read_payload();
        return std::move(drafts_);
    }

  private:
    bool problem(std::string what) {
        base_.problem = std::move(what);
        drafts_.push_back(base_);
        return false;
    }
    void ungraded(std::string why) {
        Draft draft = base_;
        draft.why = std::move(why);
        drafts_.push_back(std::move(draft));
    }

    bool read_key() {
        if (const std::string* model = text_of(line_, "model"))
            base_.model = *model;
        else if (value_of(line_, "model"))
            return problem("\"model\" is no string");
        else
            base_.model = context_.model;
        std::optional<std::int64_t> round;
        if (!read_count(line_, "sample", base_.sample))
            return problem("\"sample\" is no whole number");
        if (!read_count(line_, "round", round)) return problem("\"round\" is no whole number");
        base_.round = round.value_or(0);
        if (!read_task()) return false;
        if (base_.task.empty()) return problem("the task's id is empty: whose reply is this?");
        return read_language();
    }

    bool read_task() {
        for (const std::string_view key : {"task_id", "question_id"}) {
            if (const std::string* id = text_of(line_, key)) {
                base_.task = *id;
                return true;
            }
            if (value_of(line_, key)) return problem(fmt::format("\"{}\" is no string", key));
        }
        if (const std::string* id = text_of(line_, "custom_id")) {
            if (read_custom_id(*id, base_)) return true;
            return problem(fmt::format("\"custom_id\" {} is not task#sample[#round]", quoted(*id)));
        }
        if (line_.find("epoch")) return read_inspect_key();
        if (const Json* doc = line_.find("doc")) return read_lm_eval_key(*doc);
        return problem("no \"task_id\" or \"custom_id\": whose reply is this?");
    }

    /// inspect: samples of one task name, with an epoch that counts from 1.
    bool read_inspect_key() {
        std::optional<std::int64_t> epoch;
        const std::string* id = text_of(line_, "id");
        if (!id) return problem("\"id\" is no string");
        if (!read_count(line_, "epoch", epoch) || epoch.value_or(0) < 1)
            return problem("\"epoch\" is no whole number from 1");
        base_.task = *id;
        base_.sample = *epoch - 1;
        return true;
    }

    bool read_lm_eval_key(const Json& doc) {
        for (const std::string_view key : {"task_id", "question_id"})
            if (const std::string* id = text_of(doc, key)) base_.task = *id;
        if (base_.task.empty()) base_.task = context_.task;
        if (!base_.model && !context_.folder.empty()) base_.model = context_.folder;
        if (base_.task.empty()) return problem("\"doc\" has no \"task_id\"");
        return true;
    }

    bool read_language() {
        const Json* value = value_of(line_, "language");
        if (!value) return true;
        const std::string* text = value->string();
        if (text) base_.language = parse_language(*text);
        if (base_.language) return true;
        const std::string shown = text ? quoted(*text) : dump(*value).substr(0, 80);
        // The body of a batch line may still name the model of the key.
        if (const Json* body = batch_body()) read_body_model(*body);
        ungraded(fmt::format("unknown language {}", shown));
        return false;
    }

    const Json* batch_body() const {
        const Json* response = value_of(line_, "response");
        return response ? value_of(*response, "body") : nullptr;
    }
    void read_body_model(const Json& body) {
        if (base_.model) return;
        if (const std::string* model = text_of(body, "model")) base_.model = *model;
    }

    void read_payload() {
        first_ = base_.sample;
        if (const std::string* reason = text_of(line_, "finish_reason"))
            base_.finish_reason = *reason;
        if (line_.find("custom_id") && (line_.find("response") || line_.find("error")))
            return read_batch();
        if (line_.find("resps")) return read_lm_eval();
        if (const Json* output = value_of(line_, "output"); output && output->members())
            return read_chat(*output);
        if (line_.find("epoch")) return ungraded("the sample has no output");
        read_plain();
    }

    /// Exactly one of the plain payload keys; null counts only where nothing else is there.
    void read_plain() {
        constexpr std::array<std::string_view, 9> kKeys{"code",     "solution",  "completion",
                                                        "text",     "choices",   "messages",
                                                        "response", "code_list", "output"};
        std::vector<std::string_view> present, empty;
        for (const std::string_view key : kKeys) {
            if (value_of(line_, key))
                present.push_back(key);
            else if (line_.find(key))
                empty.push_back(key);
        }
        if (present.size() > 1)
            return ungraded(
                fmt::format("both \"{}\" and \"{}\": which is the reply?", present[0], present[1]));
        if (present.empty() && empty.empty())
            return ungraded("no reply: no \"completion\", \"code\" or \"choices\"");
        if (present.empty()) return reply(no_content(), false);
        const Json& payload = *value_of(line_, present[0]);
        if (present[0] == "code" || present[0] == "solution")
            return reply_text(payload, present[0]);
        if (present[0] == "code_list") return read_code_list(payload);
        if (present[0] == "choices") return read_chat(line_);
        if (payload.members()) return read_chat(payload);
        if (present[0] == "messages" || is_dialogue(payload)) return read_messages(payload);
        reply(payload, false);
    }

    static bool is_dialogue(const Json& payload) {
        const Json::Array* items = payload.array_items();
        return items && !items->empty() && items->front().find("role");
    }

    void reply_text(const Json& payload, std::string_view key) {
        if (!payload.string()) return ungraded(fmt::format("\"{}\" is no string", key));
        reply(payload, true);
    }

    void reply(const Json& content, bool is_code) {
        Draft draft = base_;
        draft.is_code = is_code;
        if (auto text = content_text(content))
            draft.text = std::move(*text);
        else
            draft.why = "the content is neither a string nor a list of parts";
        drafts_.push_back(std::move(draft));
    }

    void read_messages(const Json& messages) {
        const Json* turn = last_assistant(messages);
        if (!turn) return ungraded("no message of the role \"assistant\"");
        const Json* content = turn->find("content");
        reply(content ? *content : no_content(), false);
    }

    void read_code_list(const Json& list) {
        const Json::Array* items = list.array_items();
        if (!items || items->empty()) return ungraded("\"code_list\" is empty or no list");
        for (std::size_t i = 0; i < items->size(); ++i) {
            number(static_cast<std::int64_t>(i), static_cast<std::int64_t>(items->size()));
            reply_text((*items)[i], "code_list");
        }
    }

    void read_batch() {
        const Json* body = batch_body();
        const Json* response = value_of(line_, "response");
        if (body) read_body_model(*body);
        if (const Json* error = value_of(line_, "error"))
            return ungraded("the request failed: " + short_text(*error));
        const std::int64_t* status = response && response->find("status_code")
                                         ? response->find("status_code")->integer()
                                         : nullptr;
        if (status && (*status < 200 || *status > 299))
            return ungraded(fmt::format("the request failed with status {}", *status));
        if (!body) return ungraded("the response has no body");
        read_chat(*body);
    }

    static std::string short_text(const Json& error) {
        if (const std::string* message = text_of(error, "message")) return quoted(*message);
        return quoted(dump(error));
    }

    /// A chat or text completion response; n > 1 gives several choices.
    void read_chat(const Json& body) {
        read_body_model(body);
        const Json* choices = value_of(body, "choices");
        const Json::Array* items = choices ? choices->array_items() : nullptr;
        if (!items || items->empty()) {
            if (const Json* error = value_of(body, "error"))
                return ungraded("the request failed: " + short_text(*error));
            return ungraded("the response has no \"choices\"");
        }
        const auto count = static_cast<std::int64_t>(items->size());
        const std::string reason = base_.finish_reason;
        for (std::int64_t position = 0; position < count; ++position) {
            const Json& choice = (*items)[static_cast<std::size_t>(position)];
            number(index_of(choice, position, count), count);
            base_.finish_reason = reason;
            read_choice(choice);
        }
    }

    /// Several replies in one line: sample s of the line becomes s * count + position.
    void number(std::int64_t position, std::int64_t count) {
        if (first_) base_.sample = *first_ * count + position;
    }

    static std::int64_t index_of(const Json& choice, std::int64_t position, std::int64_t count) {
        const Json* index = choice.find("index");
        const std::int64_t* number = index ? index->integer() : nullptr;
        return number && *number >= 0 && *number < count ? *number : position;
    }

    /// Reasoning beside the content is not the reply; a refusal leaves the content null.
    void read_choice(const Json& choice) {
        for (const std::string_view key : {"finish_reason", "stop_reason"})
            if (const std::string* reason = text_of(choice, key)) {
                base_.finish_reason = *reason;
                break;
            }
        if (const std::string* text = text_of(choice, "text")) return reply(Json(*text), false);
        const Json* message = value_of(choice, "message");
        if (!message) return ungraded("a choice without a message");
        const Json* content = message->find("content");
        reply(content ? *content : no_content(), false);
    }

    /// log_samples: one list of replies per request. Filtered replies are not used: filters cut
    /// code.
    void read_lm_eval() {
        const Json::Array* requests = line_.find("resps")->array_items();
        if (!requests || requests->empty()) return ungraded("\"resps\" is empty or no list");
        std::vector<const Json*> replies;
        for (const Json& request : *requests) {
            const Json::Array* texts = request.array_items();
            if (!texts) return ungraded("\"resps\" is no list of lists");
            for (const Json& text : *texts) {
                if (!text.string()) return ungraded("\"resps\" holds no texts");
                replies.push_back(&text);
            }
        }
        if (replies.empty()) return ungraded("\"resps\" is empty");
        for (std::size_t i = 0; i < replies.size(); ++i) {
            number(static_cast<std::int64_t>(i), static_cast<std::int64_t>(replies.size()));
            reply(*replies[i], false);
        }
    }

    const Json& line_;
    const LineContext& context_;
    Draft base_;
    std::optional<std::int64_t> first_;  // the sample that the line names
    std::vector<Draft> drafts_;
};

Draft problem_at(const LineContext& context, std::string what) {
    Draft draft;
    draft.where = context.where;
    draft.problem = std::move(what);
    return draft;
}

/// bigcode generations: a list per task, in the order of the tasks.
void read_generations(const Json::Array& lists, const LineContext& context,
                      std::vector<Draft>& drafts) {
    for (std::size_t task = 0; task < lists.size(); ++task) {
        LineContext inner = context;
        inner.where = fmt::format("{}[{}]", context.where, task);
        const Json::Array* samples = lists[task].array_items();
        if (!samples || samples->empty()) {
            drafts.push_back(problem_at(inner, "a list of generations is due here"));
            continue;
        }
        for (const Json& sample : *samples) {
            Draft draft;
            draft.where = inner.where;
            draft.model = context.model;
            draft.task_index = task;
            draft.is_code = true;
            if (const std::string* text = sample.string())
                draft.text = *text;
            else
                draft.why = "the generation is no string";
            drafts.push_back(std::move(draft));
        }
    }
}

void read_items(const Json::Array& items, const LineContext& context, std::vector<Draft>& drafts) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        LineContext inner = context;
        inner.where = fmt::format("{}[{}]", context.where, i);
        if (!items[i].members()) {
            drafts.push_back(
                problem_at(inner, fmt::format("expected an object, found {}", items[i].kind())));
            continue;
        }
        for (Draft& draft : LineReading(items[i], inner).run()) drafts.push_back(std::move(draft));
    }
}

}  // namespace

bool read_custom_id(std::string_view id, Draft& draft) {
    const auto first = id.find('#');
    draft.task = std::string(id.substr(0, first));
    if (first == std::string_view::npos) return !draft.task.empty();
    const std::string_view rest = id.substr(first + 1);
    const auto second = rest.find('#');
    const auto sample = number_in(rest.substr(0, second));
    const auto round = second == std::string_view::npos ? std::optional<std::int64_t>(draft.round)
                                                        : number_in(rest.substr(second + 1));
    if (draft.task.empty() || !sample || !round) return false;
    draft.sample = *sample;
    draft.round = *round;
    return true;
}

std::optional<std::string> content_text(const Json& content) {
    if (content.is_null()) return std::string();
    if (const std::string* text = content.string()) return *text;
    const Json::Array* parts = content.array_items();
    if (!parts) return std::nullopt;
    std::string all;
    for (const Json& part : *parts) {
        if (const std::string* text = part.string()) {
            all += *text;
            continue;
        }
        if (!part.members()) return std::nullopt;
        const std::string* type = text_of(part, "type");
        const std::string* text = text_of(part, "text");
        // Reasoning, images and calls of tools are not the reply.
        const bool shown = !type || *type == "text" || *type == "output_text";
        if (shown && text) all += *text;
    }
    return all;
}

std::vector<Draft> read_line(const Json& value, const LineContext& context) {
    std::vector<Draft> drafts;
    if (const Json::Array* items = value.array_items()) {
        if (!items->empty() && items->front().array_items())
            read_generations(*items, context, drafts);
        else
            read_items(*items, context, drafts);
        if (items->empty()) drafts.push_back(problem_at(context, "an empty list"));
        return drafts;
    }
    if (!value.members())
        return {problem_at(context, fmt::format("expected an object, found {}", value.kind()))};
    const Json* samples = value.find("samples");
    if (!samples || !samples->array_items() || !value.find("eval"))
        return LineReading(value, context).run();
    // A whole inspect log.
    LineContext inner = context;
    if (const std::string* model = text_of(*value.find("eval"), "model")) inner.model = *model;
    read_items(*samples->array_items(), inner, drafts);
    if (drafts.empty()) drafts.push_back(problem_at(context, "the log holds no samples"));
    return drafts;
}

}  // namespace grader
