import { html, type TemplateResult } from 'lit';
import { isWarning } from '../core/roofline/flags.ts';

/** Flags in words, those that warn in the warning colour. */
export function flagList(flags: readonly string[]): TemplateResult[] {
  return flags.map(
    (flag, index) =>
      html`${index === 0 ? '' : ', '}<span class=${isWarning(flag) ? 'flag' : ''}>${flag}</span>`,
  );
}
