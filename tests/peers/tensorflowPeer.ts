import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-webgpu';
import {
  blocks,
  epsilon,
  poked,
  rates,
  type TrainingPeer,
  type TrainingTask,
} from './trainingPeer.ts';

type Parameters = Readonly<Record<string, tf.Variable>>;

function logits(p: Parameters, images: tf.Tensor4D): tf.Tensor2D {
  let x = tf.relu(normalised(p, 'stem.bn', convolved(images, p['stem.conv']!, 1)));
  for (const { name, stride } of blocks) {
    const shortcut =
      stride === 1
        ? x
        : normalised(p, `${name}.proj.bn`, convolved(x, p[`${name}.proj.conv`]!, stride));
    const first = tf.relu(normalised(p, `${name}.bn1`, convolved(x, p[`${name}.conv1`]!, stride)));
    const second = normalised(p, `${name}.bn2`, convolved(first, p[`${name}.conv2`]!, 1));
    x = tf.relu(tf.add(second, shortcut));
  }
  const pooled: tf.Tensor2D = tf.mean(x, [1, 2]);
  return tf.add(tf.matMul(pooled, p['head.weight'] as tf.Tensor2D), p['head.bias']!);
}

function convolved(x: tf.Tensor4D, weight: tf.Tensor, stride: number): tf.Tensor4D {
  const pad = weight.shape[0] === 3 ? 1 : 0;
  return tf.conv2d(x, weight as tf.Tensor4D, stride, pad, 'NHWC', 1, 'floor');
}

function normalised(p: Parameters, name: string, x: tf.Tensor4D): tf.Tensor4D {
  const { mean, variance } = tf.moments(x, [0, 1, 2], true);
  const scaled = tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, epsilon)));
  return tf.add(tf.mul(scaled, p[`${name}.gamma`]!), p[`${name}.beta`]!);
}

export async function tensorflowPeer(task: TrainingTask): Promise<TrainingPeer> {
  await tf.setBackend('webgpu');
  await tf.ready();
  const { device } = tf.backend() as unknown as { readonly device: GPUDevice };
  const { batch, input, classes } = task;
  const { height, width, channels } = input;
  const images = tf.tensor4d(task.images, [batch, height, width, channels]);
  const oneHot = tf.oneHot(tf.tensor1d(Int32Array.from(task.labels), 'int32'), classes);
  const parameters: Parameters = Object.fromEntries(
    task.parameters.map(({ name, shape, values }) => [
      name,
      tf.variable(tf.tensor(values, [...shape]), true, name),
    ]),
  );
  const velocities = new Map(
    task.parameters.map(({ name, shape }) => [name, tf.variable(tf.zeros([...shape]), false)]),
  );
  const loss = (): tf.Scalar => tf.losses.softmaxCrossEntropy(oneHot, logits(parameters, images));
  const step = (): tf.Scalar =>
    tf.tidy(() => {
      const { value, grads } = tf.variableGrads(loss);
      for (const { name, decays } of task.parameters) {
        const weight = parameters[name]!;
        const velocity = velocities.get(name)!;
        const gradient = decays
          ? tf.add(grads[name]!, tf.mul(weight, rates.weightDecay))
          : grads[name]!;
        velocity.assign(tf.add(tf.mul(velocity, rates.momentum), gradient));
        weight.assign(tf.sub(weight, tf.mul(velocity, rates.learningRate)));
      }
      return value;
    });
  return {
    name: '@tensorflow/tfjs',
    warmUpSteps: 2,
    steps: async (count) => {
      let value: tf.Scalar | undefined;
      for (let done = 0; done < count; done += 1) {
        value?.dispose();
        value = step();
      }
      const [last] = await poked(device, value!.data());
      value!.dispose();
      return last!;
    },
  };
}
