import type { JsonObject } from '../core/json.js';
import type { RequestPlace } from '../request/body-override.js';
import type { HeaderLayer } from '../request/build-headers.js';

export type { RequestPlace };

/** An outgoing request. It includes secrets: the key is in its headers. */
export interface RequestDraft {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Header values that a function gave: their names do not show whether they are credentials. */
  readonly secrets?: readonly string[];
}

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

export interface RequestChanges {
  readonly url?: string | undefined;
  readonly headers?: HeaderLayer | undefined;
  readonly body?: JsonObject | undefined;
}
