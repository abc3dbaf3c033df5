/** What a table holds for a model. The longest beginning counts; the maker in front of a name (`openai/gpt-5.1`) does not. */
export function byName<Value>(table: Readonly<Record<string, Value>>, model: string): Value | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const [longest] = Object.keys(table)
    .filter((beginning) => name.startsWith(beginning))
    .toSorted((one, other) => other.length - one.length);
  return longest === undefined ? undefined : table[longest];
}
