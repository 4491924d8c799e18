import { batchSize } from './batch.ts';
import type { Lesson } from './lesson.ts';
import type { LessonData } from './lessonData.ts';
import { offTheRoof } from './offTheRoof.ts';
import { threadsOrReplicas } from './replicas.ts';
import { ridgePoint } from './ridgePoint.ts';
import { strongScaling } from './strongScaling.ts';
import { twoLimits } from './twoLimits.ts';

/** The lessons in order; each is made from the numbers that it is about. */
export const lessons: readonly ((data: LessonData) => Lesson)[] = [
  twoLimits,
  ridgePoint,
  batchSize,
  strongScaling,
  threadsOrReplicas,
  offTheRoof,
];
