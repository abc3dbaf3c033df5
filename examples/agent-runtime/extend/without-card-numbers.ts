// A kind of session of your own: what the model says is kept without card numbers, and a ticket of another system is
// the id of the talk. Run it: node --import ./examples/use-package.mjs examples/agent-runtime/extend/without-card-numbers.ts
import { pathToFileURL } from 'node:url';
import {
  type AdapterMessage,
  createAgent,
  createMemoryPersister,
  ResponsesSession,
  type SessionFactory,
} from 'responses-loop-agent-runtime';

const CARD = /\b(?:\d[ -]?){13,19}\b/g;
const TICKET = /\bticket ([A-Z]+-\d+)\b/;

class SupportSession extends ResponsesSession {
  /** Keeps no number that may be a card's. `undefined` in place of a row would leave it out. */
  protected override transformMessage(message: AdapterMessage): AdapterMessage {
    return { ...message, content: message.content.replaceAll(CARD, '[card]') };
  }

  /** The last one that was found is `session.agentSessionId`, after a restart too, and is given to the adapter. */
  protected override extractSessionId({ content }: AdapterMessage): string | undefined {
    return TICKET.exec(content)?.[1];
  }
}

export const supportSessions: SessionFactory = {
  createSession: (id, metadata, adapter, options, persister, messages, usage) =>
    new SupportSession({ id, metadata, adapter, options, persister, messages, usage }),
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const agent = createAgent(
    { workspace: '.', driver: 'echo' },
    { persister: createMemoryPersister(), sessionFactory: supportSessions },
  );
  await agent.initialize();
  const session = await agent.createSession();
  await session.send('I opened ticket POND-7. The card is 4111 1111 1111 1111.');
  console.log(session.agentSessionId, session.getMessages().at(-1)?.content);
  await agent.destroy();
}
