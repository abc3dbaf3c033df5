/**
 * A client for the official MCP conformance runner: our client side, driven as the loop drives it, and as an app signs in.
 *
 * `npm run conformance` runs all scenarios and prints a table. The runner wants Node 22, so it is no part of `npm test`. By
 * hand, under Node 22:
 *
 *     conformance client --command "node --import tsx test/tools/mcp/conformance/client.ts" --scenario tools_call
 *
 * The runner appends the URL of its server, names the scenario in `MCP_CONFORMANCE_SCENARIO`, and what the scenario gives its
 * client in `MCP_CONFORMANCE_CONTEXT`.
 */
import { createToolRegistry, type ToolRegistryOptions } from '../../../../src/tools/create-tool-registry.js';
import type { LoopTool, ToolRegistry } from '../../../../src/tools/loop-tool.js';
import { asArray, asRecord, asString } from '../../../../src/util/guards.js';
import { callTool, toolsetOf, textOf } from '../../support/call.js';
import { appProvider, followRedirect } from './sign-in.js';

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

/** So often an app lets a person sign in before it gives up. */
const MOST_SIGN_INS = 3;
/** What the scenarios want to see in a call; a tool that is not named here is called without arguments. */
const ARGUMENTS: Readonly<Record<string, object>> = { add_numbers: { a: 5, b: 3 } };
/** Here a second call of the same tools shows what the scenario is about. */
const TWICE = ['auth/scope-step-up', 'auth/authorization-server-migration'];

const url = process.argv.at(-1);
if (url === undefined || !URL.canParse(url)) throw new Error('The URL of the server comes last.');
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = asRecord(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')) ?? {};

const authProvider = scenario.startsWith('auth/') ? appProvider(scenario, context) : undefined;
/** Agrees to everything and says nothing: what is left out are the defaults to be applied (SEP-1034). */
const elicitation = { onElicitation: () => ({ action: 'accept' as const, content: {} }) };
const server = { url, ...(authProvider === undefined ? {} : { authProvider }) };
const options: ToolRegistryOptions = { mcpServers: { server }, ...elicitation };
const registry = createToolRegistry(options);
try {
  for (let run = TWICE.includes(scenario) ? 2 : 1; run > 0; run -= 1) await useTools(registry);
} finally {
  await registry.close();
}

async function useTools(tools: ToolRegistry): Promise<void> {
  for (let signIns = 0; ; signIns += 1) {
    const problems = await tryTools(tools);
    if (problems.length === 0) return;
    const answer = authProvider === undefined ? undefined : await followRedirect(authProvider);
    if (answer === undefined || signIns === MOST_SIGN_INS) throw new Error(problems.join('\n'));
    await tools.finishSignIn('server', answer);
  }
}

/** What went wrong. */
async function tryTools(tools: ToolRegistry): Promise<readonly string[]> {
  const toolset = await toolsetOf(tools);
  const problems = toolset.warnings.filter((warning) => warning.includes('is not available'));
  for (const warning of toolset.warnings) process.stdout.write(`warning: ${warning}\n`);
  if (problems.length > 0) return problems;
  const calls = await callsFor(tools, [...toolset.byWireName.keys()]);
  const run = async ({ name, arguments: args }: ToolCall): Promise<string[]> => {
    const tool = toolset.byWireName.get(name) as LoopTool;
    const output = await callTool(tool, args);
    process.stdout.write(`${name}: ${textOf(output)}\n`);
    return output.isError ? [textOf(output)] : [];
  };
  // Side by side, as the loop runs what may be.
  return (await Promise.all(calls.map(run))).flat();
}

async function callsFor(tools: ToolRegistry, names: readonly string[]): Promise<readonly ToolCall[]> {
  const wanted = asArray(context['toolCalls']) as ToolCall[];
  if (wanted.length > 0) return wanted.filter(({ name }) => names.includes(name));
  return Promise.all(names.map(async (name) => ({ name, arguments: await argumentsFor(tools, name) })));
}

/** One scenario wants to have a schema back as it published it, which is what the live client has. */
async function argumentsFor(tools: ToolRegistry, name: string): Promise<object> {
  if (scenario !== 'json-schema-2020-12-preservation') return ARGUMENTS[name] ?? {};
  const listed = (await (await (await tools.source('server')).client()).listTools()).tools;
  const other = listed.find((tool) => tool.name !== name && asString(tool.description)?.startsWith('Tool with'));
  return other === undefined ? {} : { schema: other.inputSchema };
}
