import type { Skill } from './skill-selector.js';

export interface PromptParts {
  /** The template's. */
  readonly template: string;
  readonly now: Date;
  readonly workspace: string;
  /** Names, as the model calls them. */
  readonly tools: readonly string[];
  readonly skills: readonly Skill[];
  /** The person's own, for this chat. */
  readonly instructions: string;
}

/** Template, preface, then the chat's own instructions: what a person wrote has the last word. */
export function buildSystemPrompt(parts: PromptParts): string {
  return [parts.template, preface(parts), parts.instructions.trim()].filter((text) => text !== '').join('\n\n');
}

function preface({ now, workspace, tools, skills }: PromptParts): string {
  // To the hour: a prompt that is the same as before is cached by servers.
  const hour = `${now.toISOString().slice(0, 13)}:00 UTC`;
  const lines = [`It is about ${hour}.`, `The workspace is ${workspace}.`];
  lines.push(tools.length === 0 ? 'There are no tools.' : `Tools: ${tools.join(', ')}.`);
  if (skills.length > 0) {
    lines.push('Skills, which the person calls by /skill/NAME:');
    lines.push(
      ...skills.map(({ name, description }) => (description === '' ? `- ${name}` : `- ${name}: ${description}`)),
    );
  }
  return lines.join('\n');
}

/** What a `data-skill` part becomes in its message. */
export function skillText(name: string, instructions: string): string {
  return `The person asks you to follow the skill "${name}":\n\n${instructions.trim()}`;
}
