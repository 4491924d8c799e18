/** The chart's colours and fonts, taken from the page's custom properties. */
export interface ChartTheme {
  readonly surface: string;
  readonly ink: string;
  readonly muted: string;
  readonly hairline: string;
  readonly shade: string;
  /** Of trajectories along which work grows, and parallelism. */
  readonly work: string;
  readonly parallelism: string;
  readonly flag: string;
  readonly font: string;
}

/** Reads the theme that is in force at `element`; read again when the colour scheme changes. */
export function readChartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    surface: read('--surface'),
    ink: read('--ink'),
    muted: read('--muted'),
    hairline: read('--hairline'),
    shade: read('--shade'),
    work: read('--work'),
    parallelism: read('--parallelism'),
    flag: read('--flag'),
    font: style.fontFamily,
  };
}
