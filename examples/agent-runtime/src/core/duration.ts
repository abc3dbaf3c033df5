const MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a text such as `30d`, `12h`, `45m` or `2w`; `undefined`, if it is none. */
export function durationOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const ms = MS[unit];
  return ms === undefined ? undefined : Number(count) * ms;
}
