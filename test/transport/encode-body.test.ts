import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { wellFormed } from '../../src/util/json.js';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { encodeBody } from '../../src/transport/encode-body.js';

describe('the text of a request', () => {
  it('is what JSON.stringify makes of it', () => {
    const json = fc.jsonValue() as fc.Arbitrary<JsonObject[string]>;
    const names = fc.oneof(fc.string(), fc.constant('tools'));
    const members = fc.dictionary(names, fc.oneof(json, fc.constant(undefined)));
    fc.assert(
      fc.property(members, fc.option(fc.array(json), { nil: undefined }), (rest, input) => {
        const body = (input === undefined ? rest : { model: 'm', input, ...rest }) as JsonObject;
        expect(encodeBody(body)).toBe(JSON.stringify(body));
      }),
    );
  });

  it('passes over items that were deleted in their place', () => {
    const input = ['a', 'b', 'c'].map((text): JsonValue => ({ text }));
    Reflect.deleteProperty(input, 0);
    Reflect.deleteProperty(input, 2);
    expect(encodeBody({ input, tools: [] })).toBe('{"input":[{"text":"b"}],"tools":[]}');
  });

  it('has no half of a surrogate pair, in names or values, first or later rounds, and is else untouched', () => {
    // Texts that look like escapes, halves of pairs, and whole ones.
    const piece = fc.constantFrom(
      '\\',
      '\\ud800',
      '\\\\ud83d',
      'ud800',
      '"',
      '\ud800',
      '\udfff',
      '\ud83d',
      '\ude00',
      '😀',
      'é',
      '\n',
    );
    const text = fc.oneof(
      fc.array(piece).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary' }),
    );
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, text, fc.dictionary(text, tie('tree')), fc.array(tie('tree'))),
    }));
    fc.assert(
      fc.property(fc.dictionary(text, tree), fc.array(tree), fc.boolean(), (rest, input, hasTools) => {
        const body = { ...rest, input, ...(hasTools ? { tools: [] } : {}) };
        const encoded = encodeBody(body);
        expect(new TextDecoder().decode(new TextEncoder().encode(encoded))).toBe(encoded);
        expect(JSON.parse(encoded)).toEqual(wellFormed(body));
        expect(encodeBody(body)).toBe(encoded);
      }),
    );
  });

  it('keeps texts that only look like an escape', () => {
    const body = { input: ['C:\\udata', '\\ud800', '\\\\ud800', '😀'], tools: [] };
    expect(encodeBody(body)).toBe(JSON.stringify(body));
  });

  it('leaves out what is no JSON, as JSON.stringify does', () => {
    const odd = { tools: [], input: [() => 1, Symbol('x'), { a: 1 }], f: () => 1, s: Symbol('y'), store: false };
    expect(encodeBody(odd as unknown as JsonObject)).toBe(JSON.stringify(odd));
  });

  it('is the same for a round that begins with the items of the one before', () => {
    const first = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hé "quoted"\n' }] };
    const bodies = [
      { input: [first], tools: [] },
      { input: [first, { type: 'function_call', call_id: 'c' }], store: false, tools: [] },
    ];
    expect(bodies.map(encodeBody)).toEqual(bodies.map((body) => JSON.stringify(body)));
  });

  it('is right for any series of requests that share items, whatever is added, left out or replaced', () => {
    const pool = Array.from({ length: 6 }, (_, n) => ({ type: 'message', n }));
    const picks = fc.array(fc.array(fc.nat(5), { maxLength: 8 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(picks, (rounds) => {
        for (const round of rounds) {
          const body: JsonObject = { input: round.flatMap((n) => pool[n] ?? []), tools: [] };
          expect(encodeBody(body)).toBe(JSON.stringify(body));
        }
      }),
    );
  });

  it('is right for calls side by side whose inputs grow, shrink, begin alike, or are changed by an override', () => {
    type Change = (input: readonly JsonValue[]) => readonly JsonValue[];
    const item = fc.oneof(fc.jsonValue() as fc.Arbitrary<JsonValue>, fc.record({ type: fc.constant('message') }));
    const change: fc.Arbitrary<Change> = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.array(item, { maxLength: 3 }).map((added): Change => (input) => [...input, ...added]),
      },
      fc.tuple(fc.nat(8), item).map(
        ([at, other]): Change =>
          (input) =>
            input.map((old, n) => (n === at ? other : old)),
      ),
      fc.tuple(fc.nat(8), fc.nat(3)).map(
        ([from, count]): Change =>
          (input) =>
            input.toSpliced(from, count),
      ),
      fc.constant<Change>((input) => structuredClone(input)),
      fc.constant<Change>((input) => input.toReversed()),
    );
    const first = { type: 'message', role: 'user' };
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), change), { maxLength: 24 }), (steps) => {
        // Two calls that begin with the same object, and one of its own.
        const inputs: (readonly JsonValue[])[] = [[first], [first], [{ ...first }]];
        for (const [call, next] of steps) {
          inputs[call] = next(inputs[call] ?? []);
          const body = { model: 'm', input: inputs[call], tools: [] } as unknown as JsonObject;
          expect(encodeBody(body)).toBe(JSON.stringify(body));
        }
      }),
    );
  });

  it('is right for an input that an override changes in its place', () => {
    const input: JsonValue[] = [{ n: 0 }, { n: 1 }];
    const body = { input, tools: [] };
    encodeBody(body);
    input.push({ n: 2 });
    expect(encodeBody(body)).toBe(JSON.stringify(body));
    input.splice(1, 1, { n: 3 }, null);
    expect(encodeBody(body)).toBe(JSON.stringify(body));
    Reflect.deleteProperty(input, 1);
    expect(encodeBody(body)).toBe('{"input":[{"n":0},null,{"n":2}],"tools":[]}');
  });

  it('reads nothing but the new items of a round', () => {
    let joins = 0;
    const input: JsonValue[] = [{ n: 0 }];
    const join = Array.prototype.join;
    const counted = vi.spyOn(Array.prototype, 'join').mockImplementation(function (this: unknown[], ...args) {
      joins += this.length;
      return Reflect.apply(join, this, args);
    });
    for (let n = 1; n <= 100; n += 1) {
      input.push({ n });
      encodeBody({ input: [...input], tools: [] });
    }
    counted.mockRestore();
    expect(joins).toBe(101);
  });

  it('asks an item once for what it holds', () => {
    let asked = 0;
    const item = {
      get type() {
        asked += 1;
        return 'message';
      },
    };
    encodeBody({ input: [item], tools: [] });
    encodeBody({ input: [item], tools: [] });
    expect(asked).toBe(1);
  });
});
