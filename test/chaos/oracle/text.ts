import type { ModelCall } from '../observation.js';
import { isRepeated, type RoundView } from '../model/rounds.js';
import { beyondText } from '../lane-play.js';
import { type Checker, eachCall, roundsOfCall } from './checker.js';

interface Told {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** I2: what was streamed, filled in from what came later; nothing twice, nothing lost, nothing made up. */
export const text: Checker = eachCall((call, lane, _observation, index) => {
  if (call.rejected !== undefined || (call.method === 'doGenerate' && call.result === undefined)) return [];
  const told = toldBy(call);
  const rounds = roundsOfCall(lane, index).filter((round) => !isRepeated(round));
  const expected = rounds.flatMap((round) => expectedOf(round));
  const problems: string[] = [];
  for (const one of told) {
    const at = expected.findIndex((want) => matches(one, want));
    if (at < 0) problems.push(`${one.kind} ${JSON.stringify(one.text)} is not what the server said`);
    else expected.splice(at, 1);
  }
  if (lane.isStopped) return problems;
  const lost = expected.filter((want) => !want.mayBeCut);
  return [...problems, ...lost.map((want) => `${want.kind} ${JSON.stringify(want.text)} is lost`)];

  function matches(one: Told, want: Expected): boolean {
    const whole = one.text === want.text;
    return one.kind === want.kind && (whole || ((want.mayBeCut || lane.isStopped) && want.text.startsWith(one.text)));
  }
});

interface Expected extends Told {
  /** The connection broke, so the end of it may be missing. */
  readonly mayBeCut: boolean;
}

function expectedOf({ folded, exchange, index }: RoundView): Expected[] {
  if (exchange === undefined) return [{ kind: 'text', text: beyondText(index), mayBeCut: false }];
  return (folded?.items ?? []).flatMap((item): Expected[] =>
    item.item.type === 'call' || item.text === ''
      ? []
      : [{ kind: item.item.type, text: item.text, mayBeCut: folded?.isUncertain === true }],
  );
}

function toldBy(call: ModelCall): Told[] {
  const told = new Map<string, Told>();
  for (const part of call.parts) {
    if (part.type !== 'text-delta' && part.type !== 'reasoning-delta') continue;
    const kind = part.type === 'text-delta' ? 'text' : 'reasoning';
    told.set(part.id, { kind, text: (told.get(part.id)?.text ?? '') + part.delta });
  }
  const content = (call.result?.content ?? []).flatMap((item): Told[] =>
    item.type === 'text' || item.type === 'reasoning' ? [{ kind: item.type, text: item.text }] : [],
  );
  return [...told.values(), ...content].filter((one) => one.text !== '');
}
