/** Returns the name, or a longer one if another tool of the call has it. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`responses_loop__${name}`, taken) : name;
}
