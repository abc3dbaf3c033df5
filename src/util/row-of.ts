/** The row of a table under a name that somebody else chose; what every object inherits (`constructor`) is none. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
