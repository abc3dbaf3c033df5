// Prints every module that `import(name)` loads, as `importer -> module`, builtins included.
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
await import(process.argv[2]);
