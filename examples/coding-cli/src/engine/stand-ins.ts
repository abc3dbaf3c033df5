// Replaced by src/tools, src/files and src/approval as soon as they are there.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Rule, ToolCallToJudge, Verdict } from '../approval/types.js';
import type { Checkpoints } from '../files/checkpoints.js';
import type { ToolDeps, ToolRegistry } from '../tools/registry.js';

export function createCheckpoints(dir: string): Checkpoints {
  return {
    keep: async (content) => {
      const hash = createHash('sha256').update(content).digest('hex');
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, hash), content);
      return hash;
    },
    undo: async (changes) => {
      for (const { path, before } of changes) {
        if (before === null) rmSync(path, { force: true });
        else writeFileSync(path, readFileSync(join(dir, before)));
      }
      return { restored: changes.map(({ path }) => path), skipped: [] };
    },
  };
}

export function createToolRegistry({ cwd, extra, onReport }: ToolDeps): ToolRegistry {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  return {
    tools: ['bash', 'read', 'write'].map((name) => ({ name })) as unknown as ToolRegistry['tools'],
    get: () => undefined,
    title: (name, input) => `${name} ${JSON.stringify(input)}`,
    preview: async () => undefined,
    toProviderTools: () => ({
      bash: {
        title: 'bash',
        description: 'Runs a command.',
        inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
        readOnly: false,
        timeoutMs: 600_000,
        execute: ({ command }, { toolCallId, abortSignal }) =>
          new Promise((done) => {
            const child = spawn('bash', ['-c', String(command)], {
              cwd,
              detached: true,
              stdio: ['ignore', 'pipe', 'pipe'],
            });
            let all = '';
            const onData = (chunk: Buffer): void => {
              all = (all + chunk.toString()).slice(-30_000);
              onReport(toolCallId, { type: 'output', output: chunk.toString() });
            };
            child.stdout.on('data', onData);
            child.stderr.on('data', onData);
            const kill = (signal: NodeJS.Signals): void => {
              try {
                process.kill(-(child.pid ?? 0), signal);
              } catch {
                // It is gone.
              }
            };
            abortSignal.addEventListener('abort', () => {
              kill('SIGTERM');
              setTimeout(() => kill('SIGKILL'), 2_000).unref();
            });
            child.once('close', (code) => {
              onReport(toolCallId, { type: 'exit', exitCode: code ?? undefined, truncated: false });
              done(`exit code ${code}\n${all}`);
            });
          }),
      },
      read: {
        title: 'read',
        description: 'Reads a file.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        readOnly: true,
        execute: async ({ path }) => readFileSync(resolve(cwd, String(path)), 'utf8'),
      },
      write: {
        title: 'write',
        description: 'Writes a file.',
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' }, content: { type: 'string' } },
          required: ['path', 'content'],
        },
        readOnly: false,
        execute: async ({ path, content }, { toolCallId }) => {
          const file = resolve(cwd, String(path));
          let before: string | null = null;
          try {
            before = await extra.checkpoints.keep(readFileSync(file));
          } catch {
            // It is new.
          }
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, String(content));
          onReport(toolCallId, {
            type: 'file_change',
            change: { path: file, before, after: hash(String(content)) },
          });
          return 'written';
        },
      },
    }),
  };
}

export function decide(
  { source, isReadOnly, arguments: args }: ToolCallToJudge,
  { approval }: { approval: string },
): Verdict {
  if (isReadOnly) return { outcome: 'run', class: 'safe', reason: 'it only reads' };
  const command = String(args['command'] ?? '');
  if (/^(echo|ls|cat)\b/.test(command))
    return { outcome: 'run', class: 'safe', reason: 'on the list of commands that only read' };
  const outcome = approval === 'never' ? (source === 'local' && args['content'] !== undefined ? 'run' : 'deny') : 'ask';
  return { outcome, class: 'ask', reason: 'not on the list of commands that only read' };
}

export function printRule(rule: Rule): string {
  return JSON.stringify(rule);
}
