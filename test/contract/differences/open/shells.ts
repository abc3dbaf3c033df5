import type { Major } from '../../sides.js';
import { ABSENT, ANY, STREAMS } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];
const CONTAINERS = ['family/shell in a container*'];

export const OPEN_SHELLS: readonly OpenDifference[] = [
  {
    open: 'cause 1',
    what: 'Shell in a container: commands that ran there are handed to the client, and run again if it can',
    right: 'stock',
    why: 'What ran at the server is never handed to the client.',
    seen: [
      { in: CONTAINERS, fields: ['calls[*].providerExecuted'], values: [true, false], of: LATER },
      { in: CONTAINERS, fields: ['finishReason'], values: ['stop', 'tool-calls'], of: LATER },
      { in: CONTAINERS, fields: ['results[*]'], values: [/"output"/, ABSENT], of: LATER },
      { in: CONTAINERS, fields: ['order', 'messages[*]'], values: [/tool-call tool-result text/, ANY], of: LATER },
      {
        in: ['family/shell in a container'],
        fields: ['results[*].result.output[*]*', 'messages[*]', 'steps[*]'],
        at: ['streamText', 'generateText'],
        of: LATER,
      },
      { in: ['family/shell in a container'], fields: ['chunks[*]'], values: [ABSENT, 'More.'], of: LATER },
      { in: ['family/shell in a container'], fields: ['totalUsage.*'], at: ['generateText'], of: LATER },
      {
        in: ['family/shell in a container'],
        fields: ['body.order', 'body.items.*', 'requests[*]'],
        at: ['streamedTurns', 'generatedTurns'],
        of: LATER,
      },
      {
        in: ['family/shell in a container that is there*'],
        fields: ['requests[*]', 'failed'],
        at: ['streamedTurns', 'generatedTurns'],
        of: LATER,
      },
    ],
  },
  {
    open: 'cause 5',
    what: 'Shell calls and their outputs: names in two spellings',
    right: 'stock',
    why: 'The tool’s schema says `timeoutMs` and `exitCode`, the API `timeout_ms` and `exit_code`.',
    seen: [
      {
        in: ['family/shell on the client'],
        fields: ['calls[*].input.action.timeoutMs', 'calls[*].input.action.maxOutputLength'],
        values: [ANY, ABSENT],
        of: [4],
      },
      {
        in: ['family/shell on the client'],
        fields: ['calls[*].input.action.timeout_ms', 'calls[*].input.action.max_output_length'],
        values: [ABSENT, ANY],
        at: ['doStream', 'doGenerate'],
        of: LATER,
      },
      {
        in: ['family/local shell'],
        fields: ['calls[*].input.action.timeoutMs', 'calls[*].input.action.workingDirectory'],
        values: [ANY, ABSENT],
      },
      {
        in: ['family/local shell'],
        fields: ['calls[*].input.action.timeout_ms', 'calls[*].input.action.working_directory'],
        values: [ABSENT, ANY],
        at: ['doStream'],
      },
      {
        in: ['family/shell on the client'],
        fields: ['body.items.*.output[*].outcome.exit_code'],
        values: [ANY, ABSENT],
        of: LATER,
      },
      {
        in: ['family/shell on the client'],
        fields: ['body.items.*.output[*].outcome.exitCode'],
        values: [ABSENT, ANY],
        of: LATER,
      },
    ],
  },
  {
    open: 'item 2',
    what: 'Patches, texts of custom tools and what the computer is to do are not streamed while they come',
    right: 'stock',
    why: 'A user sees them grow.',
    seen: [
      {
        in: ['family/patches*', 'family/custom tool *'],
        fields: ['inputs[*]'],
        values: [ANY, ABSENT],
        at: ['doStream'],
        of: LATER,
      },
      {
        in: ['family/patches*', 'family/custom tool *'],
        fields: ['order'],
        values: [/tool-input-end tool-call/, ANY],
        at: STREAMS,
        of: LATER,
      },
      { in: ['family/computer, *'], fields: ['inputs[*]'], values: [ANY, ABSENT], at: ['doStream'], of: [4] },
      {
        in: ['family/computer, *'],
        fields: ['order'],
        values: [/tool-input-end tool-call/, ANY],
        at: STREAMS,
        of: [4],
      },
    ],
  },
];
