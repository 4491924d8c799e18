import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { FormulaName } from '../../core/lessons/lesson.ts';
import formulas from './formulas.json?mathml';

/** Formulas as the build has set them; nothing in them comes from outside. */
export function formulaList(names: readonly FormulaName[]): TemplateResult {
  return html`<div class="formulas" role="region" aria-label="Formulas" tabindex="0">
    ${names.map((name) => html`<div data-formula=${name}>${unsafeHTML(formulas[name])}</div>`)}
  </div>`;
}
