export function homeText(pages: string, about: { readonly name: string; readonly description: string }): string;
