import { z } from 'zod';

/** What a message brings along, as the session keeps it. An image lies in a file of the session that is named by its hash. */
export const ATTACHMENT = z.discriminatedUnion('type', [
  z.object({ type: z.literal('image'), name: z.string(), hash: z.string(), media_type: z.string() }),
  z.object({ type: z.literal('resource'), server: z.string(), uri: z.string(), text: z.string() }),
]);

export type Attachment = z.infer<typeof ATTACHMENT>;
export type ResourceAttachment = Extract<Attachment, { type: 'resource' }>;
export type ImageAttachment = Extract<Attachment, { type: 'image' }>;
