/**
 * Headers that say something about one request, and nothing about whose it is: an upgrade carries those of the request it
 * was made for. All others are part of what a connection is, since a key, a tenant or a switch may stand in any of them.
 */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set([
  // W3C Trace Context
  'traceparent',
  'tracestate',
  // Zipkin
  'b3',
  'x-b3-traceid',
  'x-b3-spanid',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-flags',
  // Datadog
  'x-datadog-trace-id',
  'x-datadog-parent-id',
  'x-datadog-sampling-priority',
  'x-datadog-origin',
  'x-datadog-tags',
  // Jaeger, Google Cloud, AWS, Sentry
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
/** Members of W3C Baggage that Sentry and OpenTelemetry's sampling put there; what else it holds is the user's own. */
const OF_TRACES = /^\s*(?:sentry-|sampling\.)/;

/** What connections have to have in common to be used for one another. */
export function identityOf({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): string {
  const own = Object.entries(headers)
    .filter(([name]) => !OF_ONE_REQUEST.has(name))
    .map(([name, value]): [string, string] => [name, name === 'baggage' ? ownBaggage(value) : value])
    .filter(([name, value]) => name !== 'baggage' || value !== '');
  return JSON.stringify([url, own.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** A tenant may stand in it, and gateways choose a way by it. */
function ownBaggage(value: string): string {
  const members = value.split(',').filter((member) => member.trim() !== '' && !OF_TRACES.test(member));
  return members.join(',');
}
