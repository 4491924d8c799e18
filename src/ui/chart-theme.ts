/** The chart's colours and fonts, taken from the page's custom properties. */
export interface ChartTheme {
  readonly surface: string;
  readonly ink: string;
  readonly muted: string;
  readonly hairline: string;
  readonly shade: string;
  readonly batch: string;
  readonly workgroups: string;
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
    batch: read('--batch'),
    workgroups: read('--workgroups'),
    flag: read('--flag'),
    font: style.fontFamily,
  };
}
