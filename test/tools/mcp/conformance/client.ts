/**
 * A client for the official MCP conformance runner: our client side, driven as the loop drives it.
 *
 * `node .ci/conformance.mjs` runs all scenarios that a client of ours can meet and prints a table (`--all`: every client
 * scenario; names of scenarios: these). The runner wants Node 22, so it is no part of `npm test`. By hand, under Node 22:
 *
 *     conformance client --command "node --import tsx test/tools/mcp/conformance/client.ts" --scenario tools_call
 *
 * The runner appends the URL of its server and names the scenario in `MCP_CONFORMANCE_SCENARIO`.
 */
import { createToolRegistry, type ToolRegistryOptions } from '../../../../src/tools/create-tool-registry.js';
import { callTool, offerOf, textOf } from '../../support/call.js';

/** What the scenarios want to see in a call; a tool that is not named here is called without arguments. */
const ARGUMENTS: Readonly<Record<string, object>> = { add_numbers: { a: 5, b: 3 } };

const url = process.argv.at(-1);
if (url === undefined || !URL.canParse(url)) throw new Error('The URL of the server comes last.');

/** Agrees to everything and says nothing: what is left out are the defaults to be applied (SEP-1034). */
const elicitation = { onElicitation: () => ({ action: 'accept' as const, content: {} }) };
// Through a variable: options that an older registry does not know are ignored.
const options: ToolRegistryOptions = { mcpServers: { server: { url } }, ...elicitation };
const registry = createToolRegistry(options);
try {
  const offer = await offerOf(registry);
  const { warnings } = offer;
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  for (const [name, tool] of offer.byWireName) {
    const output = await callTool(tool, ARGUMENTS[name] ?? {});
    process.stdout.write(`${name}: ${textOf(output)}\n`);
    if (output.isError) process.exitCode = 1;
  }
} finally {
  await registry.close();
}
