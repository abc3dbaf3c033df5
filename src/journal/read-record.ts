import { ownWords } from '../core/clean-text.js';
import type {
  AskedRecord,
  CallHead,
  JournalRecord,
  JournalStep,
  MarkRecord,
  RoundRecord,
  ToolHead,
  ToolRecord,
} from './journal.js';
import type { Unsupported } from '../core/warning.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { failure } from './failure-record.js';
import type { RoundChange } from '../loop/between-rounds.js';
import { rowOf } from '../util/guards.js';
import { partsInOrder } from './part-order.js';
import { roundPart, toolOutput } from './part-shapes.js';
import {
  all,
  type Check,
  flag,
  listOf,
  may,
  must,
  number,
  object,
  oneOf,
  type Shape,
  shallow,
  shape,
  text,
  textOr,
  word,
} from './shape.js';

const head = shape<CallHead>({
  // Records of early versions of this package have no seed.
  seed: may(word),
  asked: may(shape<AskedRecord>({ model: text, prompt: text, options: text, secret: may(text) })),
  origin: may(text),
  fallback: may(
    shape<NonNullable<CallHead['fallback']>>({
      uses: oneOf('primary', 'stock'),
      because: oneOf('flag', 'environment', 'failure', 'circuit', 'default'),
    }),
  ),
  tools: listOf(
    shape<ToolHead>({
      name: word,
      source: text,
      tool: word,
      own: may(flag),
      readOnly: may(flag),
      idempotent: may(flag),
    }),
  ),
  warnings: listOf(
    textOr(
      shape<Unsupported>({
        feature: text,
        details: text,
        isReplaced: may(must('true', (value) => value === true)),
        tool: may(object),
      }),
    ),
  ),
});

/** Every record has these. */
const version = must('1', (value) => value === 1);
const at = may(number);

const round = shape<RoundRecord>({
  version,
  at,
  call: may(head),
  origin: may(text),
  warnings: may(listOf(text)),
  parts: all(listOf(roundPart), partsInOrder),
  failure: may(failure),
});
const choice = object;
const change = shape<RoundChange>({
  texts: may(listOf(text)),
  tools: may(listOf(text)),
  toolChoice: may(choice),
  modelId: may(word),
  options: may(object),
  stop: may(oneOf('answer', 'now')),
  stoppedBy: may(text),
  late: may(listOf(word)),
});
const MARK: Shape<MarkRecord> = { version, at, attempt: may(text), call: may(head), change: may(object) };

/** By the kind of the step, and its part of a call. */
const RECORDS: Readonly<Record<JournalStep['kind'], (key: string) => Check>> = {
  round: () => round,
  tool: () => shape<ToolRecord>({ version, at, output: toolOutput, interrupted: may(flag) }),
  mark: (key) => shape<MarkRecord>({ ...MARK, ...rowOf(MARKS, key.split('/')[1] ?? '') }),
};

/** Members that a mark needs, by the second word of its key. */
const MARKS: Readonly<Record<string, Partial<Shape<MarkRecord>>>> = {
  start: { call: head },
  tool: { attempt: text },
  between: { change },
};

/**
 * The only check of a journal's values, which may be anything: afterwards every member has its type.
 *
 * @throws ResponsesLoopError `journal`, with the step and the member
 */
export function readRecord<Kept extends JournalRecord>(step: JournalStep, value: Kept): Kept {
  const problem = RECORDS[step.kind](step.key)(value, '') ?? membersAreShallow(value);
  if (problem !== undefined) throw noRecordOf(step, problem);
  return value;
}

function membersAreShallow(record: unknown): string | undefined {
  for (const [name, member] of Object.entries(record as object)) {
    const problem = shallow(member, name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The error for a journal's value that cannot be read. */
export function noRecordOf({ key }: Pick<JournalStep, 'key'>, problem: string): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'journal',
    message: ownWords(
      `The journal returned something for the step "${key}" that is not a record of this version: ${problem}. A loop must end under the version that began it. If the record is damaged, start again in a new journal.`,
    ),
  });
}

/** The error for a record of another call, which this call must not read. */
export function otherCall({ key }: Pick<JournalStep, 'key'>, difference: string): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'journal',
    message: ownWords(
      `The journal contains a different call under the key "${key}": it was made ${difference}. Give each loop its own journal (a different key or prefix). Take the time and other values that change from a step of the engine.`,
    ),
  });
}
