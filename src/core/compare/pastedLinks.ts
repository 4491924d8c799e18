/** Links that a class view takes at once. */
export const mostLinks = 200;

/** What somebody pasted: the texts of links after `#r=`, and what was no link. */
export interface PastedLinks {
  /** Each once, in order. */
  readonly links: readonly string[];
  /** Words that are no links, shortened. */
  readonly refused: readonly string[];
  /** Links beyond the first `mostLinks`. */
  readonly leftOut: number;
}

const link = /#r=([\w-]+)/;
const longestWord = 40;

/**
 * Finds the links in a text: a line each, a column of a table, a chat with names and times between
 * them. Only words that look like an address and are no link of ours are told as refused.
 */
export function pastedLinks(text: string): PastedLinks {
  const words = text.split(/[\s,;<>"'()]+/).filter((word) => word !== '');
  const links = new Set<string>();
  const refused = new Set<string>();
  for (const word of words) {
    const payload = link.exec(word)?.[1];
    if (payload !== undefined) links.add(payload);
    else if (/^https?:|#/.test(word)) refused.add(shorten(word));
  }
  return {
    links: [...links].slice(0, mostLinks),
    refused: [...refused],
    leftOut: Math.max(0, links.size - mostLinks),
  };
}

function shorten(word: string): string {
  return word.length > longestWord ? `${word.slice(0, longestWord - 1)}…` : word;
}
