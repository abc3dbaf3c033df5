import { Box } from 'ink';
import { type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react';
import type { Controller } from './controller.js';
import { frameRows } from './frame-rows.js';
import { ColorContext, RowsView } from './rows-view.js';
import { Transcript } from './transcript.js';

export interface AppProps {
  readonly controller: Controller;
  readonly hasColor: boolean;
  readonly height: () => number;
}

/** The transcript above, below it what is still changing, the dialog or the input, and the status. */
export function App({ controller, hasColor, height }: AppProps): ReactNode {
  useSyncExternalStore(controller.subscribe, controller.version);
  return (
    <ColorContext value={hasColor}>
      <Transcript blocks={controller.blocks} onPrinted={controller.printed} />
      {controller.isLeaving ? undefined : <Frame controller={controller} height={height()} />}
    </ColorContext>
  );
}

function Frame({ controller, height }: { readonly controller: Controller; readonly height: number }): ReactNode {
  const { asked } = controller;
  // Behind the output: ink writes what is printed above in the same step.
  useLayoutEffect(() => controller.drawn(asked), [controller, asked]);
  const { live, bottom, status } = frameRows(controller, { height, now: Date.now() });
  return (
    <Box flexDirection="column">
      <RowsView rows={live} />
      <RowsView rows={bottom} />
      <RowsView rows={[status]} />
    </Box>
  );
}
