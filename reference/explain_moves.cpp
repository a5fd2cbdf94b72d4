// Plays the closed form once more and says what it does. The pieces are those of evaluate.cpp, so
// the sums printed here are those of the table; a test compares them.
// See explain_moves.hpp.
#include "reference/explain_moves.hpp"

#include "reference/advance.hpp"
#include "reference/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace reference {

namespace {

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string plural(std::int64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string text(Count words) {
    return words.too_large() ? "over 2^63-1" : fmt::format("{}", words.value());
}

/// Of one data space.
class Moves {
  public:
    Moves(const ExplainInputs& in, std::size_t data_space)
        : in_(in),
          d_(data_space),
          space_(in.input.workload.data_spaces[data_space]),
          motion_(space_, in.nest.loops()),
          flows_(in.input.mapping.levels.size()) {}

    std::optional<std::string> explain() {
        const auto& [workload, architecture, mapping] = in_.input;
        if (!trace({architecture, mapping, in_.semantics}, motion_, d_, flows_))
            return std::nullopt;
        for (std::size_t parent = 0; parent < flows_.size(); ++parent) explain_boundary(parent);
        return std::move(out_);
    }

  private:
    [[nodiscard]] bool keeps(std::size_t level) const {
        return in_.input.mapping.levels[level].keep[d_];
    }
    [[nodiscard]] std::string name(std::size_t level) const {
        return level == flows_.size() ? "the units" : in_.traffic.levels[level].name;
    }
    [[nodiscard]] bool is_linked(std::size_t parent) const {
        const Count links = flows_[parent].inwards.links;
        return links.too_large() || links.value() > 0;
    }

    void explain_boundary(std::size_t parent) {
        const std::size_t child = parent + 1;
        add(out_, "{} from {} to {}\n", space_.name, name(parent), name(child));
        if (space_.output)
            out_ +=
                "  partial sums: on each visit of a tile its words come down, and go up again as "
                "updates\n";
        if (child == flows_.size())
            add(out_,
                "  the units hold nothing: in each of the {} steps a unit asks for its word\n",
                motion_.steps_outside(child));
        else if (keeps(child))
            explain_arrivals(child);
        explain_sharing(parent);
        if (child < flows_.size() && keeps(child)) explain_fills(child);
        if (keeps(parent)) explain_accesses(parent);
        out_ += '\n';
    }

    /// From the outermost loop to the innermost, and their sum.
    void explain_arrivals(std::size_t child) {
        const Motion::Box box = motion_.box(child);
        std::vector<Advance> advances;
        for_each_advance(motion_, child, in_.semantics, box,
                         [&](const Advance& advance) { advances.push_back(advance); });
        std::reverse(advances.begin(), advances.end());
        add(out_, "  the first tile: {}\n", plural(box.words, "word", "words"));
        std::string sum = fmt::format("{}", box.words);
        for (const Advance& advance : advances) {
            const NestLoop& loop = motion_.loops()[advance.loop];
            add(out_, "  {} in {} advances {}{}: {}\n",
                in_.input.workload.dimensions[index(loop.dimension)].name, name(loop.level),
                plural(loop.bound - 1, "time", "times"),
                loop.rounds == 1
                    ? ""
                    : fmt::format(" in each of {} rounds, {} in all", loop.rounds, advance.times),
                advance_text(advance, box));
            if (advance.words > 0) add(sum, " + {} x {}", advance.times, advance.words);
        }
        const std::string arrivals = text(flows_[child - 1].inwards.arrivals);
        add(out_, "  one {} receives {}{} words\n", name(child), sum == arrivals ? "" : sum + " = ",
            arrivals);
    }

    [[nodiscard]] std::string advance_text(const Advance& advance, const Motion::Box& box) const {
        if (advance.kind == Delivered::nothing) return "the tile is the same, nothing is new";
        std::string moved;
        for (std::size_t r = 0; r < motion_.ranks(); ++r)
            if (advance.moved[r] != 0)
                add(moved, "{}{} in {}", moved.empty() ? "" : ", ", advance.moved[r],
                    rank_text(in_.input.workload, space_.ranks[r]));
        std::string words =
            fmt::format("moves by {}, {} of {} words are new", moved, advance.words, box.words);
        if (advance.kind == Delivered::whole)
            words = fmt::format("moves by {}, not the step before: all {} words come again",
                                moved.empty() ? "nothing" : moved, box.words);
        return "the tile " + words;
    }

    void explain_sharing(std::size_t parent) {
        const Passed& passed = flows_[parent].inwards;
        const std::size_t child = parent + 1;
        if (passed.children > 1)
            add(out_, "  one {} has {} children with {}: {}\n", name(parent), passed.children,
                plural(passed.distinct, "different tile", "different tiles"),
                passed.distinct == passed.children
                    ? "nothing is shared"
                    : (space_.output ? "equal ones are added up on the way"
                                     : "one access serves all equal ones"));
        if (is_linked(parent))
            add(out_,
                "  links: {} words come from a neighbour that had them one step before; {} are "
                "received from {}\n",
                text(passed.links), text(passed.served), name(parent));
        const std::string accesses =
            is_linked(parent)      ? fmt::format("{} (without links {})", text(passed.accesses),
                                                 text(passed.arrivals * Count(passed.distinct)))
            : passed.distinct == 1 ? text(passed.accesses)
                                   : fmt::format("{} x {} = {}", text(passed.arrivals),
                                                 passed.distinct, text(passed.accesses));
        if (child == flows_.size() || keeps(child)) {
            add(out_, "  accesses of {}: {}\n", name(parent), accesses);
            return;
        }
        add(out_, "  {} bypasses {}: what is asked of it, {}, is passed on to {}", name(child),
            space_.name, flows_[child].accesses.text(), name(parent));
        if (is_linked(parent))
            add(out_, ", times {} x {} / {} (words that a link would have saved are counted)",
                text(passed.accesses), passed.children, text(passed.served));
        else if (passed.distinct > 1)
            add(out_, ", from {} different children", passed.distinct);
        add(out_, ": {}\n", flows_[parent].accesses.text());
    }

    /// What neighbours of one instance of a level gave it, on average.
    [[nodiscard]] Fraction from_neighbours(std::size_t level) const {
        if (level == 0 || !is_linked(level - 1)) return {};
        return Fraction(flows_[level - 1].inwards.links) /
               Fraction(Count(in_.traffic.levels[level].instances));
    }

    void explain_fills(std::size_t child) {
        const Passed& above = flows_[child - 1].inwards;
        Fraction sum(above.arrivals);
        std::string terms = fmt::format("{} received", text(above.arrivals));
        if (is_linked(child - 1)) {
            const Fraction served = Fraction(above.served) / Fraction(Count(above.children));
            sum = served + from_neighbours(child);
            terms = fmt::format("{} from outside + {} from neighbours", served.text(),
                                from_neighbours(child).text());
        }
        add_number({"fills", child, in_.traffic.levels[child].movements[d_]->fills,
                    space_.output ? "rounded" : "cut"},
                   std::move(terms), sum);
    }

    void explain_accesses(std::size_t level) {
        const Movement& movement = *in_.traffic.levels[level].movements[d_];
        const Fraction& accesses = flows_[level].accesses;
        const Fraction neighbours = from_neighbours(level);
        std::string terms = fmt::format("{} accesses", accesses.text());
        if (level > 0 && is_linked(level - 1))
            add(terms, " + {} for neighbours", neighbours.text());
        add_number({"reads", level, movement.reads, "rounded"}, std::move(terms),
                   accesses + neighbours);
        if (!space_.output) return;
        const bool whole = accesses.is_whole();
        add(out_, "  updates of {} at {} = {} accesses{} = {}\n", space_.name, name(level),
            accesses.text(), whole ? "" : ", rounded", movement.updates);
    }

    /// A number of the table, and how it was made of a sum.
    struct Number {
        std::string_view what;
        std::size_t level;
        std::int64_t value;
        std::string_view cut_or_rounded;  // where the sum is not whole
    };
    /// "  fills of Z at Buffer = 96 received - 24 first touches = 72"
    void add_number(const Number& number, std::string terms, const Fraction& sum) {
        if (space_.output)
            add(terms, " - {} first touches, which need no read",
                flows_[number.level].partition_words);
        add(out_, "  {} of {} at {} = {}{} = {}\n", number.what, space_.name, name(number.level),
            terms, sum.is_whole() ? "" : fmt::format(", {}", number.cut_or_rounded), number.value);
    }

    const ExplainInputs& in_;
    std::size_t d_;
    const DataSpace& space_;
    Motion motion_;
    std::vector<LevelFlow> flows_;
    std::string out_;
};

}  // namespace

std::string rank_text(const Workload& workload, const Rank& rank) {
    std::string out;
    for (const Term& term : rank)
        add(out, "{}{}{}", out.empty() ? "" : "+",
            term.coefficient == 1 ? "" : fmt::format("{}", term.coefficient),
            workload.dimensions[index(term.dimension)].name);
    return out;
}

std::optional<std::string> explain_moves(const ExplainInputs& in, std::size_t data_space) {
    return Moves(in, data_space).explain();
}

}  // namespace reference
