import { css } from 'lit';

/** Of the chart's own element: what stands about the canvas, and paper, which gets a drawing instead. */
export const chartStyles = css`
  figure {
    margin: 0;
  }
  .head {
    display: flex;
    align-items: end;
    justify-content: space-between;
  }
  .zoom button {
    min-width: 2rem;
    padding: 0.0625rem 0.5rem;
    font-size: 0.875rem;
  }
  #plot {
    min-width: 0;
    overflow: hidden;
    /* One finger up and down scrolls the page; everything else is the chart's. */
    touch-action: pan-y;
    cursor: grab;
  }
  #plot:active {
    cursor: grabbing;
  }
  :host([example]) canvas {
    filter: grayscale(1) opacity(0.6);
  }
  .axis {
    color: var(--muted);
    font-size: 0.75rem;
  }
  .x {
    text-align: right;
    padding-right: 16px;
  }
  output:not([hidden]) {
    display: block;
    min-height: 4.5em;
    margin-top: 0.25rem;
    color: var(--muted);
    font-size: 0.8125rem;
  }
  @media print {
    figure,
    output {
      display: none !important;
    }
  }
`;
