// conv2d.backwardWeight, second of two calls: sum[element] = sum over slices of partials[slice][element],
// in slice order, so that the result depends on shapes alone.

struct Slices {
  /// How many there are.
  count: u32,
  /// Elements of each.
  length: u32,
}

@group(0) @binding(0) var<uniform> slices: Slices;
/// [count][length]
@group(0) @binding(1) var<storage, read> partials: array<f32>;
/// [length]
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;

/// Elements of a lane.
const elementsPerLane = 16u;

fn sumElement(element: u32) {
  if (element >= slices.length) { return; }
  var sum = 0.0;
  for (var slice = 0u; slice < slices.count; slice++) {
    sum += partials[slice * slices.length + element];
  }
  sums[element] = sum;
}

@compute @workgroup_size(workgroupSize)
fn sumSlices(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    let first = tile * workgroupSize * elementsPerLane + lane;
    for (var element = 0u; element < elementsPerLane; element++) {
      sumElement(first + element * workgroupSize);
    }
  }
}
