// The convolutions of a ResNet-8 training step (batch 32, 32x32x3) by oneDNN, each in the layout that
// it likes best: what a native library makes of the same work. Build with
//   g++ -O2 training.cpp -ldnnl
// and run with DNNL_MAX_CPU_ISA=SSE41, which holds it to 128-bit vectors, and OMP_NUM_THREADS.
// One line a convolution: pass, geometry, seconds (the least: threads of OpenMP spin while they wait for
// each other, so that a core that is taken now and then slows them manyfold), flops, how often it occurs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>

using dnnl::memory;
using Tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

constexpr int kBatch = 32;
constexpr double kSecondsPerPrimitive = 0.3;
constexpr int kFewestRuns = 5;

struct Shape {
  int from, to, size, kernel, stride, times;
};

// Layers of one shape are run once and counted as often as they occur.
const std::vector<Shape> kShapes = {
    {3, 16, 32, 3, 1, 1},  {16, 16, 32, 3, 1, 2}, {16, 32, 32, 3, 2, 1}, {32, 32, 16, 3, 1, 1},
    {16, 32, 32, 1, 2, 1}, {32, 64, 16, 3, 2, 1}, {64, 64, 8, 3, 1, 1},  {32, 64, 16, 1, 2, 1},
};

double LeastSeconds(const dnnl::primitive& primitive, dnnl::stream& stream, Arguments arguments) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < kFewestRuns || seconds_since(begin) < kSecondsPerPrimitive) {
    const auto start = Clock::now();
    primitive.execute(stream, arguments);
    stream.wait();
    times.push_back(seconds_since(start));
  }
  return *std::min_element(times.begin(), times.end());
}

memory Filled(const memory::desc& layout, const dnnl::engine& engine) {
  memory result(layout, engine);
  auto* values = static_cast<float*>(result.get_data_handle());
  for (size_t i = 0; i < layout.get_size() / sizeof(float); i++)
    values[i] = static_cast<float>((i * 2654435761u) % 1000) / 500 - 1;
  return result;
}

void Report(const char* pass, const Shape& s, double seconds) {
  const int out = s.size / s.stride;
  const double flops = 2.0 * kBatch * out * out * s.to * s.kernel * s.kernel * s.from;
  std::printf("%s %dx%d/%d_%dx%d_%d-%d %.9f %.0f %d\n", pass, s.kernel, s.kernel, s.stride, s.size,
              s.size, s.from, s.to, seconds, flops, s.times);
}

void Measure(const Shape& s, const dnnl::engine& engine, dnnl::stream& stream) {
  const int pad = s.kernel / 2;
  const int out = s.size / s.stride;
  const auto any = [](memory::dims dims) {
    return memory::desc(dims, memory::data_type::f32, Tag::any);
  };
  const auto source = any({kBatch, s.from, s.size, s.size});
  const auto weights = any({s.to, s.from, s.kernel, s.kernel});
  const auto target = any({kBatch, s.to, out, out});
  const memory::dims strides = {s.stride, s.stride};
  // Of an even image stride 2 leaves the last row of padding out.
  const memory::dims before = {pad, pad};
  const int after_pad = (out - 1) * s.stride + s.kernel - s.size - pad;
  const memory::dims after = {after_pad, after_pad};
  const auto direct = dnnl::algorithm::convolution_direct;

  using Forward = dnnl::convolution_forward;
  const Forward::desc forward_desc(dnnl::prop_kind::forward_training, direct, source, weights,
                                   target, strides, before, after);
  const Forward::primitive_desc forward(forward_desc, engine);
  Report("forward", s,
         LeastSeconds(Forward(forward), stream,
                       {{DNNL_ARG_SRC, Filled(forward.src_desc(), engine)},
                        {DNNL_ARG_WEIGHTS, Filled(forward.weights_desc(), engine)},
                        {DNNL_ARG_DST, Filled(forward.dst_desc(), engine)}}));

  using BackwardWeights = dnnl::convolution_backward_weights;
  const BackwardWeights::desc weights_desc(direct, source, weights, target, strides, before, after);
  const BackwardWeights::primitive_desc to_weights(weights_desc, engine, forward);
  Report("backwardWeight", s,
         LeastSeconds(BackwardWeights(to_weights), stream,
                       {{DNNL_ARG_SRC, Filled(to_weights.src_desc(), engine)},
                        {DNNL_ARG_DIFF_WEIGHTS, Filled(to_weights.diff_weights_desc(), engine)},
                        {DNNL_ARG_DIFF_DST, Filled(to_weights.diff_dst_desc(), engine)}}));

  if (s.from == 3) return;  // Nothing trains below the images.
  using BackwardData = dnnl::convolution_backward_data;
  const BackwardData::desc data_desc(direct, source, weights, target, strides, before, after);
  const BackwardData::primitive_desc to_data(data_desc, engine, forward);
  Report("backwardInput", s,
         LeastSeconds(BackwardData(to_data), stream,
                       {{DNNL_ARG_DIFF_SRC, Filled(to_data.diff_src_desc(), engine)},
                        {DNNL_ARG_WEIGHTS, Filled(to_data.weights_desc(), engine)},
                        {DNNL_ARG_DIFF_DST, Filled(to_data.diff_dst_desc(), engine)}}));
}

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  for (const Shape& shape : kShapes) Measure(shape, engine, stream);
}
