/** `responses-loop/testing`: what this package tests itself with, for your tests too. Node only. */
export { fixtureSteps } from './testing/replay/round-reply.js';
export { FixtureError } from './testing/fixture/fixture.js';
export type { Fixture, FixtureMeta, FixtureRound, FixtureRoundMeta, RecordedChunk } from './testing/fixture/fixture.js';
export { createGate, type Gate } from './testing/script/gate.js';
export { mswHandlers, type MswHandlersOptions, type MswHttp } from './testing/replay/msw-handlers.js';
export type {
  CallOutput,
  Deltas,
  OtherOutput,
  OutputDescription,
  ReasoningOutput,
  RefusalOutput,
  TextOutput,
} from './testing/response/description.js';
export { plainParts } from './testing/fixture/plain-parts.js';
export {
  type AssertSameOptions,
  type EventsReplay,
  replayEvents,
  type ReplayEventsOptions,
  type ReplayedCall,
  type ReplayedSide,
} from './runs/replay-events.js';
export type { ReplayProvider, ReplaySettings, ReplayTool } from './runs/replay-run.js';
export type { RunDifference } from './runs/compare-runs.js';
export { listFixtures, readFixture } from './testing/fixture/read-fixture.js';
export { everyByte, randomCuts, randomPlaces, splitAt, whole } from './testing/response/rechunk.js';
export type { RandomCutOptions, Rechunk } from './testing/response/rechunk.js';
export { recordFetch, type RecordFetchOptions, type RecordingFetch } from './testing/record/record-fetch.js';
export type { RecordingOptions } from './testing/record/recording.js';
export { toCr, toCrlf, withBom, withComments, withDone, withoutEventLines } from './testing/response/reframe.js';
export { replayFetch, type ReplayFetch, type ReplayFetchOptions } from './testing/replay/replay-fetch.js';
export { createReplayServer, type ReplayServer } from './testing/replay/replay-server.js';
export type { ReplayOptions } from './testing/replay/replay.js';
export type { DeliveryOptions } from './testing/replay/round-reply.js';
export type { ResponseDescription } from './testing/response/description.js';
export { errorEvent, responseBody, responseEvents } from './testing/response/response-events.js';
export {
  encodeEvent,
  encodeEvents,
  type EncodeOptions,
  type ScriptedEvent,
} from './testing/response/scripted-event.js';
export type { ScriptOptions, ScriptRecord } from './testing/script/script.js';
export { scriptedFetch, type ScriptedFetch, type ScriptedFetchOptions } from './testing/script/scripted-fetch.js';
export {
  createScriptedServer,
  type ScriptedServer,
  type ScriptedServerOptions,
} from './testing/script/scripted-server.js';
export { errorReply } from './testing/script/scripted-step.js';
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
} from './testing/script/scripted-step.js';
export { writeFixture, writeFixtureParts } from './testing/fixture/write-fixture.js';
