import { isModelName, modelNames, type ModelName } from './zoo.ts';

/** Where a model stands among those that differ from it in depth or width alone. */
export interface ModelSize {
  /** What they share, e.g. `resnet`. */
  readonly family: string;
  readonly depth: number;
  /** Times the narrowest one's channels. */
  readonly width: number;
}

/** The ResNet-18 is wider than the CIFAR family and has a stage more: it stands alone. */
const alone: ReadonlySet<ModelName> = new Set(['resnet18', 'inception']);

/** The size of a model; undefined for one that has no family, and for an unknown name. */
export function modelSize(model: string): ModelSize | undefined {
  if (!isModelName(model) || alone.has(model)) return undefined;
  const match = /^([a-z]+)(\d+)(?:x(\d+))?$/.exec(model);
  if (match === null) return undefined;
  const [, family = '', depth, width = '1'] = match;
  return { family, depth: Number(depth), width: Number(width) };
}

/** The models that differ from one in depth alone, or in width alone, by rising size. */
export function modelsAlong(model: ModelName, along: 'depth' | 'width'): readonly ModelName[] {
  const size = modelSize(model);
  if (size === undefined) return [];
  const other = along === 'depth' ? 'width' : 'depth';
  return modelNames
    .flatMap((name) => {
      const found = modelSize(name);
      const fits = found?.family === size.family && found[other] === size[other];
      return fits ? [{ name, value: found[along] }] : [];
    })
    .toSorted((a, b) => a.value - b.value)
    .map(({ name }) => name);
}
