/** Examples at the end of a command's `--help`. */
export function helpExamples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** Printed below the error of a wrong option. */
export function helpHint(program: string): string {
  return `Run \`${program} --help\` for usage.`;
}
