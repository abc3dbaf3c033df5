/** What happened, in one order for everybody: requests, tools, events, aborts. */
export interface LogEntry {
  readonly at: number;
  readonly lane: number;
  readonly what:
    | 'asked' // the provider is about to send a request
    | 'received' // the server has one
    | 'tool' // a tool was entered
    | 'tool-start' // the provider says so
    | 'aborted'
    | 'cancelled'
    | 'ended';
  readonly detail: string;
}

export class Log {
  readonly entries: LogEntry[] = [];

  note(lane: number, what: LogEntry['what'], detail = ''): void {
    this.entries.push({ at: this.entries.length, lane, what, detail });
  }

  of(lane: number, what: LogEntry['what']): LogEntry[] {
    return this.entries.filter((entry) => entry.lane === lane && entry.what === what);
  }
}

/** Prompts and markers carry the number of their lane. */
export function promptOf(lane: number): string {
  return `lane ${lane}: go on`;
}

export function laneOfText(text: string): number {
  return Number(/lane (\d+): go on/.exec(text)?.[1] ?? -1);
}

export function laneOfMarker(marker: string): number {
  return Number(/^M(\d+)\./.exec(marker)?.[1] ?? -1);
}
