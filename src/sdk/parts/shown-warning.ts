import type { CallWarning } from '../../core/warning.js';
import { showControls } from '../../util/control-characters.js';
import { defined } from '../../util/defined.js';

/** A warning that can be printed: what servers and clients wrote in it holds no control characters. */
export function shownWarning(warning: CallWarning): CallWarning {
  if (typeof warning === 'string') return showControls(warning);
  const { feature, details, tool } = warning;
  return {
    feature: showControls(feature),
    details: showControls(details),
    ...defined({ tool: tool && { ...tool, id: showControls(tool.id), name: showControls(tool.name) } }),
  };
}
