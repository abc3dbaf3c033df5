export function apiText(): string;
