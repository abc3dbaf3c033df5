/** What the AI SDK's `DefaultChatTransport` sends if nobody maps it. */
interface StockBody {
  readonly messages: readonly unknown[];
  readonly messageId?: unknown;
  readonly trigger?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export function isStockBody(body: unknown): body is StockBody {
  return isFields(body) && Array.isArray(body['messages']) && !('message' in body) && !('approvals' in body);
}

/**
 * The same in the words of this server, still to be checked. The server has the conversation: of `messages` it takes the
 * last one only. A message of the user is sent; of a message of the assistant the answers to approvals count and nothing else.
 */
export function toOwnBody({ messages, messageId, ...rest }: StockBody): Fields {
  const last = messages.at(-1);
  if (rest.trigger !== 'submit-message') return { ...rest, messageId };
  if (!isFields(last) || last['role'] !== 'assistant') return { ...rest, message: last, messageId };
  const parts = Array.isArray(last['parts']) ? last['parts'] : [];
  return { ...rest, trigger: 'approval-response', approvals: parts.flatMap(answerIn) };
}

function answerIn(part: unknown): Fields[] {
  if (!isFields(part) || part['state'] !== 'approval-responded' || !isFields(part['approval'])) return [];
  const { id, approved, reason } = part['approval'];
  return [{ id, approved, reason }];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
