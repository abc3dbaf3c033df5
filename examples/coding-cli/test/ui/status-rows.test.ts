import { describe, expect, it } from 'vitest';
import { costOf } from '../../src/ui/cost.js';
import { notification } from '../../src/ui/notify.js';
import { textOfRow } from '../../src/ui/rows.js';
import { ScreenModel } from '../../src/ui/screen-model.js';
import { statusRow } from '../../src/ui/status-rows.js';

const usage = { input: 1_000_000, output: 100_000, cached_input: 400_000, reasoning: 0, total: 1_100_000 };

describe('the status line', () => {
  it('has the context that is left and the cost, if window and price are known', () => {
    const model = new ScreenModel();
    model.columns = 200;
    model.handle({ msg: { type: 'session_configured', data: { model: 'm', cwd: '/w' } as never } });
    const status = (): string => textOfRow(statusRow(model, undefined));
    model.handle({
      msg: { type: 'token_count', data: { ...usage, rounds: [{ ...usage, total: 250 }], session: usage } },
    });
    expect(status()).not.toMatch(/left|cost/);
    model.context.window = 1000;
    model.price = '1.25,10,0.125';
    expect(status()).toContain('75% context left');
    expect(status()).toContain('cost 1.80');
    model.context.tokens = 2000;
    expect(status()).toContain('0% context left');
    model.handle({ msg: { type: 'compaction_complete', data: { before_tokens: 2000, kept_turns: 2 } } });
    expect(status()).not.toContain('context left');
  });

  it('has no count before the server has counted anything', () => {
    const none = { input: 0, output: 0, cached_input: 0, reasoning: 0, total: 0 };
    const model = new ScreenModel();
    model.handle({ msg: { type: 'session_configured', data: { model: 'm', cwd: '/w' } as never } });
    model.handle({ msg: { type: 'token_count', data: { ...none, rounds: [], session: none } } });
    expect(textOfRow(statusRow(model, undefined))).not.toContain('tokens');
  });

  it('counts cached tokens by their own price, or as any other', () => {
    expect(costOf(usage, '1,10,0.5')).toBeCloseTo(0.6 + 0.2 + 1);
    expect(costOf(usage, '1,10')).toBeCloseTo(2);
    expect(costOf(usage, undefined)).toBeUndefined();
  });
});

describe('a notification', () => {
  it('is written for answers, questions and plans only, and only if it is wanted', () => {
    const answered = { type: 'task_complete', data: { last_agent_message: 'x', denials: 0 } } as const;
    expect(notification('off', answered)).toBeUndefined();
    expect(notification('bell', answered)).toBe('\u0007');
    expect(notification('osc9', answered)).toBe('\u001B]9;coder has answered\u0007');
    expect(notification('osc777', answered)).toBe('\u001B]777;notify;coder;coder has answered\u0007');
    expect(notification('bell', { type: 'task_started', data: {} })).toBeUndefined();
  });
});
