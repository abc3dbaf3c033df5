import { type ChatClient, questionsIn } from './chat-client.js';
import { chatOutcome } from './chat-outcome.js';
import type { ChatWatch } from './chat-watch.js';
import type { Outcome, PlannedTurn, Turns } from './target.js';

/** Says one thing after the other, and approves what is asked. */
export async function converseInChat(client: ChatClient, turns: Turns): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const turn of turns) outcomes.push(await take(client, turn));
  return outcomes;
}

async function take(client: ChatClient, { name, plan }: PlannedTurn): Promise<Outcome> {
  const before = await client.messages();
  const seen: ChatWatch[] = [await client.say(`user-${name}`, `Turn ${name} ${plan}`, before.at(-1)?.id ?? null)];
  let messages = await client.messages();
  for (let questions = questionsIn(messages); questions.length > 0; questions = questionsIn(messages)) {
    seen.push(await client.approve(questions));
    messages = await client.messages();
  }
  return chatOutcome(name, seen, messages.slice(before.length + 1));
}
