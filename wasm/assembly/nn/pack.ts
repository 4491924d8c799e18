/** Output channels of a panel of packed weights, see correlate.ts. */
const PANEL_CHANNELS = 8;
const FLOAT: usize = 4;

/**
 * Packs weights [length][channels] for `correlate`: panels of 8 channels, each [length][8], the last
 * one filled up with zeros. Packs panels `first` to `end` - 1.
 */
export function packWeights(
  source: usize,
  length: i32,
  channels: i32,
  target: usize,
  first: i32,
  end: i32,
): void {
  for (let panel = first; panel < end; panel++) {
    const channel = panel * PANEL_CHANNELS;
    const count = min(PANEL_CHANNELS, channels - channel);
    let s = source + <usize>channel * FLOAT;
    let t = target + <usize>(panel * length * PANEL_CHANNELS) * FLOAT;
    for (let i = 0; i < length; i++) {
      if (count == PANEL_CHANNELS) {
        v128.store(t, v128.load(s, 0), 0);
        v128.store(t, v128.load(s, 16), 16);
      } else {
        for (let c = 0; c < PANEL_CHANNELS; c++)
          store<f32>(t + <usize>c * FLOAT, c < count ? load<f32>(s + <usize>c * FLOAT) : 0);
      }
      s += <usize>channels * FLOAT;
      t += <usize>PANEL_CHANNELS * FLOAT;
    }
  }
}

/**
 * Packs the weights that lead from output channels back to input channels, for the taps firstY,
 * firstY + step ... (tapsY of them) by firstX, firstX + step ... : last tap first, since outputs that
 * a pixel reached by later taps lie before it. `source` is [kernelHeight][kernelWidth][inChannels]
 * [outChannels]; a panel is [tapsY][tapsX][outChannels][8 of inChannels].
 */
export function packTransposed(
  source: usize,
  kernelWidth: i32,
  inChannels: i32,
  outChannels: i32,
  firstY: i32,
  firstX: i32,
  step: i32,
  tapsY: i32,
  tapsX: i32,
  target: usize,
  first: i32,
  end: i32,
): void {
  const panelLength = tapsY * tapsX * outChannels * PANEL_CHANNELS;
  for (let panel = first; panel < end; panel++) {
    const channel = panel * PANEL_CHANNELS;
    const count = min(PANEL_CHANNELS, inChannels - channel);
    let t = target + <usize>(panel * panelLength) * FLOAT;
    for (let y = tapsY - 1; y >= 0; y--) {
      for (let x = tapsX - 1; x >= 0; x--) {
        const tap = (firstY + y * step) * kernelWidth + firstX + x * step;
        const matrix = source + <usize>((tap * inChannels + channel) * outChannels) * FLOAT;
        for (let o = 0; o < outChannels; o++) {
          let s = matrix + <usize>o * FLOAT;
          for (let c = 0; c < PANEL_CHANNELS; c++) {
            store<f32>(t, c < count ? load<f32>(s) : 0);
            s += <usize>outChannels * FLOAT;
            t += FLOAT;
          }
        }
      }
    }
  }
}
