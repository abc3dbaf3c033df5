/** `responses-loop/node`: what needs Node: its file system, and a server for sign-ins. */
export { type EventRecorder, recordEvents, type RecordEventsOptions } from './node/record-events.js';
export { type FileOAuthOptions, type FileOAuthProvider, fileOAuthProvider } from './node/file-oauth-provider.js';
export { untilSignedIn, type UntilSignedInOptions } from './node/until-signed-in.js';
