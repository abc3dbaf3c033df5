import { listDirTool } from './list-dir.js';
import { note } from './note.js';
import { readFileTool } from './read-file.js';
import { shellCommandTool, type ShellOptions } from './shell-command.js';
import { type RunSubAgent, subAgentTool } from './sub-agent.js';
import { testApproval } from './test-approval.js';
import { timeNow } from './time-now.js';
import type { ToolDef } from './tool-def.js';
import { updatePlan } from './update-plan.js';
import type { WorkspaceFiles } from './workspace-files.js';
import { writeFileTool } from './write-file.js';

export interface DefsOptions {
  readonly files: WorkspaceFiles;
  readonly shell: ShellOptions;
  readonly runSubAgent: RunSubAgent;
}

/** Every tool of the app, by its id. */
export function createToolDefs({ files, shell, runSubAgent }: DefsOptions): Readonly<Record<string, ToolDef>> {
  return {
    timeNow,
    note,
    readFile: readFileTool(files),
    listDir: listDirTool(files),
    writeFile: writeFileTool(files),
    shellCommand: shellCommandTool(files, shell),
    updatePlan,
    subAgent: subAgentTool(runSubAgent),
    testApproval,
  };
}
