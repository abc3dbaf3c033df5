/** `responses-loop/testing`: what this package tests itself with, for your tests too. Node only. */
export { fixtureSteps } from './testing/fixture-steps.js';
export { FixtureError } from './testing/fixture.js';
export type { Fixture, FixtureMeta, FixtureRound, FixtureRoundMeta, RecordedChunk } from './testing/fixture.js';
export { createGate, type Gate } from './testing/gate.js';
export { mswHandlers, type MswHandlersOptions, type MswHttp } from './testing/msw-handlers.js';
export type {
  CallOutput,
  Deltas,
  OtherOutput,
  OutputDescription,
  ReasoningOutput,
  RefusalOutput,
  TextOutput,
} from './testing/output-description.js';
export { plainParts } from './testing/plain-parts.js';
export { listFixtures, readFixture } from './testing/read-fixture.js';
export { everyByte, randomCuts, randomPlaces, splitAt, whole } from './testing/rechunk.js';
export type { RandomCutOptions, Rechunk } from './testing/rechunk.js';
export { recordFetch, type RecordFetchOptions, type RecordingFetch } from './testing/record-fetch.js';
export type { RecordingOptions } from './testing/record/recording.js';
export { toCr, toCrlf, withBom, withComments, withDone, withoutEventLines } from './testing/reframe.js';
export { replayFetch, type ReplayFetch, type ReplayFetchOptions } from './testing/replay-fetch.js';
export { createReplayServer, type ReplayServer } from './testing/replay-server.js';
export type { ReplayOptions } from './testing/replay/replay.js';
export type { DeliveryOptions } from './testing/replay/round-reply.js';
export type { ResponseDescription } from './testing/response-description.js';
export { errorEvent, responseBody, responseEvents } from './testing/response-events.js';
export { encodeEvent, encodeEvents, type EncodeOptions, type ScriptedEvent } from './testing/scripted-event.js';
export type { ScriptOptions, ScriptRecord } from './testing/script.js';
export { scriptedFetch, type ScriptedFetch, type ScriptedFetchOptions } from './testing/scripted-fetch.js';
export { createScriptedServer, type ScriptedServer, type ScriptedServerOptions } from './testing/scripted-server.js';
export { errorReply } from './testing/scripted-step.js';
export type {
  BytesReply,
  DescribedReply,
  ErrorReplyOptions,
  EventsReply,
  HtmlReply,
  JsonReply,
  NoReply,
  ScriptedAnswer,
  ScriptedReply,
  ScriptedRequest,
  ScriptedStep,
  StreamElement,
} from './testing/scripted-step.js';
export { writeFixture, writeFixtureParts } from './testing/write-fixture.js';
