/**
 * Headers that say something about one request, and nothing about whose it is: an upgrade carries those of the request it
 * was made for. All others are part of what a connection is, since a key, a tenant or a switch may stand in any of them.
 */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set([
  // W3C Trace Context and Baggage
  'traceparent',
  'tracestate',
  'baggage',
  // Zipkin, Jaeger, Google Cloud, AWS, Sentry
  'b3',
  'uber-trace-id',
  'x-cloud-trace-context',
  'x-amzn-trace-id',
  'sentry-trace',
  'request-id',
  'x-request-id',
  // OpenAI, Azure
  'x-client-request-id',
  'x-ms-client-request-id',
  'correlation-id',
  'x-correlation-id',
  'idempotency-key',
]);
/** Zipkin and Datadog have several. */
const OF_TRACES = /^x-(?:b3|datadog)-/;

/** What connections have to have in common to be used for one another. */
export function identityOf({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): string {
  const own = Object.entries(headers).filter(([name]) => !OF_ONE_REQUEST.has(name) && !OF_TRACES.test(name));
  return JSON.stringify([url, own.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
