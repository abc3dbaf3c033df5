import { fileURLToPath, pathToFileURL } from 'node:url';
import { startMcpServer } from './mcp-server.mjs';
import { runQuickstart } from './quickstart.mjs';
import { startResponsesServer } from './responses-server.mjs';
import { wireChecks } from './wire-checks.mjs';

const stdioServer = fileURLToPath(new URL('mcp-server.mjs', import.meta.url));

/** One runtime, one consumer, servers of their own. Resolves with what was checked, on both sides of the wire. */
export async function runPair(opened, { canStartProcesses = false, mayCompile = false }, consumer) {
  const testing = await import(pathToFileURL(`${consumer.folder}/node_modules/responses-loop/dist/testing.js`).href);
  const responses = await startResponsesServer(testing);
  const mcp = await startMcpServer();
  try {
    const reports = await opened.run(consumer, {
      baseURL: responses.baseURL,
      mcpURL: mcp.url,
      process: { command: process.execPath, args: [stdioServer, '--stdio'] },
      canStartProcesses,
      mayCompile,
    });
    const judged = await judge({ requests: responses.requests, sessions: mcp.sessions });
    const quickstart = opened.node === undefined ? [] : await runQuickstart(opened.node, testing, consumer);
    return [...reports, ...judged, ...quickstart];
  } finally {
    await responses.close();
    await mcp.close();
  }
}

async function judge(seen) {
  const results = [];
  for (const [name, check] of Object.entries(wireChecks)) {
    try {
      await check(seen);
      results.push({ name, ok: true });
    } catch (error) {
      results.push({ name, ok: false, error: error.stack });
    }
  }
  return results;
}
