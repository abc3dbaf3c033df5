import type { McpAppCsp } from 'responses-loop/v3';

/**
 * The policy of the page of an app. It has an origin of its own, which no other page shares, and reaches nothing but what its
 * server names: encrypted addresses only, so that neither this server nor another one without TLS on this machine is among them.
 */
export function appPolicy({ connectDomains, resourceDomains, frameDomains, baseUriDomains }: McpAppCsp): string {
  const resources = encrypted(resourceDomains);
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    directive('script-src', ["'unsafe-inline'", ...resources]),
    directive('style-src', ["'unsafe-inline'", ...resources]),
    directive('img-src', ['data:', 'blob:', ...resources]),
    directive('font-src', ['data:', ...resources]),
    directive('media-src', ['data:', 'blob:', ...resources]),
    directive('connect-src', encrypted(connectDomains)),
    directive('frame-src', encrypted(frameDomains)),
    directive('base-uri', encrypted(baseUriDomains)),
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

function directive(name: string, sources: readonly string[]): string {
  return `${name} ${sources.length === 0 ? "'none'" : sources.join(' ')}`;
}

/** A host, and nothing that could end the directive: the policy does not rely on who has read the list before. */
const SOURCE = /^(?:https|wss):\/\/(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?(?:\/[\w./~%-]*)?$/i;

function encrypted(sources: readonly string[] = []): readonly string[] {
  return sources.filter((source) => SOURCE.test(source));
}
