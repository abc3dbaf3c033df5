import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { isHarmlessHeader, Redactor, redactUrl, secretsOf } from '../../observe/redact.js';
import { type Endpoint, resolveEndpoint } from '../../request/endpoint.js';
import type { JsonObject } from '../../core/json.js';
import { showControls } from '../../util/control-characters.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { painter } from '../colours.js';
import { type Command, type Terminal, UsageError } from '../command.js';
import { printJson } from '../print-json.js';
import { readTimeout } from '../read-timeout.js';
import { readServer, type Server, SERVER_HELP, SERVER_OPTIONS } from '../server-options.js';
import { oneLine } from '../words.js';
import { chooseProfile } from './choose-profile.js';
import { tryLoop } from './loop.js';
import type { Point } from './point.js';
import { createWire, type Wire } from './record.js';
import { EXIT_CODES, LOOP, makeReport, pointLine, type Report, summary } from './report.js';
import { NO_TEXT, runOne, type RunOptions, runProbes } from './run-probes.js';
import { codeFor, settingsFor } from './settings.js';
import { Visit } from './visit.js';

const HELP = `Usage: npx responses-loop doctor [options]

Tests a Responses API server feature by feature, and recommends settings of this
package. It sends about 40 small requests.

${SERVER_HELP}  --json              print one JSON object to stdout, and the progress to stderr
  --body JSON         add these fields to every request, for servers that need them
  --record DIR        save each request and its response in DIR, without secrets
  --timeout SECONDS   time limit for each test (default 30); all tests together get ten times that

Exit codes: 0 works with the loop, 1 works with limitations, 2 does not work.
`;

const OPTIONS = {
  ...SERVER_OPTIONS,
  json: { type: 'boolean', default: false },
  record: { type: 'string' },
  body: { type: 'string', default: '{}' },
  timeout: { type: 'string', default: '30' },
} as const;

const TIMES_FOR_ALL = 10;
const MAX_DETAIL = 400;

export const doctor: Command = { help: HELP, run };

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const server = readServer(values, terminal.env);
  const report = await examine(server, {
    terminal,
    probeMs: readTimeout(values.timeout),
    dir: values.record === undefined ? undefined : resolve(terminal.cwd, values.record),
    keyName: values['api-key-env'] ?? 'OPENAI_API_KEY',
    out: values.json ? terminal.stderr : terminal.stdout,
    fields: readFields(values.body),
  });
  terminal.stdout.write(values.json ? printJson(report) : summary(report));
  return EXIT_CODES[report.result];
}

function readFields(text: string): JsonObject {
  const fields = parseJson(text);
  if (!isRecord(fields)) throw new UsageError('--body: write a JSON object, such as \'{"agent_id":"helper"}\'.');
  // It was parsed from JSON.
  return fields as JsonObject;
}

interface ExamineOptions {
  readonly terminal: Terminal;
  readonly probeMs: number;
  readonly dir: string | undefined;
  /** The variable of the key, set or not. */
  readonly keyName: string;
  /** Gets a line for each point, as soon as it is known. */
  readonly out: Terminal['stdout'];
  readonly fields: JsonObject;
}

async function examine(server: Server, options: ExamineOptions): Promise<Report> {
  const { terminal, probeMs, out } = options;
  const started = performance.now();
  const endpoint = asArgument('--base-url', () => resolveEndpoint({ baseURL: server.baseURL }));
  const redactors = redactorsOf(server, endpoint.url);
  const hide = (text: string): string => redactors.server.text(text);
  const wire = asArgument('--record', () => createWire({ dir: options.dir, hide }));
  const visit = new Visit({
    ...server,
    apiKey: server.apiKeys[0],
    keyName: options.keyName,
    fields: options.fields,
    url: endpoint.url,
    fetch: wire.fetch,
    hide,
  });
  const paint = painter(out, terminal.env);
  const plan: RunOptions = {
    probeMs,
    signal: terminal.signal,
    total: AbortSignal.timeout(TIMES_FOR_ALL * probeMs),
    clean: (text) => oneLine(showControls(hide(text)), MAX_DETAIL),
    onStart: (name) => void (wire.label = name),
    onPoint: (point) => void (isShown(point) && out.write(pointLine(point, paint))),
  };
  out.write(`${redactors.own.text(redactUrl(endpoint.url))}\n\n`);
  const points = await runProbes(visit, plan);
  const { choice, loop, code } = await conclude({ ...options, server, visit, points, wire, plan, endpoint });
  plan.onPoint(loop);
  return redactors.own.value(
    makeReport({
      url: redactUrl(visit.manner.url),
      model: visit.model === undefined ? undefined : plan.clean(visit.model),
      looksLike: visit.what,
      points: [...points, loop],
      isCut: plan.total.aborted,
      choice,
      code,
      cost: {
        requests: wire.requests,
        inputTokens: visit.usage.input,
        outputTokens: visit.usage.output,
        seconds: Math.round((performance.now() - started) / 100) / 10,
      },
    }),
  );
}

/** Turns a failure into one of an argument: exit code 1 would mean that the server works. */
function asArgument<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError(`${name}: ${errorText(error)}`);
  }
}

/** The summary repeats once that nothing more can be learned. */
function isShown({ verdict, detail }: Point): boolean {
  return verdict !== 'skipped' || detail !== NO_TEXT;
}

interface Concluding extends Pick<ExamineOptions, 'keyName'> {
  readonly server: Server;
  readonly visit: Visit;
  readonly points: readonly Point[];
  readonly wire: Wire;
  readonly plan: RunOptions;
  readonly endpoint: Endpoint;
}

/** Finds the settings that fit, and tries the package with exactly these. */
async function conclude({ server, visit, points, wire, plan, endpoint, keyName }: Concluding) {
  if (visit.first === undefined) {
    const loop: Point = { name: LOOP, verdict: 'skipped', detail: NO_TEXT };
    return { choice: undefined, code: undefined, loop };
  }
  const choice = chooseProfile({ points, hosts: endpoint.profile, looksLike: visit.looksLike });
  const settings = settingsFor(choice, visit.manner, visit.fields);
  const { apiKeys, headers } = server;
  const all = { ...settings, apiKey: apiKeys, headers, fetch: wire.fetch };
  plan.onStart(LOOP);
  const found = await runOne(LOOP, (signal) => tryLoop({ settings: all, visit, signal }), plan);
  const shown = { ...settings, baseURL: redactUrl(settings.baseURL) };
  const code = codeFor(shown, { keyName: visit.hasKey ? keyName : undefined, headers: Object.keys(headers) });
  return { choice, code, loop: { ...found, detail: plan.clean(found.detail) } };
}

interface Redactors {
  /** Redacts the server's text: the key, and each header that may be one. */
  readonly server: Redactor;
  /** Redacts the user's own text, in which a header may be an ordinary word. */
  readonly own: Redactor;
}

/** Shorter values are ordinary words: a team, a tier. */
const MIN_SECRET = 8;

function redactorsOf({ apiKeys, headers }: Server, url: string): Redactors {
  const telling = Object.entries(headers)
    .filter(([name, value]) => !isHarmlessHeader(name) && value.length >= MIN_SECRET && !URL.canParse(value))
    .map(([, value]) => value);
  const ofServer = secretsOf({ url, headers, body: undefined, secrets: [...telling, ...apiKeys] });
  const ofUser = secretsOf({ url, headers: {}, body: undefined, secrets: apiKeys });
  return { server: Redactor.of(() => ofServer), own: Redactor.of(() => ofUser).long };
}
