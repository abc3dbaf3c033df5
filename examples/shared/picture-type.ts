/** Pictures that a browser draws without running anything. */
const MARKS: readonly (readonly [mediaType: PictureType, isOf: (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', (bytes) => begins(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => begins(bytes, letters('GIF87a')) || begins(bytes, letters('GIF89a'))],
  ['image/webp', (bytes) => begins(bytes, letters('RIFF')) && begins(bytes.subarray(8), letters('WEBP'))],
];

export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The type by the first bytes; a name or a header may lie. `undefined`: no picture that is shown. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  return MARKS.find(([, isOf]) => isOf(bytes))?.[0];
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return bytes.length >= mark.length && mark.every((byte, at) => bytes[at] === byte);
}

function letters(text: string): readonly number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}
