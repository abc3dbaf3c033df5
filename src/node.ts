/** `responses-loop/node`: what needs Node's file system. */
export { type EventRecorder, recordEvents, type RecordEventsOptions } from './node/record-events.js';
export { type FileOAuthOptions, type FileOAuthProvider, fileOAuthProvider } from './node/file-oauth-provider.js';
