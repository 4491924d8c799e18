// conv2d.backwardWeight, first of two calls, with a tile of sums in each lane's registers; what is
// summed, and its slices, are those of conv2d-backward-weight.wgsl.
//
// Bindings: left = input, gradient = the output's gradient, result = partials [slices][weight].
//
// The four lanes of a quad make the same rows of the weight: a row of taps or one of them, g loads
// of input channels each. Lane m makes the output channels m, m + 4, m + 8 ... of the quad. Each
// step takes some neighbouring output pixels of one row; the pixels of the input that they meet are
// shared by the quad (see conv2d-tile.wgsl, which says what costs what).
//
// `#each` loops are unrolled: t taps of a row, g loads, i channels of a load, c output channels,
// p output pixels of a step, n distinct input columns that they meet.

/// [batch, outHeight, outWidth, outChannels]
@group(0) @binding(2) var<storage, read> gradient: array<f32>;
/// [slices][kernelHeight, kernelWidth, inChannels, outChannels]
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

/// Lanes: slice, tap row, tap column or all of them, input channels, output channels, member of a
/// quad (fastest).
fn tileLane(lane: u32) {
  let size = LeftSize(geometry.inHeight, geometry.inWidth, geometry.inChannels);
  let channels = geometry.outChannels;
  let channelGroups = (channels + $(4*c)u - 1u) / $(4*c)u;
  let inGroups = (size.channels + $(g)u * depth - 1u) / ($(g)u * depth);
  let columnGroups = (geometry.kernelWidth + $(t)u - 1u) / $(t)u;
  let member = lane % 4u;
  let quad = lane / 4u;
  let channel = quad % channelGroups * $(4*c)u + member;
  let k = quad / channelGroups % inGroups * ($(g)u * depth);
  let taps = quad / channelGroups / inGroups;
  let tapColumn = taps % columnGroups * $(t)u;
  let tapRow = taps / columnGroups % geometry.kernelHeight;
  let slice = taps / columnGroups / geometry.kernelHeight;
  if (slice >= geometry.slices) { return; }

  #each c
  let channel$(c) = min(channel + $(4*c)u, channels - 1u);
  #end
  #each t g i c
  var sum$(t)_$(g)_$(i)_$(c) = 0.0;
  #end
  let firstRow = slice * geometry.rowsPerSlice;
  let endRow = min(firstRow + geometry.rowsPerSlice, geometry.batch * geometry.outHeight);
  let steps = (endRow - firstRow) * ((geometry.outWidth + $(p)u - 1u) / $(p)u);
  var image = firstRow / geometry.outHeight;
  var y = firstRow % geometry.outHeight;
  var x = 0u;
  for (var step = 0u; step < steps; step++) {
    let pixel = (image * geometry.outHeight + y) * geometry.outWidth + x;
    #each p
    let inRow$(p) = x + $(p)u < geometry.outWidth;
    let pixel$(p) = select(pixel, pixel + $(p)u, inRow$(p)) * channels;
    #each c
    let gradient$(p)_$(c) = select(0.0, gradient[pixel$(p) + channel$(c)], inRow$(p));
    #end
    #end
    let inY = i32(y * geometry.stride + tapRow) - i32(geometry.padTop);
    let inside = (inY >= 0) & (inY < i32(size.height));
    let rowInImage = u32(clamp(inY, 0, i32(size.height) - 1));
    let row = (image * size.height + rowInImage) * size.width * size.channels;
    let column = i32(x * geometry.stride + tapColumn) - i32(geometry.padLeft);
    #each n g
    let x$(n)_$(g) = loadShared(
      row, inside, column + $(n*apart), min(k + $(g)u * depth, lastLoad(size)), member, size);
    #each i
    let x$(n)_$(g)_$(i) = part$(i)(x$(n)_$(g));
    #end
    #each t p i c where p*use+t = n
    sum$(t)_$(g)_$(i)_$(c) = fma(x$(n)_$(g)_$(i), gradient$(p)_$(c), sum$(t)_$(g)_$(i)_$(c));
    #end
    #end
    x += $(p)u;
    let rowDone = x >= geometry.outWidth;
    x = select(x, 0u, rowDone);
    y += select(0u, 1u, rowDone);
    let imageDone = y >= geometry.outHeight;
    y = select(y, 0u, imageDone);
    image += select(0u, 1u, imageDone);
  }

  let firstTap = (slice * geometry.kernelHeight + tapRow) * geometry.kernelWidth + tapColumn;
  #each t g i
  let k$(t)_$(g)_$(i) = k + $(g)u * depth + partChannel($(i)u, member);
  if (k$(t)_$(g)_$(i) < size.channels) {
    let element = ((firstTap + $(t)u) * size.channels + k$(t)_$(g)_$(i)) * channels + channel;
    #each c
    if (channel + $(4*c)u < channels) { result[element + $(4*c)u] = sum$(t)_$(g)_$(i)_$(c); }
    #end
  }
  #end
}

/// The last channel at which a load may begin.
fn lastLoad(size: LeftSize) -> u32 {
  return (size.channels - 1u) / depth * depth;
}

@compute @workgroup_size(workgroupSize)
fn makeTiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    tileLane(tile * workgroupSize + lane);
  }
}
