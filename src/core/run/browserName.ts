const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Others call themselves Chrome or Safari too, so that these two come last.
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari/],
];

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['ChromeOS', /CrOS/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
];

/** `Firefox 153 on Linux`; a user agent that names no browser known here is returned as it is. */
export function browserName(userAgent: string): string {
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent));
  if (!browser) return userAgent;
  const version = browser[1].exec(userAgent)?.[1] ?? '';
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return `${browser[0]} ${version}${system === undefined ? '' : ` on ${system}`}`;
}
