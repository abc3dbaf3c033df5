import { processEnv } from '../../util/process-env.js';

type Variables = Readonly<Record<string, string>>;

/** Where certificates are: paths, no secrets. Behind a company's proxy nothing is downloaded without them. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE'];
/** May hold passwords, so they are not passed on unasked; `npx` and `uvx` may need them all the same. */
const NETWORK = /^(?:https?_proxy|no_proxy|npm_config_(?:registry|proxy|https_proxy|cafile))$/i;

/** What a local server is given of our environment, beside the few variables that the MCP SDK passes on. */
export function inheritedVariables(): Variables {
  const env = processEnv();
  return Object.fromEntries(
    CERTIFICATES.flatMap((name) => {
      const path = env[name];
      return path === undefined || path === '' ? [] : [[name, path]];
    }),
  );
}

/** Names of variables that are set here, decide whether something can be downloaded, and were not passed on. */
export function withheldNames(given: Variables = {}): string[] {
  const names = Object.keys(processEnv()).filter((name) => NETWORK.test(name) && given[name] === undefined);
  return names.toSorted();
}
