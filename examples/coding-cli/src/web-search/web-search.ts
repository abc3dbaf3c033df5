import type { ToolSet } from 'ai';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';

/** As events and histories call it. */
export const WEB_SEARCH = 'web_search';

/** Of whom calls of it are, in events: the server runs them. */
export const SERVER = 'server';

/** Back ends that search by themselves, and how the AI SDK calls the tool there. */
const IDS: Readonly<Record<string, string>> = {
  openai: 'openai.web_search',
  azure: 'openai.web_search',
  xai: 'xai.web_search',
};

/**
 * The search of the server, as a tool of a call.
 *
 * @throws SettingsError if nothing says that this server has one.
 */
export function webSearchTool({ provider, model, label }: Pick<OpenedModel, 'provider' | 'model' | 'label'>): ToolSet {
  const { backend } = provider.endpoint(model);
  const id = Object.hasOwn(IDS, backend) ? IDS[backend] : undefined;
  if (id === undefined)
    throw new SettingsError(
      `--web-search: ${label} has no known web search (${Object.keys(IDS).join(', ')} do). Remove the flag and the setting "webSearch"; the tool web_fetch reads pages.`,
    );
  const hosted = { type: 'provider', id, args: {}, inputSchema: z.object({}), isProviderExecuted: true };
  return { [WEB_SEARCH]: hosted } as unknown as ToolSet;
}

/** What the server looks for, or at, in a few words. */
export function titleOfSearch(input: unknown): string {
  const { query, url, pattern } = ACTION.safeParse(input).data?.action ?? {};
  if (query !== undefined) return `Search the web: ${query}`;
  if (url === undefined) return 'Search the web';
  return pattern === undefined ? `Open ${url}` : `Find ${pattern} in ${url}`;
}

const ACTION = z.object({
  action: z.object({ query: z.string().optional(), url: z.string().optional(), pattern: z.string().optional() }),
});
