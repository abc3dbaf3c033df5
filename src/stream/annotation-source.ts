import type { Source } from '../core/part.js';
import { defined } from '../util/defined.js';
import { asNumber, asString } from '../util/guards.js';

/** Returns the source of an annotation: pages by URL; files and files of a container by name. */
export function sourceOfAnnotation(annotation: Readonly<Record<string, unknown>>): Source | undefined {
  const url = asString(annotation['url']);
  const title = asString(annotation['title']);
  if (url !== undefined) return { kind: 'url', url, ...defined({ title }) };
  const fileId = asString(annotation['file_id']);
  const filename = asString(annotation['filename']);
  const containerId = asString(annotation['container_id']);
  if (fileId === undefined && filename === undefined) return undefined;
  const annotationType = asString(annotation['type']);
  const index = asNumber(annotation['index']);
  return {
    kind: 'document',
    title: filename ?? fileId ?? '',
    ...defined({ filename, fileId, containerId, annotationType, index }),
  };
}
