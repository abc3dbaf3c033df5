import type { DynamicToolUIPart } from 'ai';
import { questionOf } from 'responses-loop/question';

interface ToolCardProps {
  part: DynamicToolUIPart;
  /** False if the user has pressed Stop: the part then never gets a result. */
  isRunning: boolean;
  /** Undefined while a response streams, or if the user has cancelled the call by sending another message. */
  answer: ((id: string, approved: boolean) => void) | undefined;
}

/** Shows a tool call with its result, or asks whether it may run. */
export function ToolCard({ part, isRunning, answer }: ToolCardProps) {
  // Makes hidden characters in the model's text visible, so that users see what they approve.
  const { head, whole } = questionOf({ tool: part.toolName, arguments: part.input });
  return (
    <section aria-label={part.toolName} className="tool">
      <strong>{head}</strong>
      {part.state === 'approval-requested' && answer !== undefined ? (
        <>
          <pre>{whole}</pre>
          <button onClick={() => answer(part.approval.id, true)}>Approve</button>
          <button onClick={() => answer(part.approval.id, false)}>Deny</button>
        </>
      ) : (
        <span role="status">{outcomeOf(part, isRunning)}</span>
      )}
    </section>
  );
}

function outcomeOf(part: DynamicToolUIPart, isRunning: boolean): string {
  switch (part.state) {
    case 'output-available':
      return `Done: ${JSON.stringify(part.output)}`;
    case 'output-error':
      return `Failed: ${part.errorText}`;
    case 'output-denied':
      return 'Denied, so it did not run.';
    case 'approval-requested':
      return 'Not answered, so it did not run.';
    case 'approval-responded':
      return part.approval.approved ? 'Approved.' : 'Denied, so it did not run.';
    default:
      if (isRunning) return 'In progress…';
      return part.state === 'input-available' ? 'Stopped. The call may have taken effect.' : 'Stopped.';
  }
}
