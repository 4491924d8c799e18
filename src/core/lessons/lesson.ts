import type { FigureSeries } from './figure.ts';

/** What a lesson wants to know before it shows anything. */
export type Question =
  | {
      readonly kind: 'number';
      readonly text: string;
      /** `%`, `times`; stands behind the number. */
      readonly unit: string;
      /** Ends of a logarithmic scale. */
      readonly min: number;
      readonly max: number;
    }
  | {
      readonly kind: 'choice';
      readonly text: string;
      readonly options: readonly string[];
    };

/** A number, or the index of an option. */
export type Prediction = number;

/** A number of the reveal with its name. */
export interface LessonRow {
  readonly label: string;
  readonly value: string;
}

/** What the learner's own record, or the reference, answers. */
export interface Answer {
  /** In the question's unit, or the index of the right option. */
  readonly value: number;
  /** The value in words, with its unit. */
  readonly text: string;
  readonly rows: readonly LessonRow[];
  /** What follows, with these numbers. */
  readonly explanation: readonly string[];
  readonly chart?: readonly FigureSeries[];
}

/** Names of formulas; the page sets them. */
export type FormulaName =
  | 'roof'
  | 'triad'
  | 'ridge'
  | 'convolutionIntensity'
  | 'limitIntensity'
  | 'speedup'
  | 'karpFlatt'
  | 'replicaStep'
  | 'leastTime'
  | 'roofShare';

/** A lesson on given numbers. */
export interface Lesson {
  readonly title: string;
  /** What many believe, in their words. */
  readonly misconception: string;
  readonly introduction: readonly string[];
  readonly formulas: readonly FormulaName[];
  readonly question: Question;
  /** Absent where the numbers lack what it takes; `missing` says what to measure. */
  readonly answer?: Answer;
  readonly missing?: string;
  /** To remember. */
  readonly takeaway: string;
  /** Questions for paper, answered by nobody but the learner. */
  readonly worksheet: readonly string[];
}

/** How a prediction fared: `right` within a quarter, `near` within a factor of two, else `off`. */
export type Verdict = 'right' | 'near' | 'off';

const rightWithin = Math.log(1.25);
const nearWithin = Math.log(2);

/** Judges by the distance of logarithms, since what is predicted spans decades; choices fit or not. */
export function verdictOf(question: Question, prediction: Prediction, { value }: Answer): Verdict {
  switch (question.kind) {
    case 'choice':
      return prediction === value ? 'right' : 'off';
    case 'number': {
      const distance = Math.abs(Math.log(prediction / value));
      if (distance <= rightWithin) return 'right';
      return distance <= nearWithin ? 'near' : 'off';
    }
  }
}
