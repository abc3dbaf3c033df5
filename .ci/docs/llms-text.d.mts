export function llmsText(
  pages: string,
  site: { readonly title: string; readonly description: string; readonly homepage: string },
): string;
