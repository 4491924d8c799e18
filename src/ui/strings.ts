/**
 * The page's words, in one place so that they can be translated. Texts that are made from numbers
 * (readings of points, explanations) come from src/core.
 */
export const strings = {
  chart: {
    zoom: 'Zoom',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit',
    readHint: 'Point at a line or a mark, or tap it, to read it.',
    keys: 'Arrow keys read one thing after the other. Plus and minus zoom, Shift with an arrow key pans, 0 shows all again.',
  },
  layers: {
    title: 'What the charts show',
    overlay: 'both devices in one chart',
    names: {
      compute: 'f32 roof',
      memory: 'memory roof',
      ridge: 'ridge points',
      trajectory: 'training step',
      sweeps: 'other sweeps of it',
      caches: 'caches',
      precisions: 'other precisions',
      threads: 'parts of the threads',
      knee: 'the roof, measured (knee)',
      whiskers: 'least possible intensity (whiskers)',
      bands: '95 % intervals',
    },
  },
} as const;
