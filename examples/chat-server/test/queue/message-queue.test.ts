import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageQueue, type QueuedMessage } from '../../src/queue/message-queue.js';

const messageOf = (id: string, whileRunning: QueuedMessage['whileRunning']): QueuedMessage => ({
  id,
  parts: [{ type: 'text', text: id }],
  whileRunning,
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** Steps of a chat whose turn runs or does not. `at` chooses one of the messages that wait. */
const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom({ is: 'queue' } as const, { is: 'steer' } as const) },
  fc.record({
    is: fc.constantFrom<'remove' | 'edit' | 'send now'>('remove', 'edit', 'send now'),
    at: fc.nat(5),
  }),
  fc.record({ is: fc.constant('boundary' as const), isHeard: fc.boolean() }),
  fc.record({
    is: fc.constant('turn ends' as const),
    how: fc.constantFrom<'well' | 'asking' | 'cut'>('well', 'asking', 'cut'),
  }),
  fc.constant({ is: 'restart' } as const),
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** What the model reads, and what the person has taken back, of a chat in which all this happens. */
class Chat {
  queue = new MessageQueue();
  readonly read: string[] = [];
  readonly removed: string[] = [];
  readonly added: string[] = [];
  /** Until the person sends them. */
  readonly held = new Set<string>();
  isRunning = true;
  isAsking = false;

  do(step: Step): void {
    switch (step.is) {
      case 'queue':
      case 'steer':
        return this.#add(step.is);
      case 'remove':
      case 'edit':
      case 'send now':
        return this.#change(step);
      case 'boundary':
        return this.#boundary(step.isHeard);
      case 'turn ends':
        return this.#end(step.how);
      case 'restart':
        this.queue = new MessageQueue(this.queue.items);
        this.queue.turnEnded('cut');
        for (const { id } of this.queue.items) this.held.add(id);
        [this.isRunning, this.isAsking] = [false, false];
    }
  }

  #add(how: QueuedMessage['whileRunning']): void {
    const id = `m${this.added.length}`;
    this.added.push(id);
    if (this.isRunning) return this.queue.add(messageOf(id, how));
    this.#begin(id);
  }

  #begin(id: string): void {
    this.read.push(id);
    [this.isRunning, this.isAsking] = [true, false];
  }

  #change({ is, at }: Extract<Step, { at: number }>): void {
    const id = this.queue.items[at]?.id;
    if (id === undefined) return;
    if (is === 'edit') return this.queue.edit(id, `${id} changed`);
    if (is === 'remove') {
      this.queue.remove(id);
      this.held.delete(id);
      return void this.removed.push(id);
    }
    this.held.delete(id);
    if (this.isRunning) return this.queue.steer(id);
    this.#send(id);
  }

  #send(id: string): void {
    this.queue.take(id);
    this.queue.drop(id);
    this.#begin(id);
  }

  #boundary(isHeard: boolean): void {
    if (!this.isRunning) return;
    for (const { id } of this.queue.takeSteered()) {
      for (const change of ['edit', 'steer', 'remove'] as const)
        expect(() => this.queue[change](id, 'too late')).toThrow(/on its way/);
      if (!isHeard) this.queue.giveBack(id);
      else {
        this.read.push(id);
        this.queue.drop(id);
      }
    }
  }

  #end(how: 'well' | 'asking' | 'cut'): void {
    if (!this.isRunning) return;
    this.queue.turnEnded(how);
    [this.isRunning, this.isAsking] = [false, how === 'asking'];
    if (how === 'cut') for (const { id } of this.queue.items) this.held.add(id);
    expect(this.queue.view.filter(({ state }) => state === 'held').map(({ id }) => id)).toEqual(
      this.queue.items.map(({ id }) => id).filter((id) => this.held.has(id)),
    );
    const { next } = this.queue;
    expect(next?.id).toBe(this.queue.items.find(({ id }) => !this.held.has(id))?.id);
    if (how === 'well' && next !== undefined) this.#send(next.id);
  }
}

describe('messages that wait', () => {
  it.each<readonly [QueuedMessage['parts'], boolean]>([
    [[{ type: 'text', text: 'only ducks' }], true],
    [[{ type: 'text', text: 'only ducks\n/skill/swim' }], true],
    [[{ type: 'text', text: '/skill/swim fast' }], false],
    [[{ type: 'data-skill', data: { name: 'swim' } }], false],
    [[{ type: 'file', mediaType: 'text/plain', url: 'data:text/plain,x' }], false],
  ])('show whether a running turn could hear them, and are refused to it if not: %j', (parts, canSteer) => {
    const queue = new MessageQueue([{ ...messageOf('m', 'queue'), parts }]);
    expect(queue.view).toMatchObject([{ canSteer }]);
    if (canSteer) queue.steer('m');
    else expect(() => queue.steer('m')).toThrow('cannot reach a turn that runs');
  });

  it('are read once or taken back, whatever comes between, and none is lost', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 60 }), (steps) => {
        const chat = new Chat();
        for (const step of steps) chat.do(step);
        // Turns that end well bring what is left, but for what waits for the person.
        for (let left = chat.queue.items.length; left >= 0; left -= 1) {
          chat.isRunning = true;
          chat.do({ is: 'turn ends', how: 'well' });
        }
        expect(chat.queue.items.map(({ id }) => id).toSorted()).toEqual([...chat.held].toSorted());
        while (chat.queue.items.length > 0) {
          chat.isRunning = false;
          chat.do({ is: 'send now', at: 0 });
        }
        expect([...chat.read, ...chat.removed].toSorted()).toEqual(chat.added.toSorted());
      }),
    );
  });

  it('are read in the order in which they came, each kind by itself, if nobody changes it', () => {
    const undisturbed = fc.array(
      STEP.filter(({ is }) => !['edit', 'send now', 'restart'].includes(is)),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(undisturbed, (steps) => {
        const chat = new Chat();
        const kinds = new Map<string, string>();
        for (const step of steps) {
          const before = chat.added.length;
          // A message to a chat without a turn is answered at once, and passes those that wait for the person.
          if (!chat.isRunning && (step.is === 'queue' || step.is === 'steer')) continue;
          chat.do(step.is === 'turn ends' && step.how === 'cut' ? { ...step, how: 'asking' } : step);
          if (chat.isAsking) [chat.isRunning, chat.isAsking] = [true, false];
          if (chat.added.length > before) kinds.set(`m${before}`, step.is);
        }
        for (const kind of ['queue', 'steer']) {
          const read = chat.read.filter((id) => kinds.get(id) === kind).map((id) => Number(id.slice(1)));
          expect(read).toEqual(read.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('for the running turn come before the others, and are as the others once it has ended', () => {
    const queue = new MessageQueue();
    queue.add(messageOf('a', 'queue'));
    queue.add(messageOf('b', 'steer'));
    queue.add(messageOf('c', 'queue'));
    queue.steer('c');
    expect(queue.view.map(({ id, state }) => [id, state])).toEqual([
      ['b', 'steering'],
      ['c', 'steering'],
      ['a', 'waiting'],
    ]);
    queue.turnEnded('asking');
    expect(queue.view.map(({ state }) => state)).toEqual(['steering', 'steering', 'waiting']);
    queue.turnEnded('well');
    expect(queue.view.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
  });

  it('do not go out by themselves once a turn was cut, until they are sent or steered by hand', () => {
    const queue = new MessageQueue(['a', 'b', 'c'].map((id) => messageOf(id, 'queue')));
    queue.turnEnded('cut');
    queue.edit('a', 'changed');
    queue.turnEnded('well');
    expect(queue.view.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
    expect(queue.next).toBeUndefined();
    queue.add(messageOf('d', 'queue'));
    expect(queue.next?.id).toBe('d');
    queue.steer('c');
    queue.turnEnded('well');
    expect(queue.next?.id).toBe('c');
    queue.take('c');
    queue.giveBack('c', 'The model takes no pictures.');
    expect(queue.next?.id).toBe('d');
    expect(new MessageQueue(queue.items).view.map(({ id, state }) => [id, state])).toEqual([
      ['c', 'held'],
      ['a', 'held'],
      ['b', 'held'],
      ['d', 'waiting'],
    ]);
  });

  it('cannot be changed into what the running turn cannot hear, or into more than a chat keeps', () => {
    const queue = new MessageQueue([messageOf('a', 'queue'), messageOf('b', 'steer')]);
    expect(() => queue.edit('b', '/skill/tidy now')).toThrow(/cannot reach a turn that runs/);
    expect(() => queue.edit('a', 'x'.repeat(16_000_000))).toThrow(/At most 20 messages with 16 million characters/);
    expect(queue.view.map(({ text }) => text)).toEqual(['a', 'b']);
    queue.edit('a', '/skill/tidy now');
    queue.edit('b', 'x'.repeat(1_000_000));
  });

  it('tell why they were not sent, until they are changed or sent again', () => {
    const queue = new MessageQueue([messageOf('a', 'queue')]);
    const problem = (): string | undefined => queue.view[0]?.problem;
    queue.take('a');
    expect(() => queue.take('a')).toThrow(/on its way/);
    queue.giveBack('a', 'The model takes no pictures.');
    expect(problem()).toBe('The model takes no pictures.');
    queue.edit('a', 'without one');
    expect(problem()).toBeUndefined();
    expect(() => queue.edit('b', 'x')).toThrow(/No message "b" waits/);
  });
});
