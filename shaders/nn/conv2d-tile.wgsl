// conv2d.forward and conv2d.backwardInput with a tile of sums in each lane's registers:
// result[pixel][c] = sum over taps and k of left[pixel met by the tap][k] weight[tap][k][c]
// (+ addend[pixel][c])
//
// The four lanes of a quad make the same pixels, rows x pixels of one image, and lane m of it the
// channels m, m + 4, m + 8 ... from the quad's first on. So a lane's weights serve all its pixels,
// and a pixel's values serve all its channels and, being the same for the quad, can be shared.
// Software adapters pay some 40 multiply-adds for a load and 10 for carrying a sum round a loop:
// hence large tiles, one loop over all taps and channels with a row of taps unrolled, no branches.
//
// Before it come the shared loads (conv2d-share-*.wgsl) and the direction (conv2d-window-*.wgsl).
// `#each` loops are unrolled: r rows, p pixels, c channels, t taps of a row, n distinct columns,
// i channels of a load; `addends` is one where another branch's gradient is added, `moments` where
// batch-norm's statistics are begun on the result; else they are none.

@group(0) @binding(2) var<storage, read> weight: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;
#each addends
/// Another branch's gradient of the same tensor; only the backward pass to the input has it.
@group(0) @binding(4) var<storage, read> addend: array<f32>;
#end
#each moments
/// [groups, 3, channels], a group being a tile: pixels, their mean, sum of squared deviations from it.
/// batch-norm-merge-statistics.wgsl merges them.
@group(0) @binding(4) var<storage, read_write> partials: array<f32>;
#end

/// Rows of a tile.
const rows = $(r)u;

/// Makes rows x pixels x channels. Lanes: phase, image, rows, pixels, channels, member of a quad
/// (fastest).
fn tileLane(lane: u32) {
  let size = leftSize();
  let results = resultSize();
  let channelGroups = (results.channels + $(4*c)u - 1u) / $(4*c)u;
  let pixelGroups = (results.width + $(p)u - 1u) / $(p)u;
  let rowGroups = (results.height + $(r)u - 1u) / $(r)u;
  let member = lane % 4u;
  let quad = lane / 4u;
  let channel = quad % channelGroups * $(4*c)u + member;
  let x = quad / channelGroups % pixelGroups * $(p)u;
  let rowGroup = quad / channelGroups / pixelGroups;
  let y = rowGroup % rowGroups * $(r)u;
  let image = rowGroup / rowGroups % geometry.batch;
  let phase = rowGroup / rowGroups / geometry.batch;
  if (phase >= results.phases) { return; }

  let window = windowOf(phase, y, x);
  #each c
  let weight$(c) = weightColumn(min(channel + $(4*c)u, results.channels - 1u));
  #end
  #each r p c
  var sum$(r)_$(p)_$(c) = 0.0;
  #end
  let loads = (size.channels + depth - 1u) / depth;
  let tapRows = max(window.endTapRow, window.firstTapRow) - window.firstTapRow;
  let steps = tapRows * ((window.tapColumns + $(t)u - 1u) / $(t)u) * loads;
  var k = 0u;
  var tapRow = window.firstTapRow;
  var tapColumn = 0u;
  for (var step = 0u; step < steps; step++) {
    let tapRowAt = tapAt(window.firstTap.x, tapRow) * geometry.kernelWidth;
    #each t
    let tap$(t) = tapRowAt + tapAt(window.firstTap.y, tapColumn + $(t)u);
    #each i
    let k$(t)_$(i) = min(k + partChannel($(i)u, member), size.channels - 1u);
    let row$(t)_$(i) = weightRow(tap$(t), k$(t)_$(i));
    #each c
    let weight$(t)_$(i)_$(c) = weight[row$(t)_$(i) + weight$(c)];
    #end
    #end
    #end
    #each r
    let left$(r) = leftAt(window.row, $(r)u, tapRow);
    let inside$(r) = (left$(r) >= 0) & (left$(r) < i32(size.height));
    let rowInImage$(r) = u32(clamp(left$(r), 0, i32(size.height) - 1));
    let leftRow$(r) = (image * size.height + rowInImage$(r)) * size.width * size.channels;
    #each n
    let column$(r)_$(n) = leftAt(window.column, $(n*apart)u, tapColumn + $(n*next+turned)u);
    let x$(r)_$(n) = loadShared(leftRow$(r), inside$(r), column$(r)_$(n), k, member, size);
    #each i
    let x$(r)_$(n)_$(i) = part$(i)(x$(r)_$(n));
    #end
    #each p t c i where p*use+t*turn+turned = n
    sum$(r)_$(p)_$(c) = fma(x$(r)_$(n)_$(i), weight$(t)_$(i)_$(c), sum$(r)_$(p)_$(c));
    #end
    #end
    #end
    k += depth;
    let lastChannel = k >= size.channels;
    k = select(k, 0u, lastChannel);
    tapColumn += select(0u, $(t)u, lastChannel);
    let lastColumn = tapColumn >= window.tapColumns;
    tapColumn = select(tapColumn, 0u, lastColumn);
    tapRow += select(0u, 1u, lastColumn);
  }

  let imageSize = resultImage();
  #each r p
  {
    let pixel = resultPixel(phase, y + $(r)u, x + $(p)u);
    if (all(pixel < imageSize)) {
      let element =
        ((image * imageSize.x + pixel.x) * imageSize.y + pixel.y) * results.channels + channel;
      #each c
      if (channel + $(4*c)u < results.channels) {
        var value = sum$(r)_$(p)_$(c);
        #each addends
        value += addend[element + $(4*c)u];
        #end
        result[element + $(4*c)u] = value;
      }
      #end
    }
  }
  #end
  #each moments
  var count = 0.0;
  #each c
  var total$(c) = 0.0;
  var squares$(c) = 0.0;
  #end
  #each r p
  let isMade$(r)_$(p) = (y + $(r)u < imageSize.x) & (x + $(p)u < imageSize.y);
  count += select(0.0, 1.0, isMade$(r)_$(p));
  #each c
  total$(c) += select(0.0, sum$(r)_$(p)_$(c), isMade$(r)_$(p));
  #end
  #end
  #each c
  let mean$(c) = total$(c) / count;
  #end
  #each r p c
  let deviation$(r)_$(p)_$(c) = select(0.0, sum$(r)_$(p)_$(c) - mean$(c), isMade$(r)_$(p));
  squares$(c) = fma(deviation$(r)_$(p)_$(c), deviation$(r)_$(p)_$(c), squares$(c));
  #end
  let group = quad / channelGroups * 3u * results.channels + channel;
  #each c
  if (channel + $(4*c)u < results.channels) {
    partials[group + $(4*c)u] = count;
    partials[group + results.channels + $(4*c)u] = mean$(c);
    partials[group + 2u * results.channels + $(4*c)u] = squares$(c);
  }
  #end
  #end
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
