import { generateText } from 'ai';
import { ApiError, createResponsesProvider, ResponsesLoopError } from 'responses-loop/ai5';

const provider = createResponsesProvider({ baseURL: 'http://127.0.0.1:59999' });

try {
  await generateText({ model: provider('some-model'), prompt: 'Hello?', maxRetries: 0 });
} catch (error) {
  if (!ResponsesLoopError.isInstance(error)) throw error;
  console.log(error.code, error.message);
  if (ApiError.isInstance(error)) console.log(error.statusCode, error.isRetryable, error.completedCalls);
}
