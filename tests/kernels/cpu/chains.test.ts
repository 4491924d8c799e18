import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  computeKernelNames,
  computeKernels,
  functionName,
  variantsOf,
} from '../../../src/core/probes/cpuKernels.ts';
import { threadState } from '../../../src/cpu/memory.ts';
import { loadModule } from '../../../src/cpu/module.ts';
import { chainRunner } from '../../../src/cpu/probes/chainRunner.ts';
import { instantiate } from './instances.ts';

const state = threadState(0).chains;

afterEach(() => vi.restoreAllMocks());

describe.each([{ shared: false }, { shared: true }])(
  'arithmetic, shared: $shared',
  ({ shared }) => {
    test('both browsers run the relaxed build', async () => {
      expect((await loadModule(shared)).build).toBe('relaxed-simd');
    });

    test.each(computeKernelNames)('%s ends in the emulated bits in every shape', async (name) => {
      const { kernels } = await instantiate(shared, 0);
      for (const variant of variantsOf(name)) {
        const runner = chainRunner(kernels, state, variant);
        runner.reset();
        runner.run(8);
        runner.run(80);
        const check = runner.check(88);
        expect(check, functionName(variant)).toEqual({
          kind: 'right',
          rounding: computeKernels[name].roundings[0],
        });
      }
    });

    test('work that was left out is seen', async () => {
      const { kernels } = await instantiate(shared, 0);
      const runner = chainRunner(kernels, state, variantsOf('multiplyAddF32')[0]!);
      runner.reset();
      runner.run(80);
      expect(runner.check(88).kind).toBe('wrong');
    });
  },
);

test('a kernel of fewer chains is not taken for one of more', async () => {
  const { kernels } = await instantiate(false, 0);
  const [four, eight] = variantsOf('multiplyAddF32');
  const runner = chainRunner(kernels, state, eight!);
  runner.reset();
  kernels.chains(four!)(state, 8);
  expect(runner.check(8).kind).toBe('wrong');
});

describe('choice of the module', () => {
  test('an engine that refuses relaxed SIMD gets the other build, which lacks nothing else', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValueOnce(false);
    const { module, build } = await loadModule(false);
    expect(build).toBe('simd');
    const names = WebAssembly.Module.exports(module).map((entry) => entry.name);
    const wanted = computeKernelNames
      .filter((name) => !computeKernels[name].relaxed)
      .flatMap(variantsOf)
      .map(functionName);
    expect(names).toEqual(expect.arrayContaining(wanted));
  });

  test('an engine without SIMD is told so', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    await expect(loadModule(false)).rejects.toMatchObject({ fault: { kind: 'unsupported' } });
  });

  test('a module that cannot be fetched is named', async () => {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 404 }));
    await expect(loadModule(true)).rejects.toMatchObject({
      fault: { kind: 'data', detail: expect.stringMatching(/shared\.wasm.*404/) as string },
    });
  });
});
