/** A member by name, or in quotes if the name is no word; an entry of a list, or all of them. */
const NAME = String.raw`[A-Za-z_$][\w$]*`;
const QUOTED = String.raw`\["(?!${NAME}"\])(?:[^"\\]|\\.)*"\]`;
const PLACE = new RegExp(String.raw`^(?!\$[.[])(?:${NAME}|${QUOTED})(?:\.${NAME}|${QUOTED}|\[(?:\d+|\*)\])*$`);

/** The spelling of users who know other notations. */
const EVERYWHERE = /\[\]/g;
const ROOT = /^\$(?=[./[])/;
const TOKEN = /"(?:[^"\\]|\\.)*"|[^./[\]'"]+/g;

/**
 * Returns a check whether a place (`input[2].output`) may differ.
 *
 * @throws TypeError for a spelling that matches no place, because it would ignore nothing
 */
export function ignoredPlaces(ignore: readonly string[]): (place: string) => boolean {
  if (!isListOfTexts(ignore)) throw new TypeError("`ignore` must be a list of places, such as ['temperature'].");
  for (const place of ignore) if (!PLACE.test(place)) throw new TypeError(complaint(place));
  const patterns = ignore.map(
    (place) => new RegExp(`^${escaped(place).replaceAll(String.raw`\[\*\]`, String.raw`\[\d+\]`)}$`),
  );
  return (place) => patterns.some((pattern) => pattern.test(place));
}

function complaint(place: string): string {
  const meant = rewritten(place);
  const right = PLACE.test(meant)
    ? `write ${JSON.stringify(meant)}`
    : 'write "temperature", "input[0].content" or "input[*].output"';
  return `\`ignore\`: no member of a request is called ${JSON.stringify(place)}; ${right}.`;
}

function rewritten(place: string): string {
  const tokens = place.replace(ROOT, '').replaceAll(EVERYWHERE, '[*]').match(TOKEN) ?? [];
  return tokens.map(stepOf).join('').replace(/^\./, '');
}

function stepOf(token: string): string {
  const name = token.startsWith('"') ? token.slice(1, -1) : token;
  if (/^(?:\d+|\*)$/.test(name)) return `[${name}]`;
  return new RegExp(`^${NAME}$`).test(name) ? `.${name}` : `["${name}"]`;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}
