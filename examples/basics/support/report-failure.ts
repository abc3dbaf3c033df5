import { AssertionError } from 'node:assert';

import { NoObjectGeneratedError } from 'ai';

/** An answer that is not as it should be is no fault of the program: one line says so, and no stack. */
export function reportFailuresOf(title: string): void {
  process.once('uncaughtException', (error) => {
    const isAnswer = error instanceof AssertionError || NoObjectGeneratedError.isInstance(error);
    // Behind what the example says, Node may put a comparison of many lines.
    const [said = ''] = error.message.split('\n+ actual', 1);
    const line = `${title}: ${said.replaceAll(/\s+/g, ' ')} A small model may fail these checks.`;
    console.error(isAnswer ? line : error);
    process.exitCode = 1;
  });
}
