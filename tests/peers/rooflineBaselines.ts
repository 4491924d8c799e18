import { createBuffer, createComputePipeline, createUniform } from '../../src/gpu/buffers.ts';
import type { StreamBuffers } from '../../src/gpu/probes/streamBuffers.ts';
import type { Workload } from '../../src/gpu/probes/workload.ts';
import type { GpuQueue } from '../../src/gpu/queue.ts';

/** A simple benchmark kernel, as public tools have them; nothing checks that it did its work. */
export interface Baseline {
  readonly name: string;
  readonly kind: 'compute' | 'bandwidth';
  /** Flops or bytes of one unit. */
  readonly work: number;
  readonly workload: Workload;
}

const lanes = 65_536;
const workgroupSize = 64;
const statementsPerTrip = 16;

/** Multiply-adds that each wait for the one before, in so many chains. */
function chains(type: 'f32' | 'vec4f', count: number): string {
  const names = Array.from({ length: count }, (_, chain) => `x${chain}`);
  const starts = names.map(
    (name, chain) => `var ${name} = ${type}(f32(lane) * 1e-6 + ${chain}.0);`,
  );
  const steps = Array.from({ length: statementsPerTrip / count }, () =>
    names.map((name) => `${name} = ${name} * a + b;`),
  ).flat();
  const sum = names.join(' + ');
  return `
struct Parameters { a: f32, b: f32, trips: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;
@compute @workgroup_size(${workgroupSize})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let lane = id.x;
  let a = ${type}(parameters.a);
  let b = ${type}(parameters.b);
  ${starts.join('\n  ')}
  for (var trip = 0u; trip < parameters.trips; trip++) {
    ${steps.join('\n    ')}
  }
  results[lane] = dot(vec4f(1.0), vec4f(${sum}));
}`;
}

const computeBaselines = [
  { name: 'one dependent scalar chain', type: 'f32', chains: 1, width: 1 },
  { name: 'eight scalar chains', type: 'f32', chains: 8, width: 1 },
  { name: 'vec4 multiply-add x 16', type: 'vec4f', chains: 1, width: 4 },
] as const;

async function computeBaseline(
  queue: GpuQueue,
  { name, type, chains: count, width }: (typeof computeBaselines)[number],
): Promise<Baseline> {
  const pipeline = await createComputePipeline(queue, name, chains(type, count));
  const results = await createBuffer(queue, { size: 4 * lanes, usage: GPUBufferUsage.STORAGE });
  return {
    name,
    kind: 'compute',
    work: 2 * lanes * statementsPerTrip * width,
    workload: unchecked((trips) => {
      const parameters = new ArrayBuffer(16);
      new Float32Array(parameters).set([0.999, 0.001]);
      new Uint32Array(parameters)[2] = trips;
      const bindings = bind(queue, pipeline, [createUniform(queue, parameters), results]);
      return (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindings);
        pass.dispatchWorkgroups(lanes / workgroupSize);
      };
    }),
  };
}

const streamWorkgroupSize = 256;

const bandwidthBaselines = [
  { name: 'copy, a vec4 an invocation', arrays: 2, body: 'destination[id.x] = source[id.x];' },
  {
    name: 'read, a vec4 an invocation',
    arrays: 1,
    // No pattern word has these bits.
    body: 'let value = source[id.x]; if (all(value == vec4u(7u))) { destination[id.x] = value; }',
  },
  { name: 'write, a vec4 an invocation', arrays: 1, body: 'destination[id.x] = vec4u(id.x);' },
] as const;

async function bandwidthBaseline(
  queue: GpuQueue,
  { source, destination, size }: StreamBuffers,
  { name, arrays, body }: (typeof bandwidthBaselines)[number],
): Promise<Baseline> {
  const code = `
@group(0) @binding(0) var<storage, read_write> destination: array<vec4u>;
${name.startsWith('write') ? '' : '@group(0) @binding(1) var<storage, read> source: array<vec4u>;'}
@compute @workgroup_size(${streamWorkgroupSize})
fn main(@builtin(global_invocation_id) id: vec3u) { ${body} }`;
  const pipeline = await createComputePipeline(queue, name, code);
  const buffers = name.startsWith('write') ? [destination] : [destination, source];
  const bindings = bind(queue, pipeline, buffers);
  return {
    name,
    kind: 'bandwidth',
    work: arrays * size,
    workload: unchecked((dispatches) => (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      for (let dispatch = 0; dispatch < dispatches; dispatch++)
        pass.dispatchWorkgroups(size / 16 / streamWorkgroupSize);
    }),
  };
}

/** The baselines of both kinds; those of bandwidth move all of `buffers`. */
export async function createBaselines(
  queue: GpuQueue,
  buffers: StreamBuffers,
): Promise<Baseline[]> {
  return [
    ...(await Promise.all(computeBaselines.map((shape) => computeBaseline(queue, shape)))),
    ...(await Promise.all(
      bandwidthBaselines.map((shape) => bandwidthBaseline(queue, buffers, shape)),
    )),
  ];
}

function unchecked(record: Workload['record']): Workload {
  return { record, clear: () => {}, check: () => Promise.resolve({ kind: 'right', flags: [] }) };
}

function bind(queue: GpuQueue, pipeline: GPUComputePipeline, buffers: readonly GPUBuffer[]) {
  return queue.device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
}
