import { z } from 'zod';
import { RUN } from '../approval/verdict.js';
import { runChart } from '../charts/run-chart.js';
import { getSessionId } from '../context/request-context.js';
import type { PictureStore } from '../pictures/picture-store.js';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef } from './tool-def.js';
import type { WriteTarget } from './file-change.js';
import { replaceFile } from './replace-file.js';
import type { WorkspaceFiles } from './workspace-files.js';
import { judgeWrite, writeTarget } from './write-target.js';

const MAX_SPEC_CHARS = 500_000;

/** Draws here, not in the page: a specification that never ends stops no tab, and the page stays small. */
export function chartRenderTool(files: WorkspaceFiles, pictures: PictureStore): ToolDef {
  return defineTool({
    id: 'chartRender',
    description:
      'Draws a chart of a Vega-Lite specification (v6) and shows it to the person. ' +
      'Data is in data.values: nothing is loaded. With path the SVG is also written into the workspace.',
    inputSchema: z.object({
      actionName,
      spec: z.record(z.string(), z.unknown()).describe('A Vega-Lite specification, with its data in data.values.'),
      alt: z.string().min(1).max(500).describe('What the chart shows, for a person who does not see it.'),
      path: z.string().min(1).max(4096).optional().describe('A file of the workspace for the SVG, ending with .svg.'),
    }),
    target: ({ path }) => (path === undefined ? undefined : target(path, files)),
    judge: ({ path }) =>
      path === undefined ? RUN : judgeWrite(path, () => target(path, files), { tool: 'chartRender' }),
    execute: async ({ spec, alt, path }, { signal, shown }) => {
      if (JSON.stringify(spec).length > MAX_SPEC_CHARS) {
        throw new Error(`The specification has more than ${MAX_SPEC_CHARS} characters: sum the data up first.`);
      }
      const svg = await runChart({ background: 'white', ...spec }, signal);
      const picture = await pictures.saveDrawing(getSessionId(), svg, alt);
      if (path === undefined) return { ok: true, picture };
      await replaceFile(target(path, files), svg, files, shown);
      return { ok: true, path, picture };
    },
  });
}

function target(path: string, files: WorkspaceFiles): WriteTarget {
  if (!/\.svg$/i.test(path)) throw new Error(`${path} does not end with .svg.`);
  return writeTarget(path, files);
}
