// softmaxCrossEntropy: the loss of each image and the gradient of their mean,
// losses[image] = log(sum over c of exp(logits[image][c])) - logits[image][label]
// logitsGradient[image][c] = (softmax(logits[image])[c] - (1 where c is the label)) / batch
//
// Logits are shifted by the largest one, so that no exponential overflows.

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
/// [batch, classes]
@group(0) @binding(4) var<storage, read_write> logitsGradient: array<f32>;

/// Lanes: image.
fn lossLane(image: u32) {
  if (image >= geometry.batch) { return; }
  let first = image * geometry.classes;
  var largest = logits[first];
  for (var c = 1u; c < geometry.classes; c++) {
    largest = max(largest, logits[first + c]);
  }
  var sum = 0.0;
  for (var c = 0u; c < geometry.classes; c++) {
    sum += exp(logits[first + c] - largest);
  }
  let label = labels[image];
  losses[image] = log(sum) + largest - logits[first + label];
  for (var c = 0u; c < geometry.classes; c++) {
    let probability = exp(logits[first + c] - largest) / sum;
    logitsGradient[first + c] = (probability - select(0.0, 1.0, c == label)) / f32(geometry.batch);
  }
}

@compute @workgroup_size(workgroupSize)
fn softmaxCrossEntropy(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    lossLane(tile * workgroupSize + lane);
  }
}
