export function registryPage(
  readme: string,
  pkg: { readonly repository: { readonly url: string }; readonly version: string },
): string;
export function linksOf(markdown: string): string[];
