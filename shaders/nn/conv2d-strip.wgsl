// conv2d.forward and conv2d.backwardInput by strips of pixels: what conv2d-tile.wgsl computes, with
// the weights of a quad's channels in registers.
//
// A strip is some columns of the result in one image, from top to bottom. A lane first loads the
// weights of some channels that are summed over, for all taps; then it walks strip after strip. Each
// step makes `made` rows of the result, whose sums live no longer than that; of the pixels that meet
// them it loads the new rows, the others were kept. So nothing but the kept rows goes round the loop,
// and a load is paid once for all taps. Where not all channels fit, the next ones add to the result.
//
// Before it come the shared loads (conv2d-share-*.wgsl) and the direction (conv2d-sides-*.wgsl).
// `#each` loops are unrolled: r rows and p columns of the result in a step, c channels, a rows and n
// columns of pixels that they meet, of which e rows are kept and j new, y x taps, q loads, i channels
// of a load; `again` is one where the channels need more than one round, `addends` where another
// branch's gradient is added, `ragged` where strips may stand out of the image and channels be fewer
// than a quad makes, `whole` where not, `moments` where batch-norm's statistics are begun on the
// result; else they are none.

@group(0) @binding(2) var<storage, read> weight: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;
#each addends
/// Another branch's gradient of the same tensor; only the backward pass to the input has it.
@group(0) @binding(4) var<storage, read> addend: array<f32>;
#end
#each moments
/// [groups, 3, channels], a group being a quad's strips: pixels, their mean, sum of squared deviations
/// from it. batch-norm-merge-statistics.wgsl merges them.
@group(0) @binding(4) var<storage, read_write> partials: array<f32>;
#end

/// Makes `geometry.stripsPerLane` strips. Lanes: those strips of all images, channels, member of a
/// quad (fastest).
fn stripLane(lane: u32) {
  let size = leftSize();
  let image = resultImage();
  let channels = resultChannels();
  let channelGroups = (channels + $(4*c)u - 1u) / $(4*c)u;
  let stripsPerImage = (image.y + $(p)u - 1u) / $(p)u;
  let member = lane % 4u;
  let quad = lane / 4u;
  let channel = quad % channelGroups * $(4*c)u + member;
  let firstStrip = quad / channelGroups * geometry.stripsPerLane;
  let endStrip = min(firstStrip + geometry.stripsPerLane, stripsPerImage * geometry.batch);
  if (firstStrip >= endStrip) { return; }
  let steps = (image.x + $(r)u - 1u) / $(r)u;
  let rowLength = size.width * size.channels;
  #each c
  let weight$(c) = weightColumn(min(channel + $(4*c)u, channels - 1u));
  #end
  for (var k = 0u; k < size.channels; k += $(q)u * depth) {
    #each q
    let shared$(q) = sharedChannel(k + $(q)u * depth, member, size);
    #each i
    let k$(q)_$(i) = k + $(q)u * depth + partChannel($(i)u, member);
    let summed$(q)_$(i) = min(k$(q)_$(i), size.channels - 1u);
    #each y x c
    let weight$(y)_$(x)_$(q)_$(i)_$(c) = select(
      0.0, weight[weightRow($(y*width+x)u, summed$(q)_$(i)) + weight$(c)],
      k$(q)_$(i) < size.channels);
    #end
    #end
    #end
    #each moments
    // Of this round's results: the last round's are what stays.
    var count = 0.0;
    #each c
    var mean$(c) = 0.0;
    var squares$(c) = 0.0;
    #end
    #end
    for (var strip = firstStrip; strip < endStrip; strip++) {
      let imageRow = strip / stripsPerImage * size.height;
      let x = strip % stripsPerImage * $(p)u;
      let firstColumn = i32(x / $(p)u * $(columnAdvance)u) + $(firstColumn);
      #each n
      let column$(n) = firstColumn + $(n);
      let inRow$(n) = (column$(n) >= 0) & (column$(n) < i32(size.width));
      let pixel$(n) = u32(clamp(column$(n), 0, i32(size.width) - 1)) * size.channels;
      #end
      #each e
      let top$(e) = $(e+firstRow);
      let inImage$(e) = (top$(e) >= 0) & (top$(e) < i32(size.height));
      let row$(e) = (imageRow + u32(clamp(top$(e), 0, i32(size.height) - 1))) * rowLength;
      #each n q
      var kept$(e)_$(n)_$(q) =
        loadElement(row$(e) + pixel$(n) + shared$(q), inImage$(e) & inRow$(n));
      #end
      #end
      for (var step = 0u; step < steps; step++) {
        #each e n q
        let loaded$(e)_$(n)_$(q) = kept$(e)_$(n)_$(q);
        #end
        #each j
        let new$(j) = i32(step * $(rowAdvance)u) + $(j+kept+firstRow);
        let isNew$(j) = (new$(j) >= 0) & (new$(j) < i32(size.height));
        let newRow$(j) = (imageRow + u32(clamp(new$(j), 0, i32(size.height) - 1))) * rowLength;
        #each n q
        let loaded$(j+kept)_$(n)_$(q) =
          loadElement(newRow$(j) + pixel$(n) + shared$(q), isNew$(j) & inRow$(n));
        #end
        #end
        #each a n q i
        let x$(a)_$(n)_$(q)_$(i) = part$(i)(loaded$(a)_$(n)_$(q));
        #end
        let y = step * $(r)u;
        let first = ((strip / stripsPerImage * image.x + y) * image.y + x) * channels + channel;
        #each r p c
        let element$(r)_$(p)_$(c) = first + ($(r)u * image.y + $(p)u) * channels + $(4*c)u;
        var sum$(r)_$(p)_$(c) = 0.0;
        #each addends
        sum$(r)_$(p)_$(c) = addend[element$(r)_$(p)_$(c)];
        #end
        #each again
        sum$(r)_$(p)_$(c) = select(sum$(r)_$(p)_$(c), result[element$(r)_$(p)_$(c)], k > 0u);
        #end
        #each a y where a*rowStep+y*rowBack = r*rowUse+y*rowTurn+rowShift
        #each n x where n*columnStep+x*columnBack = p*columnUse+x*columnTurn+columnShift
        #each q i
        sum$(r)_$(p)_$(c) = fma(
          x$(a)_$(n)_$(q)_$(i), weight$(y)_$(x)_$(q)_$(i)_$(c), sum$(r)_$(p)_$(c));
        #end
        #end
        #end
        #each whole
        result[element$(r)_$(p)_$(c)] = sum$(r)_$(p)_$(c);
        #end
        #each ragged
        if ((y + $(r)u < image.x) & (x + $(p)u < image.y) & (channel + $(4*c)u < channels)) {
          result[element$(r)_$(p)_$(c)] = sum$(r)_$(p)_$(c);
        }
        #end
        #end
        #each moments
        // The step's pixels by themselves, then merged with those before (Chan, Golub and LeVeque 1979).
        let made = f32(min($(r)u, image.x - y) * min($(p)u, image.y - x));
        let before = count;
        count += made;
        let share = made / count;
        #each c
        var stepSum$(c) = 0.0;
        var stepSquares$(c) = 0.0;
        #end
        #each r p c
        #each whole
        let inside$(r)_$(p)_$(c) = true;
        #end
        #each ragged
        let inside$(r)_$(p)_$(c) = (y + $(r)u < image.x) & (x + $(p)u < image.y);
        #end
        stepSum$(c) += select(0.0, sum$(r)_$(p)_$(c), inside$(r)_$(p)_$(c));
        #end
        #each c
        let stepMean$(c) = stepSum$(c) / made;
        #end
        #each r p c
        let deviation$(r)_$(p)_$(c) =
          select(0.0, sum$(r)_$(p)_$(c) - stepMean$(c), inside$(r)_$(p)_$(c));
        stepSquares$(c) =
          fma(deviation$(r)_$(p)_$(c), deviation$(r)_$(p)_$(c), stepSquares$(c));
        #end
        #each c
        let difference$(c) = stepMean$(c) - mean$(c);
        mean$(c) = fma(difference$(c), share, mean$(c));
        squares$(c) += fma(difference$(c) * difference$(c), before * share, stepSquares$(c));
        #end
        #end
        #each e n q
        kept$(e)_$(n)_$(q) = loaded$(e+rowAdvance)_$(n)_$(q);
        #end
      }
    }
    #each moments
    let group = quad / channelGroups * 3u * channels + channel;
    #each c
    if (channel + $(4*c)u < channels) {
      partials[group + $(4*c)u] = count;
      partials[group + channels + $(4*c)u] = mean$(c);
      partials[group + 2u * channels + $(4*c)u] = squares$(c);
    }
    #end
    #end
  }
}

@compute @workgroup_size(workgroupSize)
fn makeStrips(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var tile = tiles.first + group.x; tile < tiles.end; tile += groups.x) {
    stripLane(tile * workgroupSize + lane);
  }
}
