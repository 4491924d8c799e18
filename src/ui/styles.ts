import { css } from 'lit';

/** What every element of the page shares: type, focus, cards, notes, buttons. */
export const sharedStyles = css`
  :host {
    display: block;
    min-width: 0;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  dl,
  dd {
    margin: 0;
  }
  h2 {
    font-size: 1.0625rem;
    font-weight: 600;
    letter-spacing: -0.01em;
  }
  h3 {
    font-size: 0.9375rem;
    font-weight: 600;
  }
  .quiet {
    color: var(--muted);
    font-size: 0.875rem;
  }
  .card {
    padding: 1.125rem 1.25rem;
    border: 1px solid var(--hairline);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .note {
    padding: 0.625rem 0.875rem;
    /* Seen where the system's colours take the background away. */
    border: 1px solid transparent;
    border-radius: calc(var(--radius) - 3px);
    background: var(--warn);
    color: var(--on-warn);
    font-size: 0.9375rem;
  }
  .note.error {
    background: var(--error);
    color: var(--on-error);
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button,
  .button {
    display: inline-block;
    padding: 0.4375rem 0.875rem;
    border: 1px solid var(--hairline);
    border-radius: calc(var(--radius) - 3px);
    background: var(--surface);
    color: var(--ink);
    font: inherit;
    font-size: 0.9375rem;
    cursor: pointer;
  }
  button:hover,
  .button:hover {
    border-color: var(--muted);
  }
  button:disabled,
  button[aria-disabled='true'] {
    color: var(--muted);
    cursor: default;
  }
  summary {
    cursor: pointer;
    color: var(--muted);
    font-size: 0.875rem;
  }
`;

/** Tables of numbers: hairlines, figures in columns, a scroll of their own where the page is narrow. */
export const tableStyles = css`
  .scroll {
    position: relative;
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 0.875rem;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.375rem 0.75rem 0.375rem 0;
    border-top: 1px solid var(--hairline);
    text-align: left;
    vertical-align: top;
  }
  th,
  td {
    white-space: nowrap;
  }
  thead th {
    border-top: none;
    color: var(--muted);
    font-weight: 500;
    vertical-align: bottom;
  }
  tbody th {
    font-weight: 500;
  }
  .number {
    text-align: right;
  }
  thead .folded {
    white-space: normal;
  }
  .words {
    width: 100%;
    min-width: 18em;
    white-space: normal;
  }
  @media (max-width: 60rem) {
    thead .folded {
      white-space: normal;
    }
    .words {
      min-width: 28em;
    }
  }
  .flag {
    color: var(--flag);
  }
`;
