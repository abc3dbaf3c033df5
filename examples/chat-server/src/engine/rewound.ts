/** Kept among the chunks of a turn: those behind a number are replaced by what follows. */
export interface Rewound {
  readonly type: 'rewound';
  readonly after: number;
}

export function rewound(after: number): Rewound {
  return { type: 'rewound', after };
}

export function afterOf(event: unknown): number | undefined {
  const { type, after } = event as Partial<Rewound>;
  return type === 'rewound' ? after : undefined;
}
