import type { JsonObject } from '../../../src/core/json.js';
import type { Family } from './family.js';
import { item, says } from './written.js';

const done = says('Done.');
const exit = (code: number): JsonObject => ({ type: 'exit', exit_code: code });
const outputOf = (stdout: string, outcome: JsonObject): JsonObject => ({ stdout, stderr: '', outcome });
const ran = (exitCode: number) => ({ stdout: 'a', stderr: '', outcome: { type: 'exit', exitCode } });

const shellCall = (environment: JsonObject | null, action: JsonObject = { commands: ['ls'] }) =>
  item('shell_call', { id: 'sh_1', call_id: 'call_1', action, environment }, { begun: { status: 'in_progress' } });
const shellOutput = (...output: JsonObject[]) =>
  item('shell_call_output', { id: 'sho_1', call_id: 'call_1', output, max_output_length: null });
const IN_CONTAINER = { type: 'container_reference', container_id: 'cntr_1' };

const patch = (callId: string, operation: JsonObject) =>
  item(
    'apply_patch_call',
    { id: `apc_${callId}`, call_id: callId, operation },
    {
      begun: { status: 'in_progress', operation: { ...operation, ...('diff' in operation && { diff: '' }) } },
      events:
        typeof operation['diff'] === 'string'
          ? [
              { type: 'response.apply_patch_call_operation_diff.delta', delta: operation['diff'] },
              { type: 'response.apply_patch_call_operation_diff.done', diff: operation['diff'] },
            ]
          : [],
    },
  );

/** Shells and patches: the client's machine, and the server's. */
export const SHELLS: readonly Family[] = [
  {
    name: 'shell on the client',
    hosted: {
      sh: { tool: 'shell', args: { environment: { type: 'local' } }, output: () => ({ output: [ran(0), ran(1)] }) },
    },
    answers: [
      {
        output: [shellCall({ type: 'local' }, { commands: ['ls', 'false'], timeout_ms: 1000, max_output_length: 500 })],
      },
      { id: 'resp_2', output: [done] },
    ],
    since: 3,
  },
  {
    name: 'shell on the client, without an environment, timed out',
    hosted: {
      shell: {
        tool: 'shell',
        output: () => ({ output: [{ stdout: '', stderr: 'slow', outcome: { type: 'timeout' } }] }),
      },
    },
    answers: [{ output: [shellCall(null)] }, { id: 'resp_2', output: [done] }],
    since: 3,
  },
  {
    name: 'shell in a container',
    hosted: {
      sh: {
        tool: 'shell',
        args: { environment: { type: 'containerAuto' } },
        output: () => ({ output: [{ ...ran(0), stdout: 'RAN ON THE CLIENT' }] }),
      },
    },
    answers: [
      {
        output: [
          shellCall(IN_CONTAINER),
          shellOutput(outputOf('ok', exit(0)), outputOf('', { type: 'timeout' })),
          done,
        ],
      },
    ],
    since: 3,
  },
  {
    name: 'shell in a container that is there, with skills',
    hosted: { shell: { tool: 'shell', args: { environment: { type: 'containerReference', containerId: 'cntr_1' } } } },
    answers: [{ output: [shellCall(IN_CONTAINER), shellOutput(outputOf('ok', exit(0))), done] }],
    since: 3,
  },
  {
    name: 'local shell',
    hosted: { local_shell: { tool: 'localShell', output: () => ({ output: 'a.txt' }) } },
    answers: [
      {
        output: [
          item('local_shell_call', {
            id: 'lsh_1',
            call_id: 'call_1',
            action: {
              type: 'exec',
              command: ['ls', '-l'],
              timeout_ms: 1000,
              user: 'duck',
              working_directory: '/pond',
              env: { A: 'b' },
            },
          }),
        ],
      },
      { id: 'resp_2', output: [done] },
    ],
  },
  {
    name: 'patches: create, update and delete',
    hosted: {
      apply_patch: {
        tool: 'applyPatch',
        output: (input) => {
          const { operation } = input as { operation: { type: string } };
          return operation.type === 'delete_file'
            ? { status: 'failed', output: 'Not there.' }
            : { status: 'completed' };
        },
      },
    },
    answers: [
      {
        output: [
          patch('call_1', { type: 'create_file', path: 'a.txt', diff: '+quack "quack"\n' }),
          patch('call_2', { type: 'update_file', path: 'b.txt', diff: '-a\n+b\n' }),
          patch('call_3', { type: 'delete_file', path: 'c.txt' }),
        ],
      },
      { id: 'resp_2', output: [done] },
    ],
    since: 3,
  },
  {
    name: 'patches under another name',
    hosted: { patch: { tool: 'applyPatch', output: () => ({ status: 'completed', output: 'ok' }) } },
    answers: [{ output: [patch('call_1', { type: 'delete_file', path: 'c.txt' })] }, { id: 'resp_2', output: [done] }],
    since: 3,
  },
];
