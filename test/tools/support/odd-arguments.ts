import fc from 'fast-check';

/** Pieces that have fooled views: headers of differences, escapes, signs that are not seen, blanks, halves of pairs. */
const PIECE = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    ...[
      '+++ ',
      '--- ',
      '++ x',
      '-- y',
      '@@ -1 +1 @@',
      '\n',
      '\r\n',
      '\r',
      '\t',
      '   ',
      '⟨U+3164⟩',
      '\\u{202e}',
      '"',
      '\\',
    ],
    ...[
      '\u202e',
      '\u3164',
      '\u115f',
      '\u2800',
      '\u034f',
      '\ufe0f',
      '\u{e0101}',
      '\u{e0041}',
      '\u00a0',
      '\u3000',
      '\u0301',
    ],
    ...[
      '\ud83d',
      '\ude00',
      '\u001b[2J',
      '\u0000',
      '\u007f',
      '\u0085',
      '\ue000',
      '\u2028',
      '…',
      '```',
      '</pre>',
      '&lt;',
    ],
  ),
  fc.nat(200).map((count) => ' '.repeat(count)),
  fc.nat(20).map((count) => '\n'.repeat(count)),
);

export const oddText = fc.array(PIECE, { maxLength: 8 }).map((pieces) => pieces.join(''));

const KEY = fc.oneof(
  oddText,
  fc.constantFrom('command', 'cmd', 'path', 'content', 'actionName', 'items', '__proto__', ''),
);

/** Arguments as a model can write them: any JSON object. */
export const oddArguments: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.letrec<{
  value: unknown;
  object: object;
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    oddText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null, 0),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  // As `JSON.parse` makes it: `__proto__` is a key as any other.
  object: fc
    .array(fc.tuple(KEY, tie('value')), { maxLength: 5 })
    .map(
      (members) =>
        JSON.parse(
          `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
        ) as object,
    ),
})).object as fc.Arbitrary<Readonly<Record<string, unknown>>>;
