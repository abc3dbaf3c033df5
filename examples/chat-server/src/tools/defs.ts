import type { PictureStore } from '../pictures/picture-store.js';
import { browserActTool } from './browser-act.js';
import { browserExtractTool } from './browser-extract.js';
import { browserOpenTool } from './browser-open.js';
import { browserSnapshotTool } from './browser-snapshot.js';
import type { BrowserTools } from './browser-step.js';
import { browserWaitTool } from './browser-wait.js';
import { chartRenderTool } from './chart-render.js';
import type { ChatTerminals } from './chat-terminals.js';
import { execCommandTool } from './exec-command.js';
import { imageGenerateTool } from './image-generate.js';
import { jsonRender } from './json-render.js';
import { listDirTool } from './list-dir.js';
import { note } from './note.js';
import type { WebFetch } from 'responses-loop-example-shared/web-fetch.js';
import { openUrlTool } from './open-url.js';
import { readFileTool } from './read-file.js';
import { shellCommandTool, type ShellOptions } from './shell-command.js';
import { type RunSubAgent, subAgentTool } from './sub-agent.js';
import { testApproval } from './test-approval.js';
import { timeNow } from './time-now.js';
import type { ToolDef } from './tool-def.js';
import { updatePlan } from './update-plan.js';
import { viewImageTool } from './view-image.js';
import type { WorkspaceFiles } from './workspace-files.js';
import { writeFileTool } from './write-file.js';
import { writeJsxTool } from './write-jsx.js';
import { writeStdinTool } from './write-stdin.js';

export interface DefsOptions {
  readonly files: WorkspaceFiles;
  readonly shell: ShellOptions;
  readonly terminals: ChatTerminals;
  readonly pictures: PictureStore;
  readonly webFetch: WebFetch;
  readonly browser: BrowserTools;
  readonly runSubAgent: RunSubAgent;
}

/** Every tool of the app, by its id. */
export function createToolDefs({
  files,
  shell,
  terminals,
  pictures,
  webFetch,
  browser,
  runSubAgent,
}: DefsOptions): Readonly<Record<string, ToolDef>> {
  return {
    timeNow,
    note,
    readFile: readFileTool(files),
    listDir: listDirTool(files),
    writeFile: writeFileTool(files),
    viewImage: viewImageTool(files, pictures),
    imageGenerate: imageGenerateTool(files, pictures),
    chartRender: chartRenderTool(files, pictures),
    shellCommand: shellCommandTool(files, shell),
    execCommand: execCommandTool(files, shell, terminals),
    writeStdin: writeStdinTool(files, terminals),
    openUrl: openUrlTool(webFetch),
    browserOpen: browserOpenTool(browser),
    browserSnapshot: browserSnapshotTool(browser),
    browserAct: browserActTool(browser),
    browserExtract: browserExtractTool(browser),
    browserWait: browserWaitTool(browser),
    jsonRender,
    writeJsx: writeJsxTool(files),
    updatePlan,
    subAgent: subAgentTool(runSubAgent),
    testApproval,
  };
}
