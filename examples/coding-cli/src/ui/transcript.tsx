import { Box, Static } from 'ink';
import { type ReactNode, useEffect } from 'react';
import { RowsView } from './rows-view.js';
import type { Row } from './rows.js';

export interface TranscriptProps {
  /** All that is finished; ink prints what it has not printed yet. */
  readonly blocks: readonly (readonly Row[] | undefined)[];
  readonly onPrinted: (count: number) => void;
}

/** What is finished: printed once, above all else. */
export function Transcript({ blocks, onPrinted }: TranscriptProps): ReactNode {
  const { length } = blocks;
  useEffect(() => onPrinted(length), [length, onPrinted]);
  return <Static items={[...blocks]}>{(rows, index) => <Block key={index} rows={rows ?? []} />}</Static>;
}

function Block({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  return (
    <Box flexDirection="column">
      <RowsView rows={rows} />
    </Box>
  );
}
