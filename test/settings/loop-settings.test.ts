import { describe, expect, it } from 'vitest';
import { createKelivoResponsesProvider, createResponsesProvider, withStockFallback } from '../../src/index.js';
import { LIMITS, LOOP_LIMITS } from '../../src/core/limits.js';
import { SETTINGS_OF_MODELS } from '../../src/settings/loop-settings.js';
import { readPage } from '../docs/support/pages.js';
import { ADD } from '../provider/support/talk.js';

const MCP = { files: { url: 'http://localhost:1/mcp' }, off: { url: 'http://localhost:1/mcp', disabled: true } };
const make = () => createResponsesProvider({ apiKey: 'k', mcpServers: MCP, tools: ADD });

/** The settings of a model as somebody without types writes them. */
const given = (settings: unknown): never => settings as never;

describe('the settings of one model', () => {
  it.each<[unknown, string]>([
    [3, 'The settings of a model must be an object, not 3.'],
    [{ max_rounds: 3 }, 'The settings of a model cannot have "max_rounds". Did you mean "maxRounds"?'],
    [{ maxRounds: -1 }, 'The settings of a model: "maxRounds" must be a number of at least 0.'],
    [{ approve: true }, 'The settings of a model: "approve" must be a function.'],
    [{ toolNames: 'read' }, 'The settings of a model: "toolNames" must be an array of strings.'],
    [{ limits: { toolsPerServer: 1 } }, 'has no member "toolsPerServer"; known are requestsPerRound'],
    [{ baseURL: 'x' }, 'cannot have "baseURL". It is set for the provider: createResponsesProvider({ baseURL: … }).'],
    [{ servers: ['filse'] }, '"servers" names the unknown server "filse". Known servers: files, off, local.'],
    [{ constructor: 1 }, 'cannot have "constructor". Known settings: maxRounds'],
  ])('%j is refused when the model is made', (settings, message) => {
    const provider = make();
    const stock = createResponsesProvider({ apiKey: 'k' });
    for (const model of [
      () => provider('m', given(settings)),
      () => provider.languageModel('m', given(settings)),
      () => provider.responses('m', given(settings)),
      () => createKelivoResponsesProvider({ apiKey: 'k', mcpServers: MCP })('m', given(settings)),
      () => withStockFallback({ primary: provider, stock })('m', given(settings)),
    ])
      expect(model).toThrow(message);
  });

  it('a server that is disabled, or has no tools, is no unknown one', () => {
    expect(() => make()('m', { servers: ['off', 'files', 'local'], maxRounds: 0 })).not.toThrow();
  });

  it('an `approve` is refused beside a server that passes for a function of the app', () => {
    const provider = createResponsesProvider({ apiKey: 'k', mcpServers: { local: { url: 'http://localhost:1/mcp' } } });
    expect(() => provider('m', { approve: () => true })).toThrow('mcpServers["local"] has the key');
  });

  it('stand in docs/configuration.md, each with the places where it may be set', () => {
    const { text } = readPage('docs/configuration.md');
    const section = text.slice(text.indexOf('## Settings for one model or one call'));
    const rows = [...section.matchAll(/^\| `([\w.]+)`[^|]*\| (yes|no) \| (yes|no) \|/gm)].map(
      ([, name = '', model, call]) => [name, model, call].join(' '),
    );
    const numbers = Object.keys(LOOP_LIMITS).map((name) => `${name} yes yes`);
    const others = Object.entries(SETTINGS_OF_MODELS).map(
      ([name, setter]) => `${name} yes ${setter === 'call' ? 'yes' : 'no'}`,
    );
    const limits = Object.entries(LIMITS).flatMap(([name, row]) =>
      'forModels' in row ? [`limits.${name} yes no`] : [],
    );
    expect(rows.toSorted()).toEqual(
      [...numbers, ...others, ...limits, 'toolNames yes yes', 'servers yes yes'].toSorted(),
    );
  });
});
