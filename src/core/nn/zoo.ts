export const modelNames = ['resnet8'] as const;
export type ModelName = (typeof modelNames)[number];
