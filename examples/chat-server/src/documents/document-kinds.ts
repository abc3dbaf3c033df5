/** Documents that are read, by the ending of their names. */
export const DOCUMENT_KINDS = {
  docx: {
    label: 'Word document',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  xlsx: {
    label: 'Excel workbook',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
} as const;

export type DocumentKind = keyof typeof DOCUMENT_KINDS;

/** By the name of a file. */
export function documentKindOf(name: string): DocumentKind | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(DOCUMENT_KINDS, ending) ? (ending as DocumentKind) : undefined;
}
