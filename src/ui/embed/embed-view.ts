import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { AddressState } from '../../app/address.ts';
import { inputErrorText } from '../../app/files.ts';
import { roofFrame } from '../../core/chart/frame.ts';
import { defaultLayers, shownPanel } from '../../core/chart/layers.ts';
import { chartPanel, type ChartPanel } from '../../core/chart/panel.ts';
import { chartsSvg, type SvgChart } from '../../core/chart/svg.ts';
import { hasSoftwareGpu } from '../../core/compare/comparedRun.ts';
import { browserName } from '../../core/run/browserName.ts';
import type { Parsed } from '../../core/run/config.ts';
import { decodeLink, type SharedRun } from '../../core/run/link.ts';
import { canvasTextWidth } from '../chart-canvas.ts';
import { readChartTheme } from '../chart-theme.ts';
import { panelSubtitle } from '../device-names.ts';
import { dateText } from '../run-notices.ts';
import { strings } from '../strings.ts';
import { sharedStyles } from '../styles.ts';

/** Two charts stand side by side where each gets at least this width, in pixels. */
const leastWidth = 360;
const leastHeight = 220;

const noLink: Parsed<SharedRun> = {
  kind: 'invalid',
  errors: [{ field: 'link', value: '', expected: 'the link of a shared run after #r=' }],
};

/** Only the charts of a link, as large as the frame they are in; nothing here measures. */
@customElement('rooftrace-embed-view')
export class EmbedView extends LitElement {
  /** The page's address, which is the view's state. */
  @property({ attribute: false }) address!: AddressState;
  @state() private parsed: Parsed<SharedRun> | undefined;
  @state() private size = { width: 0, height: 0 };

  private readonly resize = new ResizeObserver(() => {
    this.size = { width: innerWidth, height: innerHeight };
  });
  private readonly darkScheme = matchMedia('(prefers-color-scheme: dark)');

  static override styles = [
    sharedStyles,
    css`
      :host {
        height: 100vh;
        overflow: hidden;
        background: var(--surface);
      }
      .charts {
        display: flex;
        flex-wrap: wrap;
      }
      .note {
        margin: 1rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.resize.observe(document.documentElement);
    this.darkScheme.addEventListener('change', this.onScheme);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize.disconnect();
    this.darkScheme.removeEventListener('change', this.onScheme);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('address')) void this.read(this.address.link);
  }

  override render(): TemplateResult {
    return html`<h1 class="visually-hidden">${strings.charts.embedded}</h1>
      ${this.content()}`;
  }

  private content(): TemplateResult {
    const { parsed } = this;
    switch (parsed?.kind) {
      case undefined:
        return html``;
      case 'ok':
        return html`<div class="charts">${unsafeHTML(this.drawing(parsed.value))}</div>`;
      case 'invalid':
        return html`<div class="note error" role="alert" data-notice="link">
          <strong>${strings.notices.linkTitle}</strong>
          ${parsed.errors.map((error) => html`<p>${inputErrorText(error)}</p>`)}
        </div>`;
    }
  }

  private async read(link: string | undefined): Promise<void> {
    const parsed = link === undefined ? noLink : await decodeLink(link);
    if (link === this.address.link) this.parsed = parsed;
  }

  private readonly onScheme = (): void => this.requestUpdate();

  /** One drawing of charts side by side, or one a chart where the frame is narrow. */
  private drawing(run: SharedRun): string {
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('this browser gives no canvas');
    const theme = readChartTheme(this);
    const panels = (['gpu', 'cpu'] as const)
      .map((device) => shownPanel(chartPanel(run.summary, device), defaultLayers))
      .filter(({ ceilings, trajectories }) => ceilings.length > 0 || trajectories.length > 0);
    const beside = this.size.width >= leastWidth * panels.length;
    const count = Math.max(1, panels.length);
    const width = Math.floor(beside ? this.size.width / count : this.size.width);
    const height = Math.floor(beside ? this.size.height : this.size.height / count);
    const charts = panels.map((panel): SvgChart => ({
      panels: [panel],
      frame: roofFrame(panels),
      theme,
      textWidth: canvasTextWidth(context, theme.font),
      width: Math.max(leastHeight, width),
      height: Math.max(leastHeight, height),
      title: strings.charts.pictureTitle(panel.device.toUpperCase()),
      note: isSoftware(run, panel) ? strings.charts.softwareGpu : '',
      caption: caption(run, panel),
    }));
    return beside ? chartsSvg(charts) : charts.map((chart) => chartsSvg([chart])).join('');
  }
}

function isSoftware({ summary }: SharedRun, { device }: ChartPanel): boolean {
  return device === 'gpu' && hasSoftwareGpu({ summary });
}

/** Whose chart it is: label and device, browser, version and date. */
function caption(run: SharedRun, { device }: ChartPanel): readonly string[] {
  const { userAgent, devices } = run.summary.environment;
  const environment = devices.find((found) => found.device === device);
  return [
    [run.label, panelSubtitle(environment, false)].filter(Boolean).join(': '),
    strings.charts.pictureCaption(
      browserName(userAgent),
      `${run.app.version} (${run.app.commit})`,
      dateText(run.startedAt),
    ),
  ];
}
