// concat.forward and concat.backward: copies a block of channels from one place among a pixel's
// channels to another. One call for each branch.

struct ChannelBlock {
  /// Images x height x width.
  pixels: u32,
  /// Channels of the block.
  channels: u32,
  /// Channels of a pixel of the source, and where the block starts among them.
  sourceChannels: u32,
  sourceFirst: u32,
  /// The same of the target.
  targetChannels: u32,
  targetFirst: u32,
}

@group(0) @binding(0) var<uniform> geometry: ChannelBlock;
/// [pixels, sourceChannels]
@group(0) @binding(1) var<storage, read> source: array<f32>;
/// [pixels, targetChannels]; channels beside the block stay as they are.
@group(0) @binding(2) var<storage, read_write> destination: array<f32>;

/// Lanes: pixel, channel of the block (fastest).
fn copyLane(lane: u32) {
  let pixel = lane / geometry.channels;
  if (pixel >= geometry.pixels) { return; }
  let channel = lane % geometry.channels;
  destination[pixel * geometry.targetChannels + geometry.targetFirst + channel] =
    source[pixel * geometry.sourceChannels + geometry.sourceFirst + channel];
}

@compute @workgroup_size(workgroupSize)
fn copyChannels(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    copyLane(tile * workgroupSize + lane);
  }
}
