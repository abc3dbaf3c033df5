import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import type { Hub } from '../engine/hub.js';

export interface McpPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
}

/** A resource, or a template with `{…}` in its address. */
export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
}

export interface ReadContent {
  readonly text: string;
  readonly images: readonly Buffer[];
}

/** What a prompt is asked for. */
export interface PromptCall {
  readonly server: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

type Client = Awaited<ReturnType<OpenedModel['provider']['mcpClient']>>;
interface Page {
  readonly nextCursor?: string | undefined;
}

/** A name or an address that a person can type, and that nothing hides in. */
const NAME = /^[\w.-]{1,100}$/;
const ADDRESS = /^[a-z][a-z\d+.-]*:[!-~]{1,500}$/i;
const TIMEOUT_MS = 10_000;
const MAX_PAGES = 10;
/** Of one server. */
const MAX_LISTED = 500;
const MAX_WORDS = 200;
const MAX_PROMPT = 100_000;

/** Prompts and resources of the servers that are there. Lists are bounded, and leave out what could not be typed. */
export class McpCatalog {
  readonly #hub: Hub;
  readonly #client: (server: string) => Promise<Client>;

  constructor(hub: Hub, client: (server: string) => Promise<Client>) {
    this.#hub = hub;
    this.#client = client;
  }

  get servers(): readonly string[] {
    return this.#hub.mcpServers.flatMap(({ server, state }) =>
      state === 'ready' && NAME.test(server) ? [server] : [],
    );
  }

  async prompts(): Promise<readonly McpPrompt[]> {
    return this.#ofAll('prompts', async (client, server) => {
      const listed = await pagesOf(async (cursor) => {
        const { prompts, nextCursor } = await client.listPrompts(cursor, LIMITS);
        return { entries: prompts, nextCursor };
      });
      return listed
        .filter(({ name }) => NAME.test(name))
        .map(({ name, description = '', arguments: wanted = [] }) => ({
          server,
          name,
          description: description.slice(0, MAX_WORDS),
          arguments: wanted
            .filter((argument) => NAME.test(argument.name))
            .slice(0, 20)
            .map((argument) => ({
              name: argument.name,
              description: (argument.description ?? '').slice(0, MAX_WORDS),
              isRequired: argument.required === true,
            })),
        }));
    });
  }

  async resources(): Promise<readonly McpResource[]> {
    return this.#ofAll('resources', async (client, server) => {
      const listed = await pagesOf(async (cursor) => {
        const { resources, nextCursor } = await client.listResources(cursor, LIMITS);
        return { entries: resources, nextCursor };
      });
      const templates = await client
        .listResourceTemplates(undefined, LIMITS)
        .then(({ resourceTemplates }) => resourceTemplates.map(({ uriTemplate: uri, name }) => ({ uri, name })))
        .catch(() => []);
      return [...listed, ...templates]
        .filter(({ uri }) => ADDRESS.test(uri))
        .map(({ uri, name }) => ({ server, uri, name: name.slice(0, MAX_WORDS) }));
    });
  }

  /** Values that a server knows for an argument of a prompt. */
  async values({ server, name, arguments: given }: PromptCall, argument: string): Promise<readonly string[]> {
    const client = await this.#client(server);
    if (client.getServerCapabilities()?.completions === undefined) return [];
    const ref = { type: 'ref/prompt', name } as const;
    const value = given[argument] ?? '';
    const { completion } = await client.complete({ ref, argument: { name: argument, value } }, LIMITS);
    return completion.values.filter((one) => /^[^\p{C}"]{1,100}$/u.test(one)).slice(0, 50);
  }

  /** @throws Error with a sentence for the person. */
  async promptText({ server, name, arguments: given }: PromptCall): Promise<string> {
    const client = await this.#client(server);
    const { messages } = await client.getPrompt({ name, arguments: { ...given } }, LIMITS);
    const texts = messages.map(({ role, content }) => {
      const text = content.type === 'text' ? content.text : `[a part of the type ${content.type} is left out]`;
      return role === 'user' ? text : `${role}: ${text}`;
    });
    const text = texts.join('\n\n');
    if (text.trim() === '') throw new Error('The prompt is empty.');
    if (text.length > MAX_PROMPT)
      throw new Error(`The prompt has ${text.length} characters; ${MAX_PROMPT} are allowed.`);
    return text;
  }

  /** @throws Error with a sentence for the person. */
  async read({ server, uri }: Pick<McpResource, 'server' | 'uri'>): Promise<ReadContent> {
    if (!this.servers.includes(server)) throw new Error(`No MCP server "${server}" is ready.`);
    if (uri.includes('{')) throw new Error(`${uri} is a template: write what belongs in place of {…}.`);
    const client = await this.#client(server);
    const { contents } = await client.readResource({ uri }, LIMITS).catch((error: unknown) => {
      throw new Error(`${server}: ${uri} could not be read: ${(error as Error).message}`);
    });
    const texts = contents.flatMap((content) => ('text' in content ? [content.text] : []));
    const images = contents.flatMap((content) => ('blob' in content ? [Buffer.from(content.blob, 'base64')] : []));
    return { text: texts.join('\n'), images };
  }

  /** What each server lists; nothing of one that cannot, or does not answer. */
  async #ofAll<Entry>(
    capability: 'prompts' | 'resources',
    list: (client: Client, server: string) => Promise<readonly Entry[]>,
  ): Promise<readonly Entry[]> {
    const lists = this.servers.map(async (server) => {
      const client = await this.#client(server);
      return client.getServerCapabilities()?.[capability] === undefined ? [] : list(client, server);
    });
    const settled = await Promise.allSettled(lists);
    return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value.slice(0, MAX_LISTED) : []));
  }
}

const LIMITS = { timeout: TIMEOUT_MS, maxTotalTimeout: TIMEOUT_MS };

async function pagesOf<Entry>(
  list: (cursor: { readonly cursor: string } | undefined) => Promise<Page & { readonly entries: readonly Entry[] }>,
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  let cursor: { readonly cursor: string } | undefined;
  for (let page = 0; page < MAX_PAGES && all.length < MAX_LISTED; page += 1) {
    const { entries, nextCursor } = await list(cursor);
    all.push(...entries);
    if (nextCursor === undefined) break;
    cursor = { cursor: nextCursor };
  }
  return all.slice(0, MAX_LISTED);
}
