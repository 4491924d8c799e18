// conv2d.forward and conv2d.backwardInput as an implicit matrix product whose tiles are staged in
// workgroup memory: 64 result pixels by 32 channels a workgroup of 64 lanes, eight channels deep.
//
// Each lane stages the left values of one pixel and makes eight pixels by four channels. Before it
// comes the direction (conv2d-window-*.wgsl), which says which pixels a tap meets.

/// Rows of a lane's pixels at a time, as the direction asks for.
const rows = 1u;
const tilePixels = 64u;
const tileChannels = 32u;
const depth = 8u;

/// [depth][tilePixels], [depth][tileChannels]
var<workgroup> leftTile: array<f32, 512>;
var<workgroup> weightTile: array<f32, 256>;

@group(0) @binding(1) var<storage, read> left: array<f32>;
@group(0) @binding(2) var<storage, read> weight: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;
@group(0) @binding(4) var<storage, read> addend: array<f32>;

/// Tiles: phase, 64 pixels of all its images, 32 channels (fastest).
fn stagedTile(tile: u32, lane: u32) {
  let size = leftSize();
  let results = resultSize();
  let channelGroups = (results.channels + tileChannels - 1u) / tileChannels;
  let pixels = geometry.batch * results.height * results.width;
  let pixelGroups = (pixels + tilePixels - 1u) / tilePixels;
  let firstChannel = tile % channelGroups * tileChannels;
  let firstPixel = tile / channelGroups % pixelGroups * tilePixels;
  let phase = tile / channelGroups / pixelGroups;

  let own = min(firstPixel + lane, pixels - 1u);
  let ownImage = own / results.width / results.height;
  let window = windowOf(phase, own / results.width % results.height, own % results.width);
  let taps = tapsOf(phase);
  let lanePixel = lane / 8u * 8u;
  let laneChannel = lane % 8u * 4u;
  #each p c
  var sum$(p)_$(c) = 0.0;
  #end
  for (var tapRow = 0u; tapRow < taps.x; tapRow++) {
    let leftY = leftAt(window.row, 0u, tapRow);
    let insideY = (leftY >= 0) & (leftY < i32(size.height));
    let leftRow = ownImage * size.height + u32(clamp(leftY, 0, i32(size.height) - 1));
    for (var tapColumn = 0u; tapColumn < taps.y; tapColumn++) {
      let leftX = leftAt(window.column, 0u, tapColumn);
      let inside = insideY & (leftX >= 0) & (leftX < i32(size.width));
      let leftColumn = u32(clamp(leftX, 0, i32(size.width) - 1));
      let leftElement = (leftRow * size.width + leftColumn) * size.channels;
      let tap = tapAt(window.firstTap.x, tapRow) * geometry.kernelWidth
        + tapAt(window.firstTap.y, tapColumn);
      for (var k = 0u; k < size.channels; k += depth) {
        workgroupBarrier();
        for (var d = 0u; d < depth; d++) {
          let channel = min(k + d, size.channels - 1u);
          let wanted = inside & (k + d < size.channels);
          leftTile[d * tilePixels + lane] = select(0.0, left[leftElement + channel], wanted);
        }
        for (var at = lane; at < depth * tileChannels; at += 64u) {
          let channel = min(firstChannel + at % tileChannels, results.channels - 1u);
          let row = weightRow(tap, min(k + at / tileChannels, size.channels - 1u));
          weightTile[at] = weight[row + weightColumn(channel)];
        }
        workgroupBarrier();
        for (var d = 0u; d < depth; d++) {
          #each p
          let x$(p) = leftTile[d * tilePixels + lanePixel + $(p)u];
          #end
          #each c
          let w$(c) = weightTile[d * tileChannels + laneChannel + $(c)u];
          #end
          #each p c
          sum$(p)_$(c) = fma(x$(p), w$(c), sum$(p)_$(c));
          #end
        }
      }
    }
  }

  let imageSize = resultImage();
  let channel = firstChannel + laneChannel;
  #each p
  {
    let at = firstPixel + lanePixel + $(p)u;
    let image = at / results.width / results.height;
    let pixel = resultPixel(phase, at / results.width % results.height, at % results.width);
    if (at < pixels && all(pixel < imageSize)) {
      let element =
        ((image * imageSize.x + pixel.x) * imageSize.y + pixel.y) * results.channels + channel;
      #each c
      if (channel + $(c)u < results.channels) {
        var value = sum$(p)_$(c);
        #each addends
        value += addend[element + $(c)u];
        #end
        result[element + $(c)u] = value;
      }
      #end
    }
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
