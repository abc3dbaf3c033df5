import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { familyOf, factsOf, isForChat } from '../../src/models/model-facts.js';
import { getProviderDefinition, readModelsFile } from '../../src/models/provider-definitions.js';
import { newFolder } from '../support/start-chat.js';

function fileOf(content: unknown): string {
  const path = join(newFolder(), 'models.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('a file of models', () => {
  it('takes what it leaves out from the built-in list', () => {
    const [openai, mine] = readModelsFile(
      fileOf({
        providers: {
          openai: { models: ['gpt-5.1'] },
          mine: { adapter: 'loop', baseUrl: 'http://localhost:9/v1' },
        },
      }),
    );
    expect(openai).toMatchObject({ id: 'openai', label: 'OpenAI', adapter: 'loop', keyVariable: 'OPENAI_API_KEY' });
    expect(openai).toMatchObject({ models: [{ id: 'gpt-5.1' }], discover: false });
    expect(mine).toMatchObject({ id: 'mine', label: 'mine', models: [], discover: true });
    expect(getProviderDefinition('anthropic')?.adapter).toBe('@ai-sdk/anthropic');
    expect(getProviderDefinition('constructor')).toBeUndefined();
  });

  it.each([
    ['{', 'is not JSON'],
    [{ providers: { x: { adapter: 'loop' } } }, 'has no "baseUrl" for the provider "x"'],
    [{ providers: { x: {} } }, 'has no "adapter" for the provider "x"'],
    [{ providers: { default: { adapter: '@ai-sdk/x' } } }, 'names a provider "default": this name is taken'],
    [{ providers: { x: { adapter: '../evil' } } }, 'must be "loop", "stock" or the name of a package'],
    [{ providers: { x: { adapter: 'loop', baseUrl: 'file:///etc/passwd' } } }, 'must be an http or https address'],
    [{ providers: { x: { adapter: 'loop', apiKey: 'sk-1' } } }, 'apiKey'],
    [{ providers: { x: { adapter: 'loop', keyVariable: 'sk-abc' } } }, 'a key itself has no place in this file'],
    [{ providers: { anthropic: { discover: true } } }, 'asks for "discover" at "anthropic"'],
  ])('is refused with the place that is wrong: %j', (content, problem) => {
    const path = fileOf(content);
    expect(() => readModelsFile(path)).toThrow(problem);
    expect(() => readModelsFile(path)).toThrow(path);
  });
});

describe('what is known of a model', () => {
  it('is that of the family with the longest name, whatever vendor is in front', () => {
    expect(familyOf('gpt-5.1-codex')).toBe('gpt-5.');
    expect(familyOf('openai/gpt-5-mini')).toBe('gpt-5');
    expect(factsOf('openai/gpt-oss-20b')).toMatchObject({ images: false, efforts: ['low', 'medium', 'high'] });
    expect(factsOf('my-own-model')).toEqual({});
    expect(factsOf('constructor')).toEqual({});
  });

  it('tells models that chat from those for embeddings and speech', () => {
    expect(['gpt-5.1', 'text-embedding-3-small', 'whisper-1', 'qwen3'].filter(isForChat)).toEqual(['gpt-5.1', 'qwen3']);
  });
});
