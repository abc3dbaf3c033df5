import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatStorage } from '../../src/store/chat-storage.js';

export interface Opened {
  readonly storage: ChatStorage;
  /** The same, as another server or this one after a restart has it. */
  readonly again: () => Promise<ChatStorage>;
}

const text = (content: Uint8Array | undefined): string | undefined => content && Buffer.from(content).toString();
const valuesIn = async (storage: ChatStorage, path: string): Promise<unknown[]> =>
  (await storage.lines(path)).lines.map(({ value }) => value);

/** Texts with NUL, half surrogate pairs and signs in two spellings, in objects as deep as they come. */
const anyJson = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });
const HOSTILE = [
  '\u0000',
  '\ud800',
  'a\udc00b',
  'e\u0301\u00e9',
  '\u2028',
  '\\u0000',
  '\r\n',
  '\ufeff',
  { '\u0000': '\ud83d' },
];

/** What every storage of chats does. `open` gives an empty one with the folder `sessions`. */
export function describeStorage(name: string, open: () => Promise<Opened>): void {
  describe(`${name} keeps content that`, () => {
    it('is read back byte by byte, after a restart too', async () => {
      const { storage, again } = await open();
      const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
      await storage.replace('sessions/a.bin', bytes);
      expect(await storage.read('sessions/a.bin')).toEqual(bytes);
      expect(await (await again()).read('sessions/a.bin')).toEqual(bytes);
      await storage.replace('sessions/a.bin', new Uint8Array());
      expect(await (await again()).read('sessions/a.bin')).toEqual(new Uint8Array());
    });

    it('is a text as it was, and refuses one that it cannot keep', async () => {
      const { storage, again } = await open();
      await storage.replace('sessions/a.txt', 'e\u0301 \u00e9 \u0000 \u{1f986}\r\n');
      expect(text(await (await again()).read('sessions/a.txt'))).toBe('e\u0301 \u00e9 \u0000 \u{1f986}\r\n');
      await expect(storage.replace('sessions/a.txt', 'half \ud800')).rejects.toThrow('half of a surrogate pair');
      expect(text(await storage.read('sessions/a.txt'))).toBe('e\u0301 \u00e9 \u0000 \u{1f986}\r\n');
    });

    it('is unknown until it is written, and of many each is at its place', async () => {
      const { storage } = await open();
      expect(await storage.read('sessions/none')).toBeUndefined();
      expect(await storage.read('sessions/no-folder/none')).toBeUndefined();
      await storage.replace('sessions/b', '2');
      await storage.replace('sessions/a', '1');
      const found = await storage.readEach(['sessions/a', 'sessions/none', 'sessions/b', 'sessions/a']);
      expect(found.map(text)).toEqual(['1', undefined, '2', '1']);
      expect(await storage.readEach([])).toEqual([]);
    });

    it('is refused with ENOENT in a folder that was removed or never made', async () => {
      const { storage } = await open();
      await storage.makeFolder('sessions/s');
      await storage.removeFolder('sessions/s');
      for (const folder of ['sessions/s', 'sessions/never']) {
        await expect(storage.replace(`${folder}/a`, 'x')).rejects.toMatchObject({ code: 'ENOENT' });
        await expect(storage.append(`${folder}/a`, 'x')).rejects.toMatchObject({ code: 'ENOENT' });
        await expect(storage.update(`${folder}/a`, () => 'x')).rejects.toMatchObject({ code: 'ENOENT' });
        await expect(storage.makeFolder(`${folder}/b`)).rejects.toMatchObject({ code: 'ENOENT' });
        expect(await storage.read(`${folder}/a`)).toBeUndefined();
      }
    });

    it('has the old or the new content for whoever reads while it is replaced', async () => {
      const { storage, again } = await open();
      const other = await again();
      const contents = ['a'.repeat(200_000), 'b'.repeat(100_000)];
      await storage.replace('sessions/a', contents[0] ?? '');
      const writing = (async () => {
        for (let n = 0; n < 20; n += 1) await storage.replace('sessions/a', contents[n % 2] ?? '');
      })();
      for (let n = 0; n < 20; n += 1) expect(contents).toContain(text(await other.read('sessions/a')));
      await writing;
    });

    it('loses no change of many that are made at the same time', async () => {
      const { storage } = await open();
      await Promise.all(
        Array.from({ length: 30 }, () =>
          storage.update('sessions/n', (current) => String(Number(text(current) ?? '0') + 1)),
        ),
      );
      expect(text(await storage.read('sessions/n'))).toBe('30');
    });

    it('stays as it was if the change of it fails, and can be changed afterwards', async () => {
      const { storage } = await open();
      await storage.replace('sessions/a', 'old');
      const error = new Error('No.');
      const refuse = (): string => {
        throw error;
      };
      await expect(storage.update('sessions/a', refuse)).rejects.toBe(error);
      await expect(storage.update('sessions/new', refuse)).rejects.toBe(error);
      expect(text(await storage.read('sessions/a'))).toBe('old');
      expect(await storage.read('sessions/new')).toBeUndefined();
      await storage.update('sessions/a', (current) => `${text(current)}er`);
      expect(text(await storage.read('sessions/a'))).toBe('older');
    });
  });

  describe(`${name} keeps lines that`, () => {
    it('are read back unchanged and in their order, after a restart too', async () => {
      const { storage, again } = await open();
      for (const value of HOSTILE) await storage.append('sessions/a.jsonl', value);
      expect(await valuesIn(await again(), 'sessions/a.jsonl')).toEqual(HOSTILE);
      await fc.assert(
        fc.asyncProperty(fc.uuid(), fc.array(anyJson, { minLength: 1, maxLength: 4 }), async (id, values) => {
          for (const value of values) await storage.append(`sessions/${id}.jsonl`, value);
          expect(await valuesIn(storage, `sessions/${id}.jsonl`)).toEqual(JSON.parse(JSON.stringify(values)));
        }),
        { numRuns: 25 },
      );
    });

    it('are whole: what is not JSON is refused, and nothing of it is kept', async () => {
      const { storage } = await open();
      await storage.append('sessions/a.jsonl', { n: 1 });
      await expect(storage.append('sessions/a.jsonl', undefined)).rejects.toThrow(TypeError);
      await expect(storage.append('sessions/a.jsonl', { n: 1n })).rejects.toThrow(TypeError);
      expect(await valuesIn(storage, 'sessions/a.jsonl')).toEqual([{ n: 1 }]);
    });

    it('are all there if many are appended at the same time', async () => {
      const { storage, again } = await open();
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      await Promise.all(numbers.map((n) => storage.append('sessions/a.jsonl', { n, text: 'x'.repeat(5_000) })));
      const found = (await valuesIn(await again(), 'sessions/a.jsonl')) as { readonly n: number }[];
      expect(found.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(numbers);
    });

    it('are read from a mark on, or whole and said to be so', async () => {
      const { storage } = await open();
      const none = await storage.lines('sessions/a.jsonl');
      expect(none).toMatchObject({ lines: [], isWhole: true });
      const { after } = await storage.append('sessions/a.jsonl', 1);
      const all = await storage.lines('sessions/a.jsonl');
      expect(all).toMatchObject({ isWhole: true, mark: after });
      expect(await storage.lines('sessions/a.jsonl', all.mark)).toMatchObject({ lines: [], isWhole: false });
      expect((await storage.append('sessions/a.jsonl', 2)).before).toBe(after);
    });

    it('are put in place of others in one step, and more are appended behind them', async () => {
      const { storage, again } = await open();
      for (const n of [1, 2, 3, 4]) await storage.append('sessions/a.jsonl', n);
      await storage.rewrite('sessions/a.jsonl', (values) =>
        values.filter((value) => Number(value) % 2 === 0).toReversed(),
      );
      await storage.append('sessions/a.jsonl', 5);
      expect(await valuesIn(await again(), 'sessions/a.jsonl')).toEqual([4, 2, 5]);
    });
  });

  describe(`${name} keeps folders that`, () => {
    it('are made once, and listed with their folders and the bytes of their files', async () => {
      const { storage, again } = await open();
      expect(await storage.makeFolder('sessions/s')).toBe(true);
      expect(await (await again()).makeFolder('sessions/s')).toBe(false);
      await storage.makeFolder('sessions/s/agents');
      await storage.replace('sessions/s/queue.json', '12345');
      await storage.append('sessions/s/messages.jsonl', 'abc');
      expect(await storage.folders('sessions')).toEqual(['s']);
      expect(await storage.folders('sessions/s')).toEqual(['agents']);
      expect(Object.fromEntries(await storage.sizes('sessions/s'))).toEqual({ 'messages.jsonl': 6, 'queue.json': 5 });
      expect(await storage.folders('sessions/none')).toEqual([]);
      expect([...(await storage.sizes('sessions/none'))]).toEqual([]);
    });

    it('are removed with all that is in them, and with nothing beside them', async () => {
      const { storage } = await open();
      for (const folder of ['sessions/s', 'sessions/s/agents', 'sessions/s_2', 'sessions/s2']) {
        await storage.makeFolder(folder);
        await storage.append(`${folder}/a.jsonl`, folder);
      }
      await storage.removeFolder('sessions/s');
      await storage.removeFolder('sessions/none');
      expect((await storage.folders('sessions')).toSorted()).toEqual(['s2', 's_2']);
      expect(await valuesIn(storage, 'sessions/s2/a.jsonl')).toEqual(['sessions/s2']);
      await storage.makeFolder('sessions/s');
      expect(await storage.folders('sessions/s')).toEqual([]);
      expect(await valuesIn(storage, 'sessions/s/a.jsonl')).toEqual([]);
    });

    it('hold a file under another name once it was renamed', async () => {
      const { storage } = await open();
      await storage.replace('sessions/a', 'new');
      await storage.replace('sessions/b', 'old');
      await storage.rename('sessions/a', 'sessions/b');
      expect(await storage.read('sessions/a')).toBeUndefined();
      expect(text(await storage.read('sessions/b'))).toBe('new');
      await expect(storage.rename('sessions/none', 'sessions/c')).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it.each([
      '..',
      'sessions/../token',
      '/etc/passwd',
      'sessions//a',
      'sessions/a\u0000',
      '',
      '.',
      'sessions/a b',
      'sessions/.hidden',
    ])('are named by plain paths: %j is refused', async (path) => {
      const { storage } = await open();
      await expect((async () => storage.read(path))()).rejects.toThrow(TypeError);
      await expect((async () => storage.replace(path, 'x'))()).rejects.toThrow(TypeError);
      await expect((async () => storage.makeFolder(path))()).rejects.toThrow(TypeError);
      await expect((async () => storage.removeFolder(path))()).rejects.toThrow(TypeError);
    });
  });
}
