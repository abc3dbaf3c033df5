/** `responses-loop/node`: what needs Node's file system. */
export { type EventRecorder, recordEvents } from './node/record-events.js';
