import { processEnv } from '../../util/process-env.js';

type Variables = Readonly<Record<string, string>>;

/** Paths of certificates, no secrets. Behind a company's proxy every download needs them. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE'];
/** Values that may hold passwords, so the user has to pass them; `npx` and `uvx` may need them. */
const NETWORK = /^(?:https?_proxy|no_proxy|npm_config_(?:registry|proxy|https_proxy|cafile))$/i;

/** Returns the inherited variables of a local server, in addition to the MCP SDK's few. */
export function inheritedVariables(): Variables {
  const env = processEnv();
  return Object.fromEntries(
    CERTIFICATES.flatMap((name) => {
      const path = env[name];
      return path === undefined || path === '' ? [] : [[name, path]];
    }),
  );
}

/** Returns the names of variables that are set here, are not passed on, and may decide a download. */
export function withheldNames(given: Variables = {}): string[] {
  const names = Object.keys(processEnv()).filter((name) => NETWORK.test(name) && given[name] === undefined);
  return names.toSorted();
}
