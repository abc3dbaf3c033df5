import { asId, asRecord, asString } from '../../util/guards.js';
import { text } from '../fields.js';
import type { HostedKind } from '../kind.js';
import { COMPLETED, oneOf, pick } from '../members.js';

export const imageGeneration = {
  type: 'image_generation_call',
  tool: 'image_generation',
  arguments: {
    'openai.image_generation': {
      members: {
        action: oneOf('generate', 'edit', 'auto'),
        background: oneOf('auto', 'opaque', 'transparent'),
        inputFidelity: oneOf('low', 'high'),
        inputImageMask: { members: { fileId: 'string', imageUrl: 'string' } },
        model: 'string',
        moderation: oneOf('auto', 'low'),
        outputCompression: { between: [0, 100] },
        outputFormat: oneOf('png', 'jpeg', 'webp'),
        partialImages: { between: [0, 3] },
        quality: oneOf('auto', 'low', 'medium', 'high', 'xhigh', 'max'),
        size: 'string',
      },
    },
    'xai.image_generation': { members: { action: oneOf('auto', 'generate', 'edit') } },
  },
  input: () => ({}),
  // Without the image, which is a file part: a prompt that has it twice costs twice.
  result: (item) =>
    pick(item, ['status', 'revised_prompt', 'prompt', 'size', 'quality', 'background', 'output_format']),
  file: ({ result, output_format: format }) => {
    const base64 = asId(result);
    return base64 === undefined ? undefined : { mediaType: `image/${asString(format) ?? 'png'}`, base64 };
  },
  preview: {
    event: 'response.image_generation_call.partial_image',
    soFar: ({ partial_image_b64: image }) => {
      const result = asId(image);
      return result === undefined ? undefined : { result };
    },
    final: ({ result }) => (asId(result) === undefined ? undefined : { result: asString(result) ?? '' }),
    isAskedFor: ({ partialImages }) => typeof partialImages === 'number' && partialImages > 0,
  },
  fromPart: ({ input }) => {
    const result = asId(asRecord(input)?.['result']);
    return result === undefined ? undefined : { ...COMPLETED, result };
  },
  may: { result: text },
} as const satisfies HostedKind;
