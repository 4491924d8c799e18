// classify: the loss of each image, and whether its largest logit (of equal ones the first) is the
// label's. Logits are shifted by the largest one, so that no exponential overflows.

struct LossGeometry {
  /// Images.
  batch: u32,
  classes: u32,
}

@group(0) @binding(0) var<uniform> geometry: LossGeometry;
/// [batch, classes]
@group(0) @binding(1) var<storage, read> logits: array<f32>;
/// [batch]: class numbers.
@group(0) @binding(2) var<storage, read> labels: array<u32>;
/// [batch]
@group(0) @binding(3) var<storage, read_write> losses: array<f32>;
/// [batch]: 1 or 0.
@group(0) @binding(4) var<storage, read_write> correct: array<f32>;

/// Lanes: image.
fn classifyLane(image: u32) {
  if (image >= geometry.batch) { return; }
  let first = image * geometry.classes;
  var winner = 0u;
  for (var c = 1u; c < geometry.classes; c++) {
    if (logits[first + c] > logits[first + winner]) { winner = c; }
  }
  let largest = logits[first + winner];
  var sum = 0.0;
  for (var c = 0u; c < geometry.classes; c++) {
    sum += exp(logits[first + c] - largest);
  }
  let label = labels[image];
  losses[image] = log(sum) + largest - logits[first + label];
  correct[image] = select(0.0, 1.0, winner == label);
}

@compute @workgroup_size(workgroupSize)
fn classify(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    classifyLane(tile * workgroupSize + lane);
  }
}
