/**
 * The WASM functions of wasm/assembly/nn, which say what each does. Addresses, pitches and distances
 * are in bytes; flags are 0 or 1.
 */
export interface TrainingFunctions {
  add(left: number, right: number, total: number, length: number): void;
  copyChannels(
    source: number,
    sourcePitch: number,
    target: number,
    targetPitch: number,
    pixels: number,
    channels: number,
  ): void;
  averagePool(input: number, pixels: number, channels: number, output: number): void;
  averagePoolBackward(
    outputGradient: number,
    pixels: number,
    channels: number,
    inputGradient: number,
  ): void;
  dense(
    input: number,
    weight: number,
    bias: number,
    inFeatures: number,
    outFeatures: number,
    output: number,
  ): void;
  denseBackwardInput(
    outputGradient: number,
    weight: number,
    inFeatures: number,
    outFeatures: number,
    inputGradient: number,
  ): void;
  classify(logits: number, label: number, classes: number, loss: number, correct: number): void;
  denseBackwardWeight(
    input: number,
    outputGradient: number,
    batch: number,
    inFeatures: number,
    outFeatures: number,
    target: number,
  ): void;
  softmaxCrossEntropy(
    logits: number,
    label: number,
    classes: number,
    batch: number,
    loss: number,
    gradient: number,
  ): void;
  normalize(
    input: number,
    statistics: number,
    gamma: number,
    beta: number,
    residual: number,
    output: number,
    pixels: number,
    channels: number,
    relu: number,
  ): void;
  normGradientMerge(
    partials: number,
    tiles: number,
    channels: number,
    channel: number,
    betaGradient: number,
    gammaGradient: number,
  ): void;
  normGradientPartial(
    input: number,
    statistics: number,
    output: number,
    outputGradient: number,
    pixels: number,
    channels: number,
    partial: number,
  ): void;
  normInputGradient(
    input: number,
    statistics: number,
    gamma: number,
    output: number,
    outputGradient: number,
    betaGradient: number,
    gammaGradient: number,
    inputGradient: number,
    residualGradient: number,
    pixels: number,
    allPixels: number,
    channels: number,
  ): void;
  normMerge(
    partials: number,
    tiles: number,
    tilePixels: number,
    pixels: number,
    channels: number,
    channel: number,
    epsilon: number,
    statistics: number,
  ): void;
  normPartial(input: number, pixels: number, channels: number, partial: number): void;
  correlate(
    table: number,
    pixels: number,
    runs: number,
    runLength: number,
    runPitch: number,
    weights: number,
    channels: number,
    toAddend: number,
    cachedRows: number,
  ): void;
  pixelTable(
    table: number,
    source: number,
    sourceRow: number,
    sourcePixel: number,
    target: number,
    targetRow: number,
    targetPixel: number,
    rows: number,
    columns: number,
  ): void;
  correlateWeight(
    source: number,
    sourceRow: number,
    sourcePixel: number,
    runs: number,
    runLength: number,
    runPitch: number,
    gradient: number,
    gradientRow: number,
    gradientPixel: number,
    rows: number,
    columns: number,
    channels: number,
    target: number,
    targetRow: number,
    adds: number,
  ): void;
  momentumUpdate(
    parameters: number,
    gradients: number,
    velocities: number,
    length: number,
    learningRate: number,
    momentum: number,
    decay: number,
  ): void;
  packTransposed(
    source: number,
    kernelWidth: number,
    inChannels: number,
    outChannels: number,
    firstY: number,
    firstX: number,
    step: number,
    tapsY: number,
    tapsX: number,
    target: number,
    first: number,
    end: number,
  ): void;
  packWeights(
    source: number,
    length: number,
    channels: number,
    target: number,
    first: number,
    end: number,
  ): void;
  statisticsOfRunning(running: number, channels: number, epsilon: number, statistics: number): void;
  updateRunning(
    statistics: number,
    pixels: number,
    channels: number,
    epsilon: number,
    momentum: number,
    running: number,
  ): void;
  averageReplicas(
    gradients: number,
    replicas: number,
    pitch: number,
    shares: number,
    length: number,
  ): void;
  sumSlices(slices: number, count: number, pitch: number, target: number, length: number): void;
  averageWindows(
    input: number,
    inHeight: number,
    inWidth: number,
    channels: number,
    kernelHeight: number,
    kernelWidth: number,
    stride: number,
    padTop: number,
    padLeft: number,
    outWidth: number,
    firstRow: number,
    rows: number,
    output: number,
    share: number,
  ): void;
  maxPool(
    input: number,
    inHeight: number,
    inWidth: number,
    channels: number,
    kernelHeight: number,
    kernelWidth: number,
    stride: number,
    padTop: number,
    padLeft: number,
    outWidth: number,
    firstRow: number,
    rows: number,
    output: number,
    taps: number,
  ): void;
  poolBackward(
    outputGradient: number,
    taps: number,
    outHeight: number,
    outWidth: number,
    channels: number,
    kernelHeight: number,
    kernelWidth: number,
    stride: number,
    padTop: number,
    padLeft: number,
    inWidth: number,
    firstRow: number,
    rows: number,
    inputGradient: number,
    share: number,
  ): void;
  copyWindow(
    image: number,
    height: number,
    width: number,
    channels: number,
    firstRow: number,
    firstColumn: number,
    rows: number,
    columns: number,
    target: number,
  ): void;
}
