/** Checked by `npm run types`: what may be left out may be `undefined` too, which `exactOptionalPropertyTypes` tells apart. */
import type {
  BytesReply,
  CallOutput,
  DescribedReply,
  EncodeOptions,
  ErrorReplyOptions,
  EventsReply,
  FixtureRound,
  Fixture,
  HtmlReply,
  JsonReply,
  MswHandlersOptions,
  NoReply,
  RandomCutOptions,
  ReasoningOutput,
  RecordFetchOptions,
  RefusalOutput,
  ReplayFetchOptions,
  ReplayOptions,
  ResponseDescription,
  ScriptedFetchOptions,
  ScriptedServerOptions,
  TextOutput,
} from '../../src/testing.js';

/** The members that may be absent but not `undefined`. */
type Strict<T> = {
  [K in keyof T]-?: object extends Pick<T, K> ? ({ [P in K]: undefined } extends Pick<T, K> ? never : K) : never;
}[keyof T];

/** An error here names the members. */
type Nothing<T extends never> = T;

type All = [
  Strict<RecordFetchOptions>,
  Strict<ReplayFetchOptions>,
  Strict<ReplayOptions>,
  Strict<MswHandlersOptions<unknown>>,
  Strict<ScriptedFetchOptions>,
  Strict<ScriptedServerOptions>,
  Strict<EventsReply>,
  Strict<BytesReply>,
  Strict<JsonReply>,
  Strict<HtmlReply>,
  Strict<NoReply>,
  Strict<DescribedReply>,
  Strict<ResponseDescription>,
  Strict<ErrorReplyOptions>,
  Strict<TextOutput>,
  Strict<RefusalOutput>,
  Strict<ReasoningOutput>,
  Strict<CallOutput>,
  Strict<EncodeOptions>,
  Strict<RandomCutOptions>,
  Strict<FixtureRound>,
  Strict<Fixture>,
];

export type None = Nothing<All[number]>;
