import geometrySource from '../../../shaders/lib/dense-geometry.wgsl?raw';

/** What stands before the source of a dense kernel. */
export const denseLibrary = geometrySource;

/** `DenseGeometry` of shaders/lib/dense-geometry.wgsl. */
export const denseFields = { batch: 'u32', inFeatures: 'u32', outFeatures: 'u32' } as const;
