import { createResponsesProvider } from 'responses-loop';
import type { Model } from '../model.js';
import type { HostedTools } from '../scenarios/scenario.js';
import type { Major, Sdk, SdkMajor, Side, Sides } from '../sides.js';

/** The AI SDK's other providers of the Responses API. */
export type PeerName = 'azure' | 'open-responses' | 'xai';

/** How the provider is made: the packages differ in the names of their functions. */
export type CreatePeer = (settings: object) => { responses(modelId: string): unknown };

export interface PeerOptions {
  readonly name: PeerName;
  readonly major: Major;
  readonly sdk: SdkMajor;
  readonly ai: Sdk;
  readonly create: CreatePeer;
  readonly hosted: HostedTools;
}

/** What an app would have written for the peer, and for us in its place. */
const SETTINGS: Readonly<Record<PeerName, { readonly theirs: object; readonly ours: object; readonly model: string }>> =
  {
    azure: { theirs: { resourceName: 'pond' }, ours: { resourceName: 'pond', backend: 'azure' }, model: 'gpt-5.1' },
    'open-responses': {
      theirs: { name: 'pond', url: 'https://contract.invalid/v1/responses' },
      ours: { name: 'pond', baseURL: 'https://contract.invalid/v1' },
      model: 'duck-7b',
    },
    xai: { theirs: {}, ours: { baseURL: 'https://api.x.ai/v1' }, model: 'grok-4.3' },
  };

/** Of a call, `@ai-sdk/azure` 2 looks for the options of OpenAI; of a part for its own. */
const namespacesOf = (name: PeerName, major: Major): readonly string[] =>
  ({ azure: major === 2 ? ['azure', 'openai'] : ['azure'], 'open-responses': ['pond'], xai: ['xai'] })[name];

export function createPeerSides({ name, major, sdk, ai, create, hosted }: PeerOptions): Sides {
  const { theirs, ours: mine, model } = SETTINGS[name];
  const key = { apiKey: 'key-contract' };
  const stock: Side = (fetch, modelId = model) => create({ ...key, ...theirs, fetch }).responses(modelId) as Model;
  const ours: Side = (fetch, modelId = model) => createResponsesProvider({ ...key, ...mine, fetch })(modelId) as Model;
  const flagged: Sides['flagged'] = (useStock, fetch) => (useStock ? stock : ours)(fetch);
  const packageName = `@ai-sdk/${name}`;
  return {
    packageName,
    namespaces: namespacesOf(name, major),
    major,
    sdk,
    ai,
    stock,
    ours,
    flagged,
    azure: { stock, ours },
    hosted,
  };
}
