import { isToolUIPart } from 'ai';
import { HttpError } from '../errors.js';
import { openApprovalIds } from '../store/message-log.js';
import type { MessageTree } from '../store/tree.js';
import type { ApprovalAnswer, ChatPart, KeptAnswer, StoredMessage } from '../types.js';
import { badRequest } from './check-request.js';

type ToolPart = Extract<ChatPart, { toolCallId: string }>;

export interface AnsweredApprovals {
  /** With its answers. */
  readonly message: StoredMessage;
  /** How many of its requests nobody has answered yet. */
  readonly waiting: number;
  /** Calls that were approved for good. */
  readonly granted: readonly ToolPart[];
}

/**
 * Marks the stored parts that were asked about. What a client says of a call beside its id does not count.
 *
 * @throws HttpError 404 for a request that was never made, 409 for one that was answered, by a later message too.
 */
export function answerApprovals(
  messages: readonly StoredMessage[],
  answers: readonly ApprovalAnswer[],
  tree: MessageTree,
): AnsweredApprovals {
  const asking = answers.map(({ id }) => findRequest(messages, id, tree));
  const [message] = asking;
  if (message === undefined || asking.some((other) => other !== message)) {
    throw badRequest('"approvals": they belong to different messages');
  }
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  const parts = message.parts.map((part) => {
    const answer = isToolUIPart(part) && part.state === 'approval-requested' ? byId.get(part.approval.id) : undefined;
    return answer === undefined || !isToolUIPart(part) ? part : withAnswer(part, answer);
  });
  const changed: StoredMessage = { ...message, parts };
  const isGranted = ({ approval }: ToolPart): boolean => {
    const answer = byId.get(approval?.id ?? '');
    return answer?.approved === true && answer.always === true;
  };
  return {
    message: changed,
    waiting: openApprovalIds(changed).size,
    granted: parts.filter((part) => isToolUIPart(part)).filter(isGranted),
  };
}

/** Those that nobody has given yet; all of them, if there is none, so that the refusal names one. */
export function newAnswers(
  messages: readonly StoredMessage[],
  answers: readonly ApprovalAnswer[],
): readonly ApprovalAnswer[] {
  const open = new Set(messages.flatMap((message) => [...openApprovalIds(message)]));
  const fresh = answers.filter(({ id }) => open.has(id));
  return fresh.length === 0 ? answers : fresh;
}

function findRequest(messages: readonly StoredMessage[], approvalId: string, tree: MessageTree): StoredMessage {
  const isAsked = (part: ChatPart): part is ToolPart => isToolUIPart(part) && part.approval?.id === approvalId;
  const message = messages.find(({ role, parts }) => role === 'assistant' && parts.some(isAsked));
  if (message === undefined) {
    throw new HttpError(404, 'no_such_approval', `This chat has no open approval "${approvalId}".`);
  }
  if (!openApprovalIds(message).has(approvalId)) throw alreadyAnswered('This question was answered before.');
  if (tree.isAnswered(message.id))
    throw alreadyAnswered('The chat continued without an answer, which counts as a denial.');
  return message;
}

/** Those of this turn and those that were kept while others were open, by call. */
export function answersIn(parts: readonly ChatPart[]): Map<string, KeptAnswer> {
  const answered = parts.filter((part) => isToolUIPart(part)).filter(({ state }) => state === 'approval-responded');
  return new Map(
    answered.flatMap(({ toolCallId, approval }) =>
      approval?.approved === undefined
        ? []
        : [
            [
              toolCallId,
              {
                id: approval.id,
                approved: approval.approved,
                reason: approval.reason,
                descriptor: Reflect.get(approval, 'descriptor'),
              },
            ],
          ],
    ),
  );
}

export function alreadyAnswered(why: string): HttpError {
  return new HttpError(409, 'already_answered', why);
}

export function withAnswer(part: ToolPart, { id, approved, reason }: ApprovalAnswer): ToolPart {
  const { approval } = part;
  const given = reason === undefined ? {} : { reason };
  return { ...part, state: 'approval-responded', approval: { ...approval, id, approved, ...given } } as ToolPart;
}
