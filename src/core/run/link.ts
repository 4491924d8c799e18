import * as v from 'valibot';
import type { Parsed } from './config.ts';
import { deflateText, inflateText } from './deflate.ts';
import { fewest, refined, type LinkDigits } from './linkDigits.ts';
import { readWire } from './linkReader.ts';
import { reductions } from './linkReductions.ts';
import { wireSchema, type WrittenWire } from './linkWire.ts';
import { writeWire, type LinkForm } from './linkWriter.ts';
import type { SummarizedRun } from './record.ts';

export type { LinkForm } from './linkWriter.ts';

/** A run that came by link: a summary with every figure that is shown of it, and how much of it there is. */
export interface SharedRun extends SummarizedRun {
  readonly form: LinkForm;
}

/** Characters after `#r=`: a full link passes any messenger, a card any phone's QR reader. */
export const longestLink: Readonly<Record<LinkForm, number>> = { full: 4096, card: 900 };

/** What is unpacked at the most, in bytes: hundreds of times what a link of ours holds. */
const largestWire = 2 ** 18;
/** Longer texts are no links of ours, whatever they hold. */
const longestText = 2 ** 16;

/**
 * The text of a link after `#r=`: the run's summary at four significant digits, or as many more as
 * keep every figure that the page shows, deflated, in base64url. What does not fit is left out in a
 * fixed order, the least telling first: `decodeLink` of the result is exactly what is shared.
 */
export async function encodeLink(run: SummarizedRun, form: LinkForm): Promise<string> {
  let text = '';
  for (const reduce of reductions[form]) {
    const reduced = reduce(run);
    text = await deflateText(JSON.stringify(writeWire(reduced, form, fewest(reduced.summary))));
    // More digits make it no shorter.
    if (text.length > longestLink[form]) continue;
    text = await deflateText(JSON.stringify(faithfulWire(reduced, form)));
    if (text.length <= longestLink[form]) return text;
  }
  return text;
}

/** With as few digits as the reader needs to show the same figures. */
function faithfulWire(run: SummarizedRun, form: LinkForm): WrittenWire {
  let digits: LinkDigits | undefined = fewest(run.summary);
  let wire = writeWire(run, form, digits);
  while (digits !== undefined) {
    wire = writeWire(run, form, digits);
    const parsed = v.safeParse(wireSchema, wire);
    digits = parsed.success
      ? refined(digits, run.summary, readWire(parsed.output).summary)
      : undefined;
  }
  return wire;
}

/** The run of a link's text after `#r=`, or what is wrong with it. Whatever the text, this returns. */
export async function decodeLink(text: string): Promise<Parsed<SharedRun>> {
  if (text.length > longestText) return refused(text, `at most ${longestText} characters`);
  const json = await inflateText(text, largestWire);
  if (json === undefined) return refused(text, 'the whole link, unchanged');
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return refused(text, 'the whole link, unchanged');
  }
  const parsed = v.safeParse(wireSchema, data, { abortEarly: true });
  if (!parsed.success) return refused(text, 'a link of this version of Rooftrace');
  return { kind: 'ok', value: { ...readWire(parsed.output), form: parsed.output[1] } };
}

function refused(text: string, expected: string): Parsed<SharedRun> {
  const value = text.length > 24 ? `${text.slice(0, 23)}…` : text;
  return { kind: 'invalid', errors: [{ field: 'link', value, expected }] };
}

/** The part after `#r=` of an address that somebody pasted; undefined where there is none. */
export function linkTextOf(pasted: string): string | undefined {
  return /#r=([\w-]+)/.exec(pasted)?.[1];
}
