import type { JsonObject } from '../core/json.js';
import type { RequestPlace } from '../request/body-override.js';
import type { HeaderLayer } from '../request/build-headers.js';

export type { RequestPlace };

/** An outgoing request. It includes secrets: the key is in its headers. */
export interface RequestDraft {
  /** The whole address, query included. */
  readonly url: string;
  /** The headers without those of authentication. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body as it will be sent. */
  readonly body: JsonObject;
  /** Header values that a function gave: their names do not show whether they are credentials. */
  readonly secrets?: readonly string[];
}

/** A request that needs its authentication headers. */
export interface AuthRequest extends RequestDraft, RequestPlace {
  /** The key whose turn it is, if there is one. */
  readonly apiKey: string | undefined;
}

/** Headers that authorise one request: tokens of Entra or OAuth, signatures over the body. Asked for every request. */
export type AuthFunction = (request: AuthRequest) => HeaderLayer | PromiseLike<HeaderLayer>;

/** Headers, or a function asked for every request. */
export type HeaderSetting = HeaderLayer | ((place: RequestPlace) => HeaderLayer | PromiseLike<HeaderLayer>);

/**
 * The final hook for every request, after all settings, overrides and options. `url` and `body` it returns replace the
 * request's, headers are put over them (`null` takes one away), what it leaves out stays. `model` and `input` have to remain.
 *
 * @example
 * transformRequest: ({ body }) => ({ body: { ...body, user: currentUser() } })
 */
export type TransformRequest = (
  request: RequestDraft & RequestPlace,
) => RequestChanges | undefined | void | PromiseLike<RequestChanges | undefined | void>;

/** Changes to a request; absent members stay as they are. */
export interface RequestChanges {
  /** Another address. */
  readonly url?: string | undefined;
  /** Headers to add; `null` takes one away. */
  readonly headers?: HeaderLayer | undefined;
  /** Another body in place of the whole one. */
  readonly body?: JsonObject | undefined;
}
