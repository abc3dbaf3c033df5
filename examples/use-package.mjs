// For `node --import`: runs TypeScript and lets the examples import the built package, as its users do, not its sources.
import { fileURLToPath } from 'node:url';

process.env['TSX_TSCONFIG_PATH'] ??= fileURLToPath(new URL('tsconfig.package.json', import.meta.url));
await import('tsx');
