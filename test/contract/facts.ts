import { isRecord } from '../../src/util/guards.js';

/** What a caller can see of one call, with nothing in it that may differ from run to run. */
export type Facts = Readonly<Record<string, unknown>>;

type Loose = Readonly<Record<string, unknown>>;

/** Everything a model says in one call: a stream's parts or the content of a result, and what is beside it. */
export interface Told {
  readonly parts: readonly Loose[];
  readonly finish: Loose;
  readonly response: Loose;
  readonly warnings: unknown;
}

/** What both roads have in common. */
export function factsOf({ parts, finish, response, warnings }: Told): Facts {
  const all = (...types: string[]): Loose[] => parts.filter(({ type }) => types.includes(String(type)));
  return {
    calls: all('tool-call').map(callFacts),
    results: all('tool-result').map(resultFacts),
    approvals: all('tool-approval-request').map(({ toolCallId }) => toolCallId),
    sources: all('source').map((source) => ({ ...without(source, 'type'), providerMetadata: metadataOf(source) })),
    files: all('file').map(({ mediaType, data }) => ({ mediaType, data })),
    custom: all('custom').map((part) => ({ ...without(part, 'type'), providerMetadata: metadataOf(part) })),
    errors: all('error').map(({ error }) => errorFacts(error)),
    ...finishFacts(finish),
    response: {
      id: response['id'],
      modelId: response['modelId'],
      timestamp: response['timestamp'],
      body: response['body'],
    },
    warnings,
  };
}

function finishFacts(finish: Loose): Facts {
  const reason = finish['finishReason'];
  const { unified, raw } = isRecord(reason) ? reason : { unified: reason, raw: undefined };
  return {
    finishReason: unified,
    rawFinishReason: raw,
    usage: finish['usage'],
    finishMetadata: metadataOf(finish),
    namespaces: namespacesOf(finish),
  };
}

function callFacts(call: Loose): Facts {
  const input = call['input'];
  return {
    id: call['toolCallId'],
    name: call['toolName'],
    input: typeof input === 'string' ? parsed(input) : input,
    providerExecuted: call['providerExecuted'] === true,
    dynamic: call['dynamic'] === true,
    invalid: call['invalid'] === true,
    metadata: metadataOf(call),
  };
}

/** Of `ai` the result is called the output. */
function resultFacts(result: Loose): Facts {
  return {
    id: result['toolCallId'],
    name: result['toolName'],
    result: result['result'] ?? result['output'],
    isError: result['isError'] === true,
    preliminary: result['preliminary'] === true,
    metadata: metadataOf(result),
  };
}

/** Only what is named as the stock provider names it: the rest is ours alone. */
export function metadataOf(part: Loose): unknown {
  const [namespace] = namespacesOf(part);
  return namespace === undefined ? undefined : (part['providerMetadata'] as Loose)[namespace];
}

/** The providers in whose name it is written. */
function namespacesOf({ providerMetadata: metadata }: Loose): string[] {
  return isRecord(metadata) ? Object.keys(metadata).filter((name) => name !== 'responses-loop') : [];
}

/** The parts of an error that callers read. */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { statusCode, isRetryable, url, responseBody, data, reason, lastError } = error as unknown as Loose;
  const facts = { name: error.name, message: error.message, statusCode, isRetryable, url, responseBody, data, reason };
  return lastError === undefined ? facts : { ...facts, lastError: errorFacts(lastError) };
}

function without(record: Loose, ...names: string[]): Loose {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Two ways to write the same arguments are the same arguments. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { notJson: text };
  }
}
