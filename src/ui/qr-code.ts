import { svg, type TemplateResult } from 'lit';
import { html } from 'lit';
import { encode } from 'uqr';

/** Light modules about a code, as its standard asks. */
const quiet = 4;

/** A text as a QR code, dark on light whatever the page is; of the lowest redundancy, for its length. */
export function qrCode(text: string, label: string): TemplateResult {
  const { data, size } = encode(text, { ecc: 'L', border: 0 });
  const path = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const extent = size + 2 * quiet;
  return html`<svg
    class="qr"
    viewBox="${-quiet} ${-quiet} ${extent} ${extent}"
    role="img"
    aria-label=${label}
    shape-rendering="crispEdges"
  >
    ${svg`<rect x=${-quiet} y=${-quiet} width=${extent} height=${extent} fill="#fff" />`}
    ${svg`<path d=${path.join('')} fill="#000" />`}
  </svg>`;
}
