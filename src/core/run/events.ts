import type { Sample, TimerSource } from '../roofline/sample.ts';
import type { DeviceKind, SweepParameter } from './config.ts';

/** What is known of a GPU; strings the browser withholds are empty. */
export interface GpuEnvironment {
  readonly device: 'gpu';
  readonly deviceId: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** A software adapter runs on the CPU: its roofline is not a GPU's. */
  readonly software: boolean;
  /** How `software` is known, or why it is not: browsers may withhold the adapter's name. */
  readonly softwareEvidence?: string;
  readonly features: readonly string[];
  /** The limits that were granted to the device (not the adapter's). */
  readonly limits: Readonly<Record<string, number>>;
  readonly timer: Exclude<TimerSource, 'clock'>;
  /** Smallest step of the timestamps found at run time; absent without sound timestamps. */
  readonly timestampGridSeconds?: number;
}

export interface CpuEnvironment {
  readonly device: 'cpu';
  readonly deviceId: string;
  readonly logicalCores: number;
  /** Cross-origin isolated: shared memory and many threads. */
  readonly isolated: boolean;
  /** Threads that the run uses at the most. */
  readonly threads: number;
  /** The build of the WASM module that runs. */
  readonly module: 'simd' | 'relaxed-simd';
  readonly sharedMemory: boolean;
  /** Smallest step of the threads' clock. */
  readonly clockStepSeconds?: number;
}

export type DeviceEnvironment = GpuEnvironment | CpuEnvironment;

/** A fault as data: thrown errors lose their fields on the way out of a worker. */
export interface Failure {
  readonly kind:
    | 'unsupported'
    | 'adapter-null'
    | 'device-refused'
    | 'device-lost'
    | 'out-of-memory'
    | 'validation'
    | 'data'
    | 'worker'
    | 'bug';
  readonly device: DeviceKind;
  /** What was being done, e.g. `copy sweep`. */
  readonly stage: string;
  /** What went wrong, for a person. */
  readonly cause: string;
  /** What to do next. */
  readonly advice: string;
  /** The underlying message, for a bug report. */
  readonly detail: string;
}

/** One kernel call of a step, timed by itself. */
export interface CallTiming {
  /** Indices in the plan's list of ops; a fused call does several. */
  readonly ops: readonly number[];
  /** The kernel's shape in words. */
  readonly variant: string;
  readonly seconds: readonly number[];
  readonly timer: TimerSource;
  /** Bytes that the kernel's code loads and stores. */
  readonly issuedBytes?: number;
  /** Where the variant does not do what the plan's direct method does. */
  readonly executedFlops?: number;
  readonly flags: readonly string[];
}

/** What a tuner found for one shape of kernel call. */
export interface TuningChoice {
  /** The op's kind and shape in words, as choices are stored under. */
  readonly key: string;
  readonly defaultVariant: string;
  readonly variant: string;
  readonly defaultSeconds: number;
  readonly seconds: number;
  /** ISO 8601, UTC: when the earlier run began that found it; absent where this one did. */
  readonly foundAt?: string;
}

/** How a training step is run; what is absent is left to the kernels. */
export interface StepConfiguration {
  /** Images a step, over all replicas. */
  readonly batch: number;
  /** Cap on workgroups a kernel call; absent means one workgroup a tile (the default). */
  readonly workgroups?: number;
  /** Lanes a workgroup where the kernels leave that free; absent means each kernel's own. */
  readonly workgroupSize?: number;
  /** CPU threads that work on each batch or share of it. */
  readonly threads?: number;
  /** Replicas with a share of the batch each; absent means one. */
  readonly replicas?: number;
}

/** What was free to change: the kernels' variants, how the step is run, or both. */
export type TuningScope = 'kernels' | 'configuration' | 'together';

/** A training step before and after tuning. */
export interface Tuning {
  readonly device: DeviceKind;
  readonly deviceId: string;
  readonly model: string;
  /** Absent in files of earlier versions: the kernels. */
  readonly scope?: TuningScope;
  /** Images of a step before. */
  readonly batch: number;
  /** How the step is run afterwards; absent where it is run as before. */
  readonly tuned?: StepConfiguration;
  /** Seconds of warm steps before and afterwards. */
  readonly defaultSeconds: readonly number[];
  readonly tunedSeconds: readonly number[];
  readonly timer: TimerSource;
  readonly choices: readonly TuningChoice[];
}

/** Times of one training step's configuration, one point of a trajectory. */
export interface StepTiming extends StepConfiguration {
  readonly device: DeviceKind;
  readonly deviceId: string;
  readonly model: string;
  /** Channels of the input images; with `model` and `batch` it fixes the plan, and so the work. */
  readonly inputChannels: number;
  readonly precision: 'f32';
  readonly parameter: SweepParameter;
  readonly value: number;
  /** Over replicas: `strong` splits one batch, `weak` gives each as much. */
  readonly scaling?: 'strong' | 'weak';
  /**
   * Seconds during which a GPU's kernels were being compiled for this point and, at a model's first one,
   * for tuning; absent where all were there already.
   */
  readonly compileSeconds?: number;
  /** The first step after the pipelines were built, in seconds. */
  readonly coldSeconds: number;
  /** Seconds of each warm step, in order. */
  readonly seconds: readonly number[];
  /** Of each warm step, the seconds spent on averaging gradients, and on waiting at barriers. */
  readonly allReduceSeconds?: readonly number[];
  readonly barrierSeconds?: readonly number[];
  /** Bytes that the kernels' code loads and stores in a step; absent where they do not tell. */
  readonly issuedBytes?: number;
  /** The step's kernel calls in order, each timed by itself. */
  readonly calls?: readonly CallTiming[];
  readonly timer: TimerSource;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly reason?: string;
  /** Training loss before each step (the cold one first); shows that it really trained. */
  readonly losses: readonly number[];
}

/** What a watchdog would have seen, and what was meant: the longest of all that was timed. */
export interface LongestWork {
  /** As timed; where other programs have the machine a short pass may last long. */
  readonly passSeconds: number;
  readonly submitSeconds: number;
  /** As planned, by what was known before: at most 50 and 200 ms. Absent in files of earlier versions. */
  readonly plannedDispatchSeconds?: number;
  readonly plannedSubmitSeconds?: number;
  /** A kernel's first run where work is sized, in which drivers may compile; counted nowhere else. */
  readonly firstRunSeconds?: number;
}

/** Everything that workers tell, in one union. */
export type RunEvent =
  | { readonly kind: 'environment'; readonly environment: DeviceEnvironment }
  | {
      readonly kind: 'progress';
      readonly device: DeviceKind;
      /** What is measured now, in words for the page. */
      readonly stage: string;
      /** Share of this device's run that is behind us, 0 to 1. */
      readonly fraction: number;
      readonly remainingSeconds: number;
    }
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'step'; readonly step: StepTiming }
  | { readonly kind: 'tuning'; readonly tuning: Tuning }
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** At the end of a GPU's run. */
  | { readonly kind: 'longest'; readonly device: 'gpu'; readonly longest: LongestWork }
  | { readonly kind: 'done'; readonly device: DeviceKind; readonly cancelled: boolean };
