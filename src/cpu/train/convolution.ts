import type { ConvGeometry } from '../../core/nn/plan.ts';
import { elementSize } from './opCall.ts';

/** Channels of a panel of packed weights. */
export const panelChannels = 8;
/** Panels that a tile does on its pixels: all of a narrow layer, a part of a wide one. */
const panelsPerTile = 8;
/** `pixelTable` holds two addresses a pixel, and the last one five more times. */
const tableEntrySize = 8;
const tableSpare = 5;
/** Kernels read whole register blocks: up to this many bytes past what they use. */
export const readAhead = 64;

/** Bytes of one panel of packed weights, of so many rows. */
export function panelSize(length: number): number {
  return length * panelChannels * elementSize;
}

export function panelsOf(channels: number): number {
  return Math.ceil(channels / panelChannels);
}

/** Bytes of packed weights: `length` rows of each panel. */
export function packedSize(length: number, channels: number): number {
  return panelsOf(channels) * panelSize(length);
}

export function tableSize(pixels: number): number {
  return Math.ceil(((pixels + tableSpare) * tableEntrySize) / 64) * 64;
}

/** How channels are cut into groups of panels. */
export class ChannelGroups {
  readonly groups: number;
  /** Channels of a group at the most. */
  readonly most: number;
  readonly #channels: number;

  constructor(channels: number) {
    this.#channels = channels;
    this.groups = Math.ceil(panelsOf(channels) / panelsPerTile);
    this.most = Math.min(channels, panelsPerTile * panelChannels);
  }

  at(group: number): { readonly first: number; readonly count: number } {
    const most = panelsPerTile * panelChannels;
    const first = group * most;
    return { first, count: Math.min(most, this.#channels - first) };
  }
}

/** A window's place over an image, in its pixels. */
export interface Window {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** The input that `rows` rows of outputs from `row` on meet, padding included. */
export function inputWindow(g: ConvGeometry, row: number, rows: number): Window {
  return {
    row: row * g.stride - g.padTop,
    column: -g.padLeft,
    rows: (rows - 1) * g.stride + g.kernelHeight,
    columns: (g.outWidth - 1) * g.stride + g.kernelWidth,
  };
}

/** Whether no window of the convolution reaches over the image: then inputs are read in place. */
export function isInside(g: ConvGeometry): boolean {
  const { rows, columns } = inputWindow(g, 0, g.outHeight);
  return g.padTop === 0 && g.padLeft === 0 && rows <= g.inHeight && columns <= g.inWidth;
}

export function windowSize({ rows, columns }: Window, channels: number): number {
  return rows * columns * channels * elementSize;
}
