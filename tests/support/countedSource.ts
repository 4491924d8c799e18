/** Bytes of the elements that storage arrays of the kernels have. */
const elementSizes: Readonly<Record<string, number>> = {
  f32: 4,
  u32: 4,
  f16: 2,
  vec2f: 8,
  vec4f: 16,
  vec4h: 8,
};

const declaration = /var<storage, read(?:_write)?> (\w+): array<(\w+)>;/g;

/**
 * A kernel's WGSL with every access to a storage array counted: `name[index]` becomes
 * `name[counted(index, bytes)]`, which adds the bytes to a counter at group 2 and gives the index back.
 * An element that is updated in place (`name[index] += ...`) counts twice.
 */
export function countedSource(source: string): string {
  const arrays = [...source.matchAll(declaration)].map(([, name, type]) => {
    const size = elementSizes[type!];
    if (size === undefined) throw new Error(`${name}: an element of ${type} has no known size`);
    return { name: name!, size };
  });
  const body = arrays.reduce((text, { name, size }) => withCounted(text, name, size), source);
  const end = firstDeclaration(body);
  return body.slice(0, end) + counter + body.slice(end);
}

const counter = `
@group(2) @binding(0) var<storage, read_write> issuedBytes: atomic<u32>;
fn counted(index: u32, bytes: u32) -> u32 {
  atomicAdd(&issuedBytes, bytes);
  return index;
}
`;

/** Directives such as `enable` must stay in front. */
function firstDeclaration(source: string): number {
  const directives = [...source.matchAll(/^(?:enable|requires|diagnostic)\b[^;]*;/gm)];
  const last = directives.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

function withCounted(source: string, name: string, size: number): string {
  const use = new RegExp(`(?<![\\w.])${name}\\[`, 'g');
  let counted = '';
  let done = 0;
  for (let found = use.exec(source); found !== null; found = use.exec(source)) {
    const first = found.index + found[0].length;
    const end = closing(source, first);
    const isUpdate = /^\s*[-+*/]=/.test(source.slice(end + 1));
    const index = withCounted(source.slice(first, end), name, size);
    counted += `${source.slice(done, first)}counted(${index}, ${isUpdate ? 2 * size : size}u)`;
    done = end;
    use.lastIndex = end;
  }
  return counted + source.slice(done);
}

/** Where the bracket closes that is open at `from`. */
function closing(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '[') depth += 1;
    if (source[at] === ']') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('a bracket does not close');
}
