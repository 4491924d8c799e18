// add: sum = left + right. Joins the gradients of branches.

struct Addition {
  /// Elements.
  length: u32,
}

@group(0) @binding(0) var<uniform> geometry: Addition;
/// [length]
@group(0) @binding(1) var<storage, read> left: array<f32>;
/// [length]
@group(0) @binding(2) var<storage, read> right: array<f32>;
/// [length]
@group(0) @binding(3) var<storage, read_write> sum: array<f32>;

/// Lanes: elements.
fn addLane(lane: u32) {
  if (lane >= geometry.length) { return; }
  sum[lane] = left[lane] + right[lane];
}

@compute @workgroup_size(workgroupSize)
fn addBranches(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    addLane(tile * workgroupSize + lane);
  }
}
