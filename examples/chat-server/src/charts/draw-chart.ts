import type { TopLevelSpec } from 'vega-lite';

/** What runs in a process of its own, since a specification may ask for any amount of work. Errors are for the model. */

const MAX_PIXELS = 2000;

/** An SVG that this program drew, without scripts and addresses. */
export async function drawChart(spec: object): Promise<string> {
  const [vega, lite, { expressionInterpreter }] = await Promise.all([
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
  ]);
  const problems: string[] = [];
  const compiled = lite.compile(spec as TopLevelSpec, { logger: quietLogger(problems) });
  const view = new vega.View(vega.parse(compiled.spec, undefined, { ast: true }), {
    renderer: 'none',
    expr: expressionInterpreter,
    loader: closedLoader(problems),
    logger: quietLogger(problems),
  });
  try {
    await view.runAsync();
    const [width, height] = [view.width(), view.height()];
    if (!(width <= MAX_PIXELS && height <= MAX_PIXELS)) {
      throw new Error(`The chart has ${width} by ${height} pixels; ${MAX_PIXELS} are allowed.`);
    }
    const svg = await view.toSVG();
    if (problems.length > 0) throw new Error(problems[0]);
    return svg;
  } finally {
    view.finalize();
  }
}

/** Nothing is loaded from anywhere, whether data or a picture; a link leads nowhere. */
function closedLoader(problems: string[]) {
  const refuse = async (address: unknown): Promise<never> => {
    const problem = `A chart loads nothing: put the data of ${String(address).slice(0, 100)} into data.values.`;
    problems.push(problem);
    throw new Error(problem);
  };
  // The library breaks at a link that is refused.
  const sanitize = async (address: unknown, { context = '' }: { readonly context?: string } = {}) =>
    context === 'href' ? { href: '#' } : refuse(address);
  return { load: refuse, sanitize, http: refuse, file: refuse, options: {} };
}

/** Keeps errors, which the library would only print; warnings are of no use to a model that cannot see the chart. */
function quietLogger(problems: string[]) {
  const logger = {
    level: () => logger,
    error: (...said: readonly unknown[]) => (problems.push(said.map(textOf).join(' ')), logger),
    warn: () => logger,
    info: () => logger,
    debug: () => logger,
  };
  return logger as never;
}

function textOf(said: unknown): string {
  return said instanceof Error ? said.message : String(said);
}
