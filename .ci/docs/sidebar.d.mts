export function sidebarOf(index: string): { text: string; items: { text: string; link: string }[] }[];
