/** The text in lines of at most `width` pixels, broken between words; a longer word has its own line. */
export function wrapText(
  text: string,
  width: number,
  widthOf: (line: string) => number,
): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The text where it fits into `width` pixels, else as many of its characters as do, and an ellipsis. */
export function shortened(text: string, width: number, widthOf: (line: string) => number): string {
  if (widthOf(text) <= width) return text;
  const characters = Array.from(text);
  let kept = characters.length - 1;
  while (kept > 1 && widthOf(`${characters.slice(0, kept).join('').trimEnd()}…`) > width) kept -= 1;
  return `${characters.slice(0, kept).join('').trimEnd()}…`;
}
