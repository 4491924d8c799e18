import type { RunEvent } from '../core/run/events.ts';

/** Shows where a run is: one line that rewrites itself on a terminal, a line a stage elsewhere. */
export class ProgressLine {
  private lastStage = '';

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show(event: RunEvent): void {
    if (event.kind === 'failure') {
      const { device, stage, cause, advice } = event.failure;
      this.clear();
      this.stream.write(`${device} ${stage}: ${cause} ${advice}\n`);
    }
    if (event.kind !== 'progress') return;
    const stage = `${event.device} ${event.stage}`;
    const percent = Math.round(event.fraction * 100);
    if (this.stream.isTTY) {
      this.clear();
      this.stream.write(`${percent} % ${stage}, ${Math.ceil(event.remainingSeconds)} s left`);
    } else if (stage !== this.lastStage) {
      this.stream.write(`${percent} % ${stage}\n`);
    }
    this.lastStage = stage;
  }

  end(): void {
    this.clear();
  }

  private clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001B[K');
  }
}
