import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What takes the files that are dropped on the page. */
export interface DropTarget {
  /** Whether files are welcome now. */
  isOpen(): boolean;
  take(files: readonly File[]): void;
}

/**
 * Files dropped anywhere on the page go to `target` while its host is on it; where there is none they
 * must not take the page's place, as a browser would have it.
 */
export class FileDrop implements ReactiveController {
  /** Files are over the page. */
  dragging = false;
  readonly #host: ReactiveControllerHost;
  readonly #target: DropTarget | undefined;

  constructor(host: ReactiveControllerHost, target?: DropTarget) {
    this.#host = host;
    this.#target = target;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('dragover', this.#onDragOver);
    addEventListener('dragleave', this.#onDragLeave);
    addEventListener('drop', this.#onDrop);
  }

  hostDisconnected(): void {
    removeEventListener('dragover', this.#onDragOver);
    removeEventListener('dragleave', this.#onDragLeave);
    removeEventListener('drop', this.#onDrop);
  }

  readonly #onDragOver = (event: DragEvent): void => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    this.#show(this.#target?.isOpen() ?? false);
  };

  /** Without a related target they have left the page. */
  readonly #onDragLeave = ({ relatedTarget }: DragEvent): void => {
    if (relatedTarget === null) this.#show(false);
  };

  readonly #onDrop = (event: DragEvent): void => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    this.#show(false);
    if (this.#target?.isOpen()) this.#target.take([...(event.dataTransfer?.files ?? [])]);
  };

  #show(dragging: boolean): void {
    if (dragging === this.dragging) return;
    this.dragging = dragging;
    this.#host.requestUpdate();
  }
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
