// conv2d.backwardWeight, first of two calls, as an implicit matrix product whose tiles are staged in
// workgroup memory: 64 rows of the weight by 32 output channels a workgroup of 64 lanes, eight output
// pixels deep. What is summed, and its slices, are those of conv2d-backward-weight.wgsl.
//
// Each lane stages the inputs of one row of the weight, an input channel at a tap, and makes eight
// rows by four channels.

const tileRows = 64u;
const tileChannels = 32u;
const depth = 8u;

/// [depth][tileRows], [depth][tileChannels]
var<workgroup> leftTile: array<f32, 512>;
var<workgroup> gradientTile: array<f32, 256>;

@group(0) @binding(1) var<storage, read> left: array<f32>;
@group(0) @binding(2) var<storage, read> gradient: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

/// The input that an output pixel meets at a tap, zero outside the image.
fn inputAt(pixel: u32, tap: vec2u, channel: u32) -> f32 {
  let x = pixel % geometry.outWidth;
  let imageRow = pixel / geometry.outWidth;
  let y = imageRow % geometry.outHeight;
  let image = imageRow / geometry.outHeight;
  let at = vec2i(vec2u(y, x) * geometry.stride + tap)
    - vec2i(vec2u(geometry.padTop, geometry.padLeft));
  let size = vec2i(vec2u(geometry.inHeight, geometry.inWidth));
  let inside = all((at >= vec2i()) & (at < size));
  let met = vec2u(clamp(at, vec2i(), size - 1));
  let element = ((image * geometry.inHeight + met.x) * geometry.inWidth + met.y)
    * geometry.inChannels + channel;
  return select(0.0, left[element], inside);
}

/// Tiles: slice, 64 rows of the weight, 32 channels (fastest).
fn stagedTile(tile: u32, lane: u32) {
  let channels = geometry.outChannels;
  let weightRows = geometry.kernelHeight * geometry.kernelWidth * geometry.inChannels;
  let channelGroups = (channels + tileChannels - 1u) / tileChannels;
  let rowGroups = (weightRows + tileRows - 1u) / tileRows;
  let firstChannel = tile % channelGroups * tileChannels;
  let firstRow = tile / channelGroups % rowGroups * tileRows;
  let slice = tile / channelGroups / rowGroups;

  let own = min(firstRow + lane, weightRows - 1u);
  let ownChannel = own % geometry.inChannels;
  let ownTap = own / geometry.inChannels;
  let tap = vec2u(ownTap / geometry.kernelWidth, ownTap % geometry.kernelWidth);
  let firstPixel = slice * geometry.rowsPerSlice * geometry.outWidth;
  let endPixel = min(
    firstPixel + geometry.rowsPerSlice * geometry.outWidth,
    geometry.batch * geometry.outHeight * geometry.outWidth,
  );
  let laneRow = lane / 8u * 8u;
  let laneChannel = lane % 8u * 4u;
  #each p c
  var sum$(p)_$(c) = 0.0;
  #end
  for (var first = firstPixel; first < endPixel; first += depth) {
    workgroupBarrier();
    for (var d = 0u; d < depth; d++) {
      leftTile[d * tileRows + lane] = inputAt(min(first + d, endPixel - 1u), tap, ownChannel);
    }
    for (var at = lane; at < depth * tileChannels; at += 64u) {
      let pixel = first + at / tileChannels;
      let channel = min(firstChannel + at % tileChannels, channels - 1u);
      let value = gradient[min(pixel, endPixel - 1u) * channels + channel];
      gradientTile[at] = select(0.0, value, pixel < endPixel);
    }
    workgroupBarrier();
    for (var d = 0u; d < depth; d++) {
      #each p
      let x$(p) = leftTile[d * tileRows + laneRow + $(p)u];
      #end
      #each c
      let g$(c) = gradientTile[d * tileChannels + laneChannel + $(c)u];
      #end
      #each p c
      sum$(p)_$(c) = fma(x$(p), g$(c), sum$(p)_$(c));
      #end
    }
  }

  let channel = firstChannel + laneChannel;
  #each p
  if (firstRow + laneRow + $(p)u < weightRows) {
    let element = (slice * weightRows + firstRow + laneRow + $(p)u) * channels + channel;
    #each c
    if (channel + $(c)u < channels) { result[element + $(c)u] = sum$(p)_$(c); }
    #end
  }
  #end
}

@compute @workgroup_size(workgroupSize)
fn makeTiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    stagedTile(tile, lane);
  }
}
