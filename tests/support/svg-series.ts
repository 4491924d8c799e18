/** A line of a saved chart, read back from its SVG: (flop/byte, flop/s). */
export type SvgSeries = readonly (readonly [intensity: number, flopsPerSecond: number])[];

/** The points of the line that the SVG names so; empty where it has none. */
export function readSeries(svg: string, series: string): SvgSeries {
  const before = svg.slice(0, svg.indexOf(`data-series="${series}"`));
  const pair = (name: string): readonly [number, number] => {
    const start = before.lastIndexOf(`${name}="`) + name.length + 2;
    const [first = Number.NaN, second = Number.NaN] = (before.slice(start).split('"')[0] ?? '')
      .split(' ')
      .map(Number);
    return [first, second];
  };
  const [x0, x1] = pair('data-x-range');
  const [y0, y1] = pair('data-y-range');
  const [width, height] = pair('data-size');
  const points = new RegExp(`data-series="${series}" points="([^"]*)"`).exec(svg)?.[1];
  return (points?.split(' ') ?? []).map((text) => {
    const [x = 0, y = 0] = text.split(',').map(Number);
    return [x0 * (x1 / x0) ** (x / width), y0 * (y1 / y0) ** (1 - y / height)];
  });
}
