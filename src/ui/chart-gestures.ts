import { panned, zoomed } from '../core/chart/zoom.ts';
import type { Frame } from '../core/chart/frame.ts';
import type { Point } from '../core/chart/geometry.ts';

/** What gestures need to know of a chart, and where they tell what they mean. */
export interface GestureTarget {
  readonly frame: () => Frame;
  /** The plot's box on the page. */
  readonly box: () => DOMRect;
  readonly onFrame: (frame: Frame) => void;
  /** A tap or a click, in pixels from the plot's top left corner. */
  readonly onTap: (at: Point) => void;
  /** Two taps in one place; the first was told as a tap. */
  readonly onDoubleTap: () => void;
}

interface Tap extends Point {
  /** In milliseconds. */
  readonly time: number;
}

/** One notch of a wheel. */
const wheelScale = 1.0015;
/** A pointer that moved less has tapped, in pixels. */
const tapDistance = 5;
/** A second tap as soon and as near as this makes a double one, in milliseconds and pixels. */
const doubleTap = { milliseconds: 400, distance: 24 } as const;

/**
 * Zoom and pan by pointers: drag to pan, two fingers to zoom and pan, the wheel to zoom where the
 * chart has the focus or Ctrl is held, so that the page can still be scrolled over it. Double taps
 * are told apart here: not every browser tells of those of fingers.
 */
export class ChartGestures {
  readonly #target: GestureTarget;
  readonly #pointers = new Map<number, Point>();
  #moved = 0;
  #lastTap: Tap | undefined;

  constructor(target: GestureTarget) {
    this.#target = target;
  }

  /** Listens to an element for as long as that is there. */
  connect(element: HTMLElement): void {
    element.addEventListener('pointerdown', this.#onDown);
    element.addEventListener('pointermove', this.#onMove);
    element.addEventListener('pointerup', this.#onUp);
    element.addEventListener('pointercancel', this.#onCancel);
    element.addEventListener('wheel', this.#onWheel, { passive: false });
  }

  readonly #onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.#pointers.set(event.pointerId, pointOf(event));
    if (this.#pointers.size === 1) this.#moved = 0;
  };

  readonly #onMove = (event: PointerEvent): void => {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    const travelled = this.#moved;
    this.#moved += distance(before, now);
    if (this.#moved <= tapDistance) return;
    // Captured only now, so that a tap stays a click.
    if (travelled <= tapDistance) elementOf(event).setPointerCapture(event.pointerId);
    if (other) this.#pinch(before, now, other);
    else this.#drag(before, now);
  };

  readonly #onUp = (event: PointerEvent): void => {
    const known = this.#pointers.delete(event.pointerId);
    if (!known || this.#moved > tapDistance) return;
    const tap = { ...pointOf(event), time: event.timeStamp };
    const isDouble = this.#lastTap !== undefined && isDoubleTap(this.#lastTap, tap);
    this.#lastTap = isDouble ? undefined : tap;
    if (isDouble) {
      this.#target.onDoubleTap();
      return;
    }
    const box = this.#target.box();
    this.#target.onTap({ x: tap.x - box.left, y: tap.y - box.top });
  };

  readonly #onCancel = ({ pointerId }: PointerEvent): void => {
    this.#pointers.delete(pointerId);
  };

  readonly #onWheel = (event: WheelEvent): void => {
    const element = elementOf(event);
    const focused = (element.getRootNode() as ShadowRoot).activeElement === element;
    if (!focused && !event.ctrlKey) return;
    event.preventDefault();
    const scale = wheelScale ** event.deltaY;
    this.#target.onFrame(zoomed(this.#target.frame(), scale, this.#shares(pointOf(event))));
  };

  #drag(before: Point, now: Point): void {
    const { width, height } = this.#target.box();
    const shares = [(before.x - now.x) / width, (now.y - before.y) / height] as const;
    this.#target.onFrame(panned(this.#target.frame(), shares));
  }

  #pinch(before: Point, now: Point, other: Point): void {
    const scale = distance(before, other) / Math.max(1, distance(now, other));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.#target.onFrame(zoomed(this.#target.frame(), scale, this.#shares(middle)));
  }

  /** Where a point of the page is in the plot, from the left and from the bottom. */
  #shares({ x, y }: Point): readonly [number, number] {
    const { left, bottom, width, height } = this.#target.box();
    return [(x - left) / width, (bottom - y) / height];
  }
}

function isDoubleTap(first: Tap, second: Tap): boolean {
  return (
    second.time - first.time < doubleTap.milliseconds &&
    distance(first, second) < doubleTap.distance
  );
}

function elementOf({ currentTarget }: Event): HTMLElement {
  return currentTarget as HTMLElement;
}

function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX, y: clientY };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
