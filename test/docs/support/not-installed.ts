/** What the pages import and this project does not install, as far as they use it. */
const NOT_INSTALLED = `
declare module '@restatedev/restate-sdk' {
  export interface WorkflowContext {
    run<T>(key: string, run: () => Promise<T>): Promise<T>;
    request(): { attemptCompletedSignal: AbortSignal };
  }
  export function workflow(definition: object): unknown;
}
declare module '@ai-sdk/mcp' {
  interface Client {
    tools(): Promise<import('ai').ToolSet>;
    close(): Promise<void>;
  }
  export function experimental_createMCPClient(config: { transport: unknown }): Promise<Client>;
}
declare module '@ai-sdk/mcp/mcp-stdio' {
  export class Experimental_StdioMCPTransport {
    constructor(config: { command: string; args: string[] });
  }
}
`;

/** Pieces of code beside those declarations. */
export function withDeclarations(blocks: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...blocks, ['not-installed.d', NOT_INSTALLED]]);
}
