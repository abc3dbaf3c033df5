import { saveFile } from './save-file.js';

/** Sharp on a dense screen and on paper. */
const SCALE = 2;
const MAX_PIXELS = 8000;
const MAX_NAME = 60;

/** The drawing as it is. */
export function saveAsSvg(svg: Blob, title: string): void {
  saveFile(svg, `${nameOf(title)}.svg`);
}

/** The drawing as an image shows it. @throws Error for a person. */
export async function saveAsPng(image: HTMLImageElement, title: string): Promise<void> {
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const scale = Math.min(SCALE, MAX_PIXELS / Math.max(width, height, 1));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (png === null) throw new Error('The chart could not be saved as PNG. Save it as SVG.');
  saveFile(png, `${nameOf(title)}.png`);
}

function nameOf(title: string): string {
  const words = title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_NAME);
  return words.replace(/^-/, '').replace(/-$/, '') || 'chart';
}
