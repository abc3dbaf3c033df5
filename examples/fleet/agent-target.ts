import { AgentClient, type SeenTurn, textOf } from './agent-client.js';
import { startAgentInstance } from './agent-instance.js';
import type { Json } from './connection.js';
import type { Outcome, PlannedTurn, Target } from './target.js';

export const agentTarget: Target = {
  name: 'agent-runtime',
  start: startAgentInstance,
  converse: async (urls, turns) => {
    const client = new AgentClient(urls);
    const session = await client.newSession();
    const outcomes: Outcome[] = [];
    for await (const turn of turns) outcomes.push(await take(client, session, turn));
    return outcomes;
  },
};

async function take(client: AgentClient, session: string, { name, plan }: PlannedTurn): Promise<Outcome> {
  const last = (await client.rows(session)).at(-1)?.seq ?? 0;
  const content = `Turn ${name} ${plan}`;
  const seen: SeenTurn[] = [await client.turn(session, 'messages', { content })];
  while (seen.at(-1)?.events.at(-1)?.data.stopReason === 'approval_needed') {
    const { items } = await client.json(`/sessions/${session}/approvals`);
    const answers = items.map(({ approvalId }: Json) => ({ approvalId, approved: true }));
    seen.push(await client.turn(session, 'approvals', { answers }));
  }
  return outcomeOf(name, seen, await client.rows(session, last));
}

/** Holds what the client has seen against what is kept. */
function outcomeOf(turn: string, seen: readonly SeenTurn[], rows: readonly Json[]): Outcome {
  const events = seen.flatMap((one) => one.events);
  const text = textOf(events);
  const said = rows.filter(({ type, kind }) => type === 'agent' && kind !== 'thinking').map(({ content }) => content);
  const calls = rows.filter(({ toolInput, kind }) => toolInput !== undefined && kind === undefined);
  const results = rows.filter(({ toolResult }) => toolResult !== undefined).map(({ toolId }) => toolId);
  const seenResults = events.filter(({ type }) => type === 'tool_result').map(({ data }) => data.toolCallId);
  const broken: string[] = [];
  if (!text.endsWith(`Turn ${turn} is done.`)) broken.push(`${turn} did not end: ${text.slice(-80)}`);
  if (said.join('') !== text) broken.push(`${turn}: the client has "${text}", the history "${said.join('')}"`);
  return {
    ...{ turn, broken },
    calls: calls.map(({ toolId }) => toolId),
    lost: seen.reduce((sum, { lost }) => sum + lost, 0),
    silenceMs: Math.max(...seen.map(({ silenceMs }) => silenceMs)),
    doubled: seen.reduce((sum, { doubled }) => sum + doubled, 0) + (seenResults.length - new Set(seenResults).size),
    missing: results.filter((id) => !seenResults.includes(id)).length,
  };
}
