import { isLimitReached, limitOf } from '../../../errors/limit-reached.js';
import { ResponsesLoopError } from '../../../errors/responses-loop-error.js';
import { cutEnds, excerpt } from '../../../util/excerpt.js';
import { ConnectFailure } from './connection.js';
import type { Redactor } from '../../../observe/redact.js';
import { describeServer } from '../describe-server.js';
import { causeCode, failureText, httpStatus, McpAccessError, speaksOnlyNewer } from '../failure.js';
import { ClientNotConnected } from './ready-connection.js';
import { isClientConfig, isStdioConfig, type McpServerConfig } from '../server-config.js';
import { withheldNames } from '../stdio-environment.js';

/** A connection that took longer than its limit. */
export class ConnectTimeout extends Error {
  override readonly name = 'TimeoutError';
}

/** Characters shown of each end of stderr: the error is at the beginning, the last words at the end. */
const SHOWN_CHARS = 400;

type Facts = ReturnType<typeof factsOf>;

function factsOf(config: McpServerConfig, cause: unknown, text: string) {
  return {
    isStdio: isStdioConfig(config),
    isClient: isClientConfig(config),
    cause,
    code: causeCode(cause),
    status: httpStatus(cause),
    text,
    isTimeout: cause instanceof ConnectTimeout || /request timed out/i.test(text),
  };
}

/** What the user can do; the first match is used. */
const FIXES: readonly (readonly [(facts: Facts) => boolean, string])[] = [
  [
    ({ cause }) => cause instanceof ClientNotConnected,
    'The code that created the client must connect it again; the next call then uses it.',
  ],
  [({ cause }) => isLimitReached(cause), 'The server must send less.'],
  [
    ({ cause }) => speaksOnlyNewer(cause),
    'It supports only a newer revision of MCP: install `@modelcontextprotocol/client` (version 2).',
  ],
  [({ isClient }) => isClient, 'Check the client and the server behind it.'],
  [
    ({ isTimeout }) => isTimeout,
    'Check that the server starts and answers; a slow server needs a larger `timeouts.connectMs`.',
  ],
  [
    ({ code, isStdio }) => isStdio && (code === 'ENOENT' || code === 'EACCES'),
    'Check that the program exists, is executable, and is on the PATH; check `cwd`.',
  ],
  [
    ({ isStdio, text }) => isStdio && /connection closed/i.test(text),
    'The process exited before it answered: run the command yourself, and put the variables that it needs into `env`.',
  ],
  [({ status }) => status === 401 || status === 403, 'Check the credentials in `headers`.'],
  [({ status }) => status !== undefined && status < 500, 'Check the path of the URL.'],
  [({ status }) => status !== undefined, 'The server has trouble of its own; try again later.'],
  [({ isStdio }) => !isStdio, 'Check that the server is running and that host and port are right.'],
];

/** Names the server, the attempt, the result and the fix. Holds no secrets. */
export function connectError(
  key: string,
  config: McpServerConfig,
  error: unknown,
  redactor: Redactor,
): ResponsesLoopError {
  const cause = error instanceof ConnectFailure ? error.cause : error;
  const written = error instanceof ConnectFailure ? error.detail : '';
  const detail = written === '' ? '' : ` It wrote: ${cutEnds(written, SHOWN_CHARS)}`;
  const text = redactor.text(failureText(cause)).replace(/\.$/, '');
  const facts = factsOf(config, cause, text);
  const known = cause instanceof McpAccessError ? cause.fix : FIXES.find(([fits]) => fits(facts))?.[1];
  const fix = `${known ?? `Check mcpServers["${key}"].`}${facts.isTimeout ? ofWithheld(config) : ''}`;
  const message = `MCP server "${key}" (${describeServer(config)}) is not available: ${excerpt(text, 500)}.${detail} ${fix} Or set \`disabled: true\`. Its tools are left out.`;
  return new ResponsesLoopError({
    code: isLimitReached(cause) ? 'limit' : 'tool-source-unavailable',
    ...limitOf(cause),
    // Leaves the cause out, because its text may contain the secret that was just removed.
    message: redactor.text(message),
  });
}

/** A program that has to be downloaded first waits for ever without the proxy's settings. */
function ofWithheld(config: McpServerConfig): string {
  const names = isStdioConfig(config) ? withheldNames(config.env) : [];
  if (names.length === 0) return '';
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return ` ${names.join(', ')} ${are} set here and not passed on; if the program has to download something, put ${them} into \`env\`.`;
}
