import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const LEAVING_MS = 5_000;

/** What the servers saw of a job. Each throws when something is not as it has to be. */
export const wireChecks = {
  'nothing is stored, and no request refers to stored things'({ requests }) {
    for (const { body } of requests) {
      assert.equal(body.store, false);
      assert.equal(body.previous_response_id, undefined);
      assert.deepEqual(
        body.input.filter((item) => item.type === 'item_reference' || item.id !== undefined),
        [],
      );
    }
  },

  'every call has one output, right behind the calls'({ requests }) {
    for (const { body } of requests) {
      const calls = body.input.filter((item) => item.type === 'function_call').map((item) => item.call_id);
      const outputs = body.input.filter((item) => item.type === 'function_call_output').map((item) => item.call_id);
      assert.deepEqual(outputs, calls);
    }
  },

  'the second request brings the outputs, the second turn brings them again'({ requests }) {
    const outputs = [
      ['call_measure', '{"area":42,"unit":"ares"}'],
      ['call_add', '5'],
    ];
    const [, followUp] = requests.filter(({ prompt }) => prompt === 'Measure the pond.');
    const [nextTurn] = requests.filter(({ prompt }) => prompt === 'And the lake?');
    assert.deepEqual(outputsOf(followUp), outputs);
    assert.deepEqual(outputsOf(nextTurn), outputs);
    assert.deepEqual(kindsOf(nextTurn), ['user', 'call', 'call', 'output', 'output', 'assistant', 'user']);
  },

  'all requests carry the key'({ requests }) {
    assert.deepEqual([...new Set(requests.map(({ headers }) => headers.authorization))], ['Bearer test']);
  },

  async 'streams that were left are closed'({ requests }) {
    const hanging = requests.filter(({ prompt }) => prompt === 'Hang.');
    assert.notEqual(hanging.length, 0);
    await until(() => hanging.every((request) => request.isAborted));
  },

  async 'MCP sessions are ended'({ sessions }) {
    assert.ok(sessions.opened > 0);
    await until(() => sessions.open.size === 0);
  },
};

function outputsOf({ body }) {
  return body.input
    .filter((item) => item.type === 'function_call_output')
    .map(({ call_id: id, output }) => [id, output]);
}

function kindsOf({ body }) {
  const kinds = { function_call: 'call', function_call_output: 'output' };
  return body.input.map((item) => kinds[item.type] ?? item.role);
}

/** The other side needs a moment to notice. */
async function until(condition) {
  const end = Date.now() + LEAVING_MS;
  while (!condition()) {
    assert.ok(Date.now() < end, `not within ${LEAVING_MS} ms`);
    await sleep(20);
  }
}
