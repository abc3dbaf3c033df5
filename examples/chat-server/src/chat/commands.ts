import type { ModelMessage } from 'ai';
import { askFitting } from 'responses-loop-example-shared/transcript.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import { newId } from '../store/ids.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';
import type { ToolRuntime } from '../tools/runtime.js';
import { NO_USAGE, type SessionFile, type StoredMessage, type UsageData } from '../types.js';
import { type Command, COMMANDS } from './command-parser.js';
import { toModelMessages } from './message-chain.js';
import type { RunningTurn } from './running-turn.js';
import { leafOf } from './session-leaf.js';
import { askAside, type SideAnswer } from './side-call.js';

export interface CommandOptions {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly runtime: Pick<ToolRuntime, 'listSkills'>;
  readonly workspace: string;
}

export interface CommandRun {
  readonly turn: RunningTurn;
  readonly session: SessionFile | undefined;
  readonly chatModel: ChatModel;
  readonly command: Command;
}

/** What a person reads of it. */
export interface CommandAnswer {
  readonly text: string;
  readonly usage: UsageData;
  /** Where a command found a new one. */
  readonly title?: string;
}

const TITLE_CHARS = 80;
const ASK_TITLE = 'Give this chat a title of at most six words, in its own language. Answer with the title alone.';
const ASK_SUMMARY =
  'Write a summary of this conversation that lets you go on without it: what was asked, decided, done and found, with names and paths, and what is open. Answer with the summary alone.';

/** Runs what was typed as `/name`. The text itself is not stored. */
export class Commands {
  readonly #options: CommandOptions;

  constructor(options: CommandOptions) {
    this.#options = options;
  }

  run(run: CommandRun): Promise<CommandAnswer> {
    if (run.command.name === 'help') return this.#help();
    return run.command.name === 'compact' ? this.#compact(run) : this.#findTitle(run);
  }

  async #help(): Promise<CommandAnswer> {
    const skills = await this.#options.runtime.listSkills();
    const lines = [
      ...Object.entries(COMMANDS).map(([name, text]) => `- \`/${name}\`: ${text}`),
      ...skills.map(({ name, description }) => `- \`/skill/${name}\`: ${description}`),
    ];
    return { text: `Commands:\n\n${lines.join('\n')}`, usage: NO_USAGE };
  }

  async #findTitle({ session, ...run }: CommandRun): Promise<CommandAnswer> {
    const said = await this.#said(session);
    if (session === undefined || said.path.length === 0) return NOTHING;
    const { text, usage } = await this.#ask(run, said, {
      instructions: 'You find titles for conversations.',
      question: ASK_TITLE,
    });
    const title = plainTitle(text);
    if (title === '') return { text: 'The model returned no title.', usage };
    await this.#options.sessions.update(session.id, ({ updatedAt }) => ({ title, updatedAt }));
    return { text: `The title is now “${title}”.`, usage, title };
  }

  async #compact({ session, ...run }: CommandRun): Promise<CommandAnswer> {
    const said = await this.#said(session);
    if (session === undefined || said.path.length === 0) return NOTHING;
    const { text, usage } = await this.#ask(run, said, {
      instructions: 'You summarize conversations.',
      question: ASK_SUMMARY,
    });
    // Without it the conversation would be lost to the model.
    if (text === '') return { text: 'The model returned no summary; nothing was changed.', usage };
    const summary: StoredMessage = {
      id: newId('msg'),
      parentMessageId: said.path.at(-1)?.id ?? null,
      role: 'assistant',
      messageKind: 'compact_summary',
      parts: [{ type: 'text', text, state: 'done' }],
      metadata: { usage, chatModelId: run.chatModel.id, chatModelSource: run.chatModel.source },
      createdAt: new Date().toISOString(),
    };
    await this.#options.messages.save(session.id, summary);
    await this.#options.sessions.update(session.id, { leafId: summary.id });
    return { text, usage };
  }

  /** A chat that the server refuses as too long can be compacted and named, too. */
  #ask(
    { turn, chatModel }: Pick<CommandRun, 'turn' | 'chatModel'>,
    { messages }: Said,
    { instructions, question }: { readonly instructions: string; readonly question: string },
  ): Promise<SideAnswer> {
    const { workspace } = this.#options;
    return askFitting(messages, (fitting) => {
      const asked: ModelMessage[] = [...fitting, { role: 'user', content: question }];
      return askAside({ turn, chatModel, workspace, instructions, messages: asked });
    });
  }

  /** Its tools are told as what they were: the model has none now. */
  async #said(session: SessionFile | undefined): Promise<Said> {
    if (session === undefined) return { path: [], messages: [] };
    const tree = await this.#options.messages.tree(session.id);
    const path = await this.#options.messages.forModel(session.id, tree.pathTo(leafOf(session, tree)));
    const skillText = (name: string): string => `The skill "${name}" was asked for.`;
    return { path, messages: await toModelMessages(path, { tools: {}, skillText }) };
  }
}

interface Said {
  readonly path: readonly StoredMessage[];
  readonly messages: ModelMessage[];
}

const NOTHING: CommandAnswer = { text: 'This chat has no messages yet.', usage: NO_USAGE };

/** Models like to put it into quotes, or to say that it is one. */
export function plainTitle(text: string): string {
  const [line = ''] = text.trim().split('\n');
  // What is looked for at its end takes the square of the time.
  const plain = line
    .slice(0, 10 * TITLE_CHARS)
    .replace(/^#+\s*|^title:\s*/i, '')
    .replace(/^["'“„*]+|["'”“*]+$/g, '')
    .trim();
  return plain.length > TITLE_CHARS ? `${plain.slice(0, TITLE_CHARS - 1)}…` : plain;
}
