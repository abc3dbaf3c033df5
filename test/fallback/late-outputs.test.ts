import { describe, expect, it } from 'vitest';
import { serverItem } from '../../src/core/call-items.js';
import { LateOutputs } from '../../src/fallback/late-outputs.js';

const call = (callId: string | null) => serverItem({ type: 'tool_search_call', call_id: callId });
const output = (callId: string | null, name = 'f') =>
  serverItem({ type: 'tool_search_output', call_id: callId, tools: [{ type: 'function', name }] });

describe('outputs that the stock provider shows before their calls', () => {
  it('come out behind the call they belong to, in the order they came', () => {
    const late = new LateOutputs();
    late.called(call('c1'));
    late.called(call('c2'));
    expect([late.holds(output('c2')), late.holds(output('c1', 'g')), late.holds(output('c1', 'h'))]).toEqual([
      true,
      true,
      true,
    ]);
    expect(late.shown(call('c1'))).toEqual([output('c1', 'g'), output('c1', 'h')]);
    expect(late.shown(call('c2'))).toEqual([output('c2')]);
  });

  it('need no id: searches of the server have none', () => {
    const late = new LateOutputs();
    late.called(call(null));
    expect(late.holds(output(null))).toBe(true);
    expect(late.shown(call(null))).toEqual([output(null)]);
  });

  it('are not held where the call is shown already, or was never made', () => {
    const late = new LateOutputs();
    late.called(call('c1'));
    late.shown(call('c1'));
    expect([late.holds(output('c1')), late.holds(output('c2')), late.holds(call('c1'))]).toEqual([false, false, false]);
  });
});
