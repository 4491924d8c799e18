// momentum.update, over the buffers of all parameters:
// velocity = momentum velocity + (gradient + decay parameter), parameter = parameter - rate velocity
//
// Four elements a load, four loads a lane: tensors start at multiples of 64 elements, so that
// nothing straddles the end of the part that decays.

struct Update {
  /// Elements of each buffer; a multiple of 64.
  length: u32,
  /// Weight decay acts on so many of the first; a multiple of 64.
  decayLength: u32,
}

/// New in every step.
struct Rates {
  learningRate: f32,
  momentum: f32,
  weightDecay: f32,
}

@group(0) @binding(0) var<uniform> update: Update;
@group(0) @binding(1) var<storage, read> gradients: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> parameters: array<vec4f>;
@group(0) @binding(4) var<uniform> rates: Rates;

/// Elements of a lane.
const elementsPerLane = 16u;

fn updateFour(at: u32) {
  if (4u * at >= update.length) { return; }
  let parameter = parameters[at];
  let decay = select(0.0, rates.weightDecay, 4u * at < update.decayLength);
  let gradient = fma(vec4f(decay), parameter, gradients[at]);
  let velocity = fma(vec4f(rates.momentum), velocities[at], gradient);
  velocities[at] = velocity;
  parameters[at] = fma(vec4f(-rates.learningRate), velocity, parameter);
}

@compute @workgroup_size(workgroupSize)
fn momentumUpdate(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    let first = tile * workgroupSize * (elementsPerLane / 4u) + lane;
    for (var load = 0u; load < elementsPerLane / 4u; load++) {
      updateFour(first + load * workgroupSize);
    }
  }
}
