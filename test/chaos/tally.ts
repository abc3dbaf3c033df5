import type { Observation } from './observation.js';
import type { Exchange, Scenario } from './scenario.js';

/** How often what was there to be seen: a chaos run that never meets an abort says nothing about aborts. */
export type Tally = Map<string, number>;

export function createTally(): Tally {
  return new Map();
}

export function addTraits(tally: Tally, traits: readonly string[]): void {
  for (const name of new Set(traits)) addCount(tally, name);
}

export function addCount(tally: Tally, name: string, number = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + number);
}

export function traitsOf(scenario: Scenario, { lanes, runs, events }: Observation): string[] {
  const exchanges = lanes.flatMap((lane) => lane.requests.flatMap(({ exchange }) => exchange ?? []));
  const does = exchanges.flatMap((exchange) => (exchange.kind === 'answer' ? exchange.items : []));
  const ran = new Set(runs.map((run) => run.marker));
  return [
    ...scenario.lanes.map((lane) => lane.via),
    ...(lanes.length > 1 ? ['parallel'] : []),
    ...(scenario.mcp === undefined ? [] : [`mcp-${scenario.mcp.kind}`]),
    ...(scenario.replay ? ['replay'] : []),
    ...lanes.flatMap((lane) => (lane.aborted ? ['abort'] : lane.cancelled ? ['cancel'] : [])),
    ...exchanges.flatMap(traitsOfExchange),
    ...does.flatMap((item) => (item.type === 'call' && ran.has(item.marker) ? [`tool-${item.does}`, item.name] : [])),
    ...(lanes.some((lane) => lane.requests.length > 1) ? ['2+ requests'] : []),
    ...(lanes.some((lane) => lane.requests.length > 3) ? ['4+ requests'] : []),
    ...(lanes.some((lane) => lane.calls.length > 1) ? ['2+ steps'] : []),
    ...(lanes.some((lane) => lane.calls.some((call) => call.rejected !== undefined)) ? ['rejected'] : []),
    ...(lanes.some((lane) => lane.requests.some(({ request }) => request.body['tool_choice'] === 'none'))
      ? ['closing']
      : []),
    ...(events.some((event) => event.type === 'retry') ? ['retry'] : []),
    ...socketTraits(scenario, lanes),
  ];
}

function socketTraits({ sockets }: Scenario, lanes: Observation['lanes']): string[] {
  if (sockets === undefined) return [];
  const requests = lanes.map((lane) => lane.requests);
  const wires = requests.flat().flatMap(({ wire }) => wire ?? []);
  return [
    sockets.mode,
    ...sockets.upgrades.map((upgrade) => `upgrade-${upgrade}`),
    ...(wires.length > 0 ? ['over a socket'] : []),
    ...(wires.some(({ sent }) => sent['previous_response_id'] != null) ? ['continued'] : []),
    ...(wires.some(({ connection }) => connection > 0) ? ['2+ sockets'] : []),
    ...(requests.some((list) => list.some(({ wire }, at) => wire === undefined && list[at - 1]?.wire !== undefined))
      ? ['socket, then HTTP']
      : []),
  ];
}

function traitsOfExchange(exchange: Exchange): string[] {
  if (exchange.kind === 'http-error') return [`http-${exchange.status}`, exchange.code];
  if (exchange.kind === 'silent') return [`silent-${exchange.how}`];
  return [
    `cut-${exchange.cut.how}`,
    ...(exchange.form === 'json' ? ['json'] : []),
    ...(exchange.status === 'completed' ? [] : [exchange.status]),
    ...(exchange.ending === 'end' ? [] : [exchange.ending]),
    ...(exchange.stopAfter === undefined ? [] : ['stopped']),
    ...(exchange.afterwards === undefined ? [] : [`afterwards-${exchange.afterwards.how}`]),
    ...(exchange.noise.length === 0 ? [] : ['noise']),
    ...exchange.mangles.map(({ how }) => how),
    ...(exchange.items.some((item) => item.type === 'call' && item.broken) ? ['broken-json-arguments'] : []),
  ];
}
