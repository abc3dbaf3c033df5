import type { Profile } from '../../core/profile.js';
import type { COLOURS, Paint } from '../colours.js';
import type { Choice } from './choose-profile.js';
import { effectOf } from './effects.js';
import type { Point } from './point.js';

/** The name of the loop among the points. */
export const LOOP = 'the loop';

export type Result = 'works' | 'limits' | 'fails';

export const EXIT_CODES: Readonly<Record<Result, number>> = { works: 0, limits: 1, fails: 2 };

/** The output of `--json`; members are only ever added. */
export interface Report {
  readonly doctor: 1;
  readonly url: string;
  readonly model: string | null;
  readonly looksLike: string | null;
  readonly result: Result;
  readonly points: readonly {
    readonly name: string;
    readonly verdict: Point['verdict'];
    readonly detail: string;
    /** What this package does about it. */
    readonly here: string | null;
  }[];
  readonly limits: readonly string[];
  /** `null` if the server sent no text, so the fact is unknown. */
  readonly profile: { readonly name: string; readonly isBuiltIn: boolean; readonly differs: readonly string[] } | null;
  readonly code: string | null;
  readonly cost: Cost;
}

export interface Cost {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly seconds: number;
}

export interface Facts {
  readonly url: string;
  readonly model: string | undefined;
  readonly looksLike: string | undefined;
  readonly points: readonly Point[];
  readonly isCut: boolean;
  readonly choice: Choice | undefined;
  readonly code: string | undefined;
  readonly cost: Cost;
}

export function makeReport(facts: Facts): Report {
  const { points, choice, code = null, model = null, looksLike = null } = facts;
  const limits = limitsOf(facts);
  return {
    doctor: 1,
    url: facts.url,
    model,
    looksLike,
    result: resultOf(points, limits),
    points: points.map((point) => {
      const { name, verdict, detail } = point;
      return { name, verdict, detail, here: here(point, choice?.profile) };
    }),
    limits,
    profile:
      choice === undefined
        ? null
        : { name: choice.profile.name, isBuiltIn: choice.isBuiltIn, differs: differencesOf(choice) },
    code,
    cost: facts.cost,
  };
}

function here(point: Point, profile: Profile | undefined): string | null {
  return profile === undefined || point.verdict === 'skipped' ? null : (effectOf(point, profile) ?? null);
}

function limitsOf({ points, isCut }: Facts): readonly string[] {
  const bad = points.filter(({ verdict }) => verdict === 'no' || verdict === 'partly');
  const limits = bad.flatMap(({ name, limit }) => (limit === undefined ? [] : [`${name}: ${limit}`]));
  return isCut ? [...limits, 'the time ran out before all tests had run'] : limits;
}

function resultOf(points: readonly Point[], limits: readonly string[]): Result {
  const loop = points.find(({ name }) => name === LOOP)?.verdict;
  if (loop !== 'yes' && loop !== 'partly') return 'fails';
  return limits.length === 0 ? 'works' : 'limits';
}

function differencesOf({ differs }: Choice): string[] {
  return differs.map(({ profile, member, isWrong }) =>
    isWrong ? `${profile} does not fit in ${member}` : `${profile} does less than the server can in ${member}`,
  );
}

const COLOUR_OF: Readonly<Record<Point['verdict'], keyof typeof COLOURS>> = {
  yes: 'green',
  no: 'red',
  partly: 'yellow',
  unknown: 'cyan',
  skipped: 'grey',
};
const VERDICT_WIDTH = 8;
const NAME_WIDTH = 30;

export function pointLine({ name, verdict, detail }: Point, paint: Paint): string {
  return `${paint(verdict.padEnd(VERDICT_WIDTH), COLOUR_OF[verdict])} ${name.padEnd(NAME_WIDTH)} ${detail}\n`;
}

const RESULTS: Readonly<Record<Result, string>> = {
  works: 'Works with the loop.',
  limits: 'Works with the loop, but with limitations:',
  fails: 'Does not work with the loop.',
};

/** Returns the summary of all points. */
export function summary(report: Report): string {
  const { result, limits, profile, points, code, cost } = report;
  const lines = ['', RESULTS[result], ...limits.map((limit) => `  - ${limit}`)];
  if (profile !== null) {
    const kind = profile.isBuiltIn
      ? `The profile "${profile.name}" fits`
      : 'No built-in profile fits; a custom one is below';
    lines.push(
      '',
      `${kind}${profile.differs.length === 0 ? '' : ` (${profile.differs.join('; ')})`}. How this package handles each feature:`,
    );
    lines.push(
      ...points.flatMap(({ name, here: effect }) =>
        effect === null ? [] : [`  ${name.padEnd(NAME_WIDTH)} ${effect}`],
      ),
    );
  }
  const { requests, inputTokens, outputTokens, seconds } = cost;
  lines.push('', `${requests} requests, ${inputTokens} tokens in, ${outputTokens} out, ${seconds} s.`);
  return `${lines.join('\n')}\n${code === null ? '' : `\n${code}`}`;
}
