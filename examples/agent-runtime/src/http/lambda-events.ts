import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** As much of an event as is read: payload format 2.0, of a function URL or an HTTP API. */
export interface LambdaEvent {
  readonly version: string;
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies?: readonly string[] | undefined;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    readonly domainName: string;
    readonly stage: string;
    readonly http: { readonly method: string };
  };
}

/** A whole answer, as payload format 2.0 has it. */
export interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** As much of what AWS passes with an event as is read. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** What the Node runtime of AWS puts into the global `awslambda`. */
export interface LambdaStreams {
  streamifyResponse(
    handle: (event: unknown, stream: Writable, context?: LambdaContext) => Promise<void>,
  ): (event: unknown, stream: Writable, context?: LambdaContext) => Promise<void>;
  readonly HttpResponseStream: {
    from(stream: Writable, head: Pick<LambdaResult, 'statusCode' | 'headers' | 'cookies'>): Writable;
  };
}

const DEFAULT_STAGE = '$default';

/** @throws TypeError for an event that no function URL and no HTTP API sends */
export function requestOf(event: unknown): Request {
  if (!isLambdaEvent(event)) {
    throw new TypeError(
      'The event is not of payload format 2.0: invoke the function by its function URL, or by an HTTP API with that format.',
    );
  }
  const { requestContext, rawQueryString, body, isBase64Encoded, cookies = [] } = event;
  const { method } = requestContext.http;
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) if (value !== undefined) headers.set(name, value);
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  const address = new URL(`https://${requestContext.domainName}`);
  address.pathname = pathOf(event);
  address.search = rawQueryString;
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  return new Request(address, {
    method,
    headers,
    ...(hasBody && { body: isBase64Encoded ? Buffer.from(body, 'base64') : body }),
  });
}

/** An HTTP API puts the name of a stage before the path. */
function pathOf({ rawPath, requestContext: { stage } }: LambdaEvent): string {
  const before = `/${stage}`;
  return stage !== DEFAULT_STAGE && rawPath.startsWith(`${before}/`) ? rawPath.slice(before.length) : rawPath;
}

export async function resultOf(response: Response): Promise<LambdaResult> {
  const body = Buffer.from(await response.arrayBuffer());
  const isText = /^(text\/|application\/json\b)/.test(response.headers.get('content-type') ?? 'text/');
  return { ...headOf(response), body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** Writes an answer as it comes. Rejects if its reader has gone. */
export async function streamTo(
  stream: Writable,
  response: Response,
  { HttpResponseStream }: LambdaStreams,
): Promise<void> {
  const out = HttpResponseStream.from(stream, headOf(response));
  // The runtime sends the status with the first bytes, and an answer may have none.
  if (response.body === null) out.write('');
  await pipeline(response.body === null ? Readable.from([]) : Readable.from(response.body), out);
}

function headOf({ status, headers }: Response): Pick<LambdaResult, 'statusCode' | 'headers' | 'cookies'> {
  const others = [...headers].filter(([name]) => name !== 'set-cookie');
  return { statusCode: status, headers: Object.fromEntries(others), cookies: headers.getSetCookie() };
}

function isLambdaEvent(event: unknown): event is LambdaEvent {
  if (!isRecord(event) || event['version'] !== '2.0' || !isRecord(event['headers'])) return false;
  const { requestContext: context, rawPath, rawQueryString, body } = event;
  if (!isRecord(context) || !isRecord(context['http'])) return false;
  const texts = [
    rawPath,
    rawQueryString,
    body ?? '',
    context['domainName'],
    context['stage'],
    context['http']['method'],
  ];
  return texts.every((text) => typeof text === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
