// A program that speaks the events of agent-runtime: says what it was told, remembers how often, and can hang or end.
import { createInterface } from 'node:readline';

const resumed = process.argv.indexOf('--session');
const [id, before] = (resumed < 0 ? 'talk-1:0' : process.argv[resumed + 1]).split(':');
let count = Number(before);
const say = (type, data) => process.stdout.write(`${JSON.stringify({ type, timestamp: 1, data })}\n`);

process.stdout.write('this is no JSON\n[1]\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { type, data } = JSON.parse(line);
  if (type === 'interrupt') {
    say('interrupted', { reason: 'user' });
    continue;
  }
  if (data.content === 'die') {
    process.stderr.write('out of ducks\n');
    process.exit(7);
  }
  count += 1;
  say('session', { sessionId: `${id}:${count}` });
  say('message_start', { messageId: `m${count}`, model: 'program' });
  say('fly', { height: 3 });
  say('text_delta', { text: `${count}: ${data.content}\u2028 in ${process.cwd()}` });
  if (data.content === 'hang') continue;
  say('message_delta', {
    usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 0, reasoningTokens: 0 },
  });
  say('message_stop', { stopReason: 'end_turn' });
}
