import type { CallPart } from '../../core/part.js';

export type PartOf<T extends CallPart['type']> = Extract<CallPart, { type: T }>;

/** The parts that no two versions of the AI SDK spell alike, or that one of them lacks. */
export type OwnType = 'file' | 'tool-result' | 'hosted-result' | 'approval-request' | 'shown-item' | 'finish';
