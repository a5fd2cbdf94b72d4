// The problem shapes that Timeloop brings along, by name.
// Does not know sizes.
// See timeloop_parts.hpp.
#include "reference/timeloop_parts.hpp"

#include <algorithm>
#include <array>

namespace reference::timeloop {

namespace {

using Space = ShapeText::DataSpaceText;

constexpr std::array kConvolution{
    Space{"Weights", "C, K, R, S", false},
    Space{"Inputs", "N, C, R*Wdilation + P*Wstride, S*Hdilation + Q*Hstride", false},
    Space{"Outputs", "N, K, Q, P", true},
};
constexpr std::array kProduct{
    Space{"A", "M, K", false},
    Space{"B", "N, K", false},
    Space{"Z", "M, N", true},
};
constexpr std::array kProductAndSum{
    Space{"A", "M, K", false},
    Space{"B", "N, K", false},
    Space{"C", "M, N", false},
    Space{"D", "M, N", true},
};
const std::array kShapes{
    ShapeText{"cnn_layer", "R S P Q C K N", "Wstride Hstride Wdilation Hdilation", kConvolution},
    ShapeText{"gemm_ABZ", "M N K", "", kProduct},
    ShapeText{"gemm", "M N K", "", kProductAndSum},
};

}  // namespace

const ShapeText* preset(std::string_view name) {
    for (const std::string_view ending : {".yaml", ".yml", ".cfg"})
        if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending)
            name.remove_suffix(ending.size());
    std::string plain(name);
    std::replace(plain.begin(), plain.end(), '-', '_');
    const auto found = std::find_if(kShapes.begin(), kShapes.end(),
                                    [&](const ShapeText& s) { return s.name == plain; });
    return found == kShapes.end() ? nullptr : &*found;
}

}  // namespace reference::timeloop
