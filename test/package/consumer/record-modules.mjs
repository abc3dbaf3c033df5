// Writes down every module that `import(name)` loads, and `create` a provider after it, as `importer -> module`, builtins included.
import { register } from 'node:module';

const hooks = `
  import { appendFileSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    appendFileSync(process.env.RECORD, (context.parentURL ?? '') + ' -> ' + found.url + '\\n');
    return found;
  }
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const [, , name, create] = process.argv;
const { createResponsesProvider } = await import(name);
if (create === 'create') createResponsesProvider({ apiKey: 'none' });
