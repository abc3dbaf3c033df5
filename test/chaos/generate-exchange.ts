import type { Dice } from './dice.js';
import { generateMangles } from './generate-mangles.js';
import type { AnswerExchange, CallItem, Cut, Does, Item, McpScenario, Noise, ToolName } from './scenario.js';

export interface ExchangePlan {
  /** `<lane>.<exchange>`: what ids and markers are made of. */
  readonly name: string;
  readonly mcp: McpScenario | undefined;
  readonly mayKill: boolean;
  /** The caller aborts while a tool runs. */
  readonly abortsTool: boolean;
  readonly streams: boolean;
  readonly hasClientTool: boolean;
  /** Every response of the lane has the same id, and call ids begin anew with each. */
  readonly reusesIds: boolean;
  readonly calls: 'some' | 'none';
}

/** Characters of one to four bytes, so that every cut hits some. */
const WORDS = ['ducks', 'Würze', '漢字', '🦆🌊', 'e\u0301', 'pond.', 'naïve', '{"not": json}', 'ß', '—'];

export function generateExchange(dice: Dice, plan: ExchangePlan): AnswerExchange {
  const items = generateItems(dice, plan);
  const form = !plan.streams && dice.chance(0.6) ? 'json' : 'sse';
  const interleave = form === 'sse' && dice.chance(0.3);
  const breaks = dice.chance(0.16);
  const status = dice.weighted<AnswerExchange['status']>([
    [88, 'completed'],
    [5, 'incomplete'],
    [4, 'failed'],
    [3, 'error'],
  ]);
  const length = roughLength(items);
  return {
    kind: 'answer',
    responseId: plan.reusesIds ? 'resp_same' : `resp_${plan.name}`,
    form,
    items,
    interleave,
    status,
    error: generateError(dice),
    mangles: form === 'sse' ? generateMangles(dice, items, interleave) : [],
    noise: form === 'sse' && dice.chance(0.3) ? generateNoise(dice, length) : [],
    ...(breaks ? { stopAfter: dice.below(length + 3) } : {}),
    tornEvent: breaks && dice.chance(0.3),
    ending: breaks
      ? dice.weighted([
          [4, 'end'],
          [5, 'reset'],
          [1, 'stall'],
        ])
      : dice.weighted([
          [92, 'end'],
          [5, 'reset'],
          [3, 'stall'],
        ]),
    cut: generateCut(dice),
    eventLines: dice.chance(0.85),
    crlf: dice.chance(0.1),
    ...(dice.chance(0.08) ? { pause: { at: dice.below(length), ms: dice.between(1, 70) } } : {}),
    straggler: form === 'sse' && dice.chance(0.05),
  };
}

function generateItems(dice: Dice, plan: ExchangePlan): Item[] {
  const items: Item[] = [];
  if (dice.chance(0.35))
    items.push({ type: 'reasoning', text: sentence(dice, `R${plan.name}`), sealed: dice.chance(0.6) });
  if (plan.calls === 'none' || dice.chance(0.35)) items.push({ type: 'text', text: sentence(dice, `T${plan.name}`) });
  const count =
    plan.calls === 'none'
      ? 0
      : dice.weighted([
          [5, 1],
          [4, 2],
          [3, 3],
          [1, 6],
        ]);
  for (let at = 0; at < count; at += 1) items.push(generateCall(dice, plan, at));
  if (count > 0 && dice.chance(0.15)) items.push({ type: 'text', text: sentence(dice, `U${plan.name}`) });
  return items;
}

function generateCall(dice: Dice, plan: ExchangePlan, at: number): CallItem {
  const marker = `M${plan.name}.${at}`;
  const name = generateName(dice, plan);
  return {
    type: 'call',
    name,
    marker,
    does: generateDoes(dice, name, plan),
    broken: dice.chance(0.06),
    callId: plan.reusesIds ? `call_${at}` : `call_${plan.name}_${at}`,
  };
}

function generateName(dice: Dice, { mcp, hasClientTool }: ExchangePlan): ToolName {
  if (mcp?.kind === 'stdio') return dice.chance(0.5) ? 'echo' : 'trigger-long-running-operation';
  return dice.weighted<ToolName>([
    [5, 'look'],
    [5, 'act'],
    [mcp === undefined ? 0 : 6, 'peek'],
    [mcp === undefined ? 0 : 6, 'poke'],
    [hasClientTool ? 3 : 0, 'ask'],
    [1, 'nosuch'],
  ]);
}

function generateDoes(dice: Dice, name: ToolName, plan: ExchangePlan): Does {
  if (name === 'trigger-long-running-operation') return 'kill';
  if (name === 'ask' || name === 'nosuch' || name === 'echo') return 'ok';
  const overMcp = name === 'peek' || name === 'poke';
  const kills = overMcp && plan.mayKill && plan.mcp?.deadAtStart === false;
  // What never answers waits for a short limit, or for the abort.
  const hangs = !overMcp || plan.mcp?.timeoutMs === 250 ? 3 : plan.abortsTool ? 20 : 0;
  return dice.weighted<Does>([
    [50, 'ok'],
    [10, 'slow'],
    [6, 'throw'],
    [5, 'is-error'],
    [4, 'empty'],
    [4, 'huge'],
    [overMcp ? 4 : 0, 'leak'],
    [overMcp ? 0 : 5, 'reject'],
    [overMcp ? 0 : 4, 'junk'],
    [hangs, 'hang'],
    [overMcp ? 0 : 3, 'deaf'],
    [kills ? 8 : 0, 'kill'],
    [kills ? 3 : 0, 'die'],
  ]);
}

function generateError(dice: Dice): AnswerExchange['error'] {
  const [code, retryable] = dice.pick([
    ['server_error', true],
    ['rate_limit_exceeded', true],
    ['insufficient_quota', false],
    ['invalid_prompt', false],
  ] as const);
  return { code, retryable, echoesKey: dice.chance(0.3) };
}

function generateNoise(dice: Dice, length: number): Noise[] {
  const kinds: readonly Noise['what'][] = [
    'comment',
    'garbage',
    'broken-json',
    'unknown-event',
    'unknown-item',
    'blank',
    'done-mark',
    'retry',
  ];
  return Array.from({ length: dice.between(1, 4) }, () => ({ at: dice.below(length), what: dice.pick(kinds) }));
}

function generateCut(dice: Dice): Cut {
  return {
    how: dice.weighted([
      [30, 'whole'],
      [25, 'events'],
      [6, 'byte'],
      [25, 'random'],
      [15, 'utf8'],
    ]),
    seed: dice.below(0x7fffffff),
  };
}

/** About as many events as a plain stream of these items has. */
function roughLength(items: readonly Item[]): number {
  return 2 + items.length * 9;
}

function sentence(dice: Dice, marker: string): string {
  const words = Array.from({ length: dice.between(1, 5) }, () => dice.pick(WORDS));
  return `${marker}: ${words.join(' ')}`;
}
