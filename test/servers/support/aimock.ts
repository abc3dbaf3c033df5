import { LLMock } from '@copilotkit/aimock';
import { createResponsesProvider, type ResponsesProviderSettings, type ResponsesProviderV2 } from 'responses-loop';
import { onTestFinished } from 'vitest';

export interface Aimock {
  readonly mock: LLMock;
  readonly provider: ResponsesProviderV2;
  /** What the server saw, request by request: paths and bodies as it understood them. */
  readonly seen: () => { readonly path: string; readonly status: number; readonly body: string }[];
}

/** A scripted server that none of us wrote, and a provider that talks to it over HTTP. */
export async function aimock(
  script: (mock: LLMock) => void,
  settings: ResponsesProviderSettings = {},
): Promise<Aimock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', strict: true });
  script(mock);
  await mock.start();
  const provider = createResponsesProvider({ baseURL: `${mock.url}/v1`, apiKey: 'sk-test-aimock', ...settings });
  onTestFinished(async () => {
    await provider.close();
    await mock.stop();
  });
  return {
    mock,
    provider,
    seen: () =>
      mock
        .getRequests()
        .map(({ path, response, body }) => ({ path, status: response.status, body: JSON.stringify(body) })),
  };
}
