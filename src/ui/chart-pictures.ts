import { download } from '../app/download.ts';
import { fileName } from '../app/files.ts';
import { roofFrame } from '../core/chart/frame.ts';
import type { ChartPanel } from '../core/chart/panel.ts';
import { chartsSvg, type SvgChart } from '../core/chart/svg.ts';
import { browserName } from '../core/run/browserName.ts';
import type { SummarizedRun } from '../core/run/record.ts';
import { canvasTextWidth } from './chart-canvas.ts';
import { readChartTheme } from './chart-theme.ts';
import { panelSubtitle } from './device-names.ts';
import { dateText } from './run-notices.ts';
import { strings } from './strings.ts';

/** Of one device's chart, in pixels. */
const size = { width: 640, height: 540 } as const;
/** A PNG has so many pixels for each of the SVG's. */
const sharpness = 2;

/** Saves the charts of a run, light whatever the page is, with device, version and date on them. */
export async function savePicture(
  run: SummarizedRun,
  panels: readonly ChartPanel[],
  format: 'svg' | 'png',
  host: HTMLElement,
): Promise<void> {
  const svg = runSvg(run, panels, host);
  const blob = new Blob([svg], { type: 'image/svg+xml' });
  const picture = format === 'svg' ? blob : await rasterised(blob, panels.length);
  download(picture, fileName(run, format));
}

function runSvg(run: SummarizedRun, panels: readonly ChartPanel[], host: HTMLElement): string {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('this browser gives no canvas');
  const theme = lightTheme(host);
  const frame = roofFrame(panels);
  const { userAgent, devices } = run.summary.environment;
  return chartsSvg(
    panels.map((panel): SvgChart => {
      const environment = devices.find(({ device }) => device === panel.device);
      const software = environment?.device === 'gpu' && environment.software;
      return {
        panels: [panel],
        frame,
        note: software ? strings.charts.softwareGpu : '',
        theme,
        textWidth: canvasTextWidth(context, theme.font),
        ...size,
        title: strings.charts.pictureTitle(panel.device.toUpperCase()),
        caption: [
          [run.label, panelSubtitle(environment, false)].filter(Boolean).join(': '),
          strings.charts.pictureCaption(
            browserName(userAgent),
            `${run.app.version} (${run.app.commit})`,
            dateText(run.startedAt),
          ),
        ],
      };
    }),
  );
}

function lightTheme(host: HTMLElement) {
  const probe = document.createElement('span');
  probe.className = 'light-theme';
  probe.hidden = true;
  // The class is the page's, and so is the font.
  document.body.append(probe);
  const theme = { ...readChartTheme(probe), font: getComputedStyle(host).fontFamily };
  probe.remove();
  return theme;
}

async function rasterised(svg: Blob, charts: number): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = sharpness * size.width * charts;
    canvas.height = sharpness * size.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('the picture could not be made'));
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
