import {
  blockUntilReady,
  defaultDevice,
  getWebGPUDevice,
  init,
  jit,
  lax,
  nn,
  numpy as np,
  tree,
  valueAndGrad,
  type Array as JaxArray,
} from '@jax-js/jax';
import {
  blocks,
  epsilon,
  poked,
  rates,
  type TrainingPeer,
  type TrainingTask,
} from './trainingPeer.ts';

type Parameters = Record<string, JaxArray>;

/** A ResNet-8 in jax-js, whose layout is [batch, channels, height, width]. An array is used once: `ref` keeps it. */
function logits(p: Parameters, images: JaxArray): JaxArray {
  let x = relu(normalised(p, 'stem.bn', convolved(images, p['stem.conv']!, 1)));
  for (const { name, stride } of blocks) {
    const shortcut =
      stride === 1
        ? x.ref
        : normalised(p, `${name}.proj.bn`, convolved(x.ref, p[`${name}.proj.conv`]!, stride));
    const first = relu(normalised(p, `${name}.bn1`, convolved(x, p[`${name}.conv1`]!, stride)));
    const second = normalised(p, `${name}.bn2`, convolved(first, p[`${name}.conv2`]!, 1));
    x = relu(second.add(shortcut));
  }
  return np.dot(np.mean(x, [2, 3]), p['head.weight']!).add(p['head.bias']!);
}

function relu(x: JaxArray): JaxArray {
  return nn.relu(x);
}

function convolved(x: JaxArray, weight: JaxArray, stride: number): JaxArray {
  const pad = weight.shape[2] === 3 ? 1 : 0;
  const padding: [number, number][] = [
    [pad, pad],
    [pad, pad],
  ];
  return lax.convGeneralDilated(x, weight, [stride, stride], padding);
}

function normalised(p: Parameters, name: string, x: JaxArray): JaxArray {
  const axes = [0, 2, 3];
  const mean = np.mean(x.ref, axes, { keepdims: true });
  const deviation = x.sub(mean);
  const variance = np.mean(np.square(deviation.ref), axes, { keepdims: true });
  return deviation
    .div(np.sqrt(variance.add(epsilon)))
    .mul(perChannel(p[`${name}.gamma`]!))
    .add(perChannel(p[`${name}.beta`]!));
}

function perChannel(values: JaxArray): JaxArray {
  return values.reshape([1, -1, 1, 1]);
}

function lossOf(p: Parameters, images: JaxArray, oneHot: JaxArray): JaxArray {
  const batch = images.shape[0]!;
  return np.sum(nn.logSoftmax(logits(p, images)).mul(oneHot)).mul(-1 / batch);
}

export async function jaxPeer(
  task: TrainingTask,
  backend: 'webgpu' | 'wasm',
): Promise<TrainingPeer> {
  await init(backend);
  defaultDevice(backend);
  const { batch, input, classes } = task;
  const { height, width, channels } = input;
  const decays = new Map(task.parameters.map(({ name, decays: decay }) => [name, decay]));
  const step = jit((p: Parameters, v: Parameters, images: JaxArray, oneHot: JaxArray) => {
    const [value, gradients] = valueAndGrad(lossOf)(tree.ref(p), images, oneHot);
    const parameters: Parameters = {};
    const velocities: Parameters = {};
    for (const name of Object.keys(p)) {
      const gradient = decays.get(name)
        ? gradients[name]!.add(p[name]!.ref.mul(rates.weightDecay))
        : gradients[name]!;
      velocities[name] = v[name]!.mul(rates.momentum).add(gradient);
      parameters[name] = p[name]!.sub(velocities[name].ref.mul(rates.learningRate));
    }
    return [value, parameters, velocities] as [JaxArray, Parameters, Parameters];
  });

  const images = np
    .array(channelsFirst(task.images, [batch, height, width, channels]))
    .reshape([batch, channels, height, width]);
  const oneHot = np
    .array(
      Float32Array.from({ length: batch * classes }, (_, at) =>
        Number(task.labels[Math.floor(at / classes)] === at % classes),
      ),
    )
    .reshape([batch, classes]);
  let parameters: Parameters = Object.fromEntries(
    task.parameters.map(({ name, shape, values }) => [name, parameterArray(shape, values)]),
  );
  let velocities: Parameters = Object.fromEntries(
    task.parameters.map(({ name }) => [name, np.zeros(parameters[name]!.shape)]),
  );
  return {
    name: '@jax-js/jax',
    // Its second step may take several times as long as a warm one.
    warmUpSteps: 3,
    steps: async (count) => {
      let value: JaxArray | undefined;
      for (let done = 0; done < count; done += 1) {
        value?.dispose();
        [value, parameters, velocities] = step(parameters, velocities, images.ref, oneHot.ref);
      }
      const end = finished(value!, { parameters, velocities });
      return backend === 'webgpu' ? poked(getWebGPUDevice(), end) : end;
    },
  };
}

/**
 * The loss, once everything is done: it is there after the forward pass, while the rest of the step
 * runs on behind it.
 */
async function finished(
  loss: JaxArray,
  state: { readonly parameters: Parameters; readonly velocities: Parameters },
): Promise<number> {
  const [value = NaN] = (await loss.data()) as Float32Array;
  await blockUntilReady(Object.values(state.parameters));
  await blockUntilReady(Object.values(state.velocities));
  return value;
}

/** [height, width, in, out] becomes [out, in, height, width]; everything else stays. */
function parameterArray(shape: readonly number[], values: Float32Array): JaxArray {
  if (shape.length !== 4) return np.array(values).reshape([...shape]);
  const [height, width, from, to] = shape as [number, number, number, number];
  const turned = new Float32Array(values.length);
  values.forEach((value, at) => {
    const o = at % to;
    const i = Math.floor(at / to) % from;
    const tap = Math.floor(at / to / from);
    turned[(o * from + i) * height * width + tap] = value;
  });
  return np.array(turned).reshape([to, from, height, width]);
}

function channelsFirst(
  images: Float32Array,
  [batch, height, width, channels]: readonly [number, number, number, number],
): Float32Array {
  const pixels = height * width;
  const turned = new Float32Array(batch * pixels * channels);
  images.forEach((value, at) => {
    const channel = at % channels;
    const pixel = Math.floor(at / channels) % pixels;
    const image = Math.floor(at / channels / pixels);
    turned[(image * channels + channel) * pixels + pixel] = value;
  });
  return turned;
}
