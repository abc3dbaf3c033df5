import { thoughtText } from '../lib/format.js';
import { useSeconds } from '../lib/use-seconds.js';
import { asObject, type ReasoningPart } from '../lib/parts.js';
import { MarkdownText } from './markdown.js';

interface ThoughtProps {
  readonly part: ReasoningPart;
  /** It is being thought at the moment. */
  readonly isLive: boolean;
}

/** What the model thought, closed; its line tells for how long. */
export function Thought({ part, isLive }: ThoughtProps) {
  return (
    <details className="reasoning">
      <summary>{isLive ? <Thinking /> : thoughtText(thoughtMs(part))}</summary>
      <MarkdownText text={part.text} isLive={isLive} />
    </details>
  );
}

/** Counts while the model thinks. */
export function Thinking() {
  const seconds = useSeconds();
  return <span className="thinking-time">{seconds < 1 ? 'Thinking…' : `Thinking… ${seconds} s`}</span>;
}

/** As the server measured it; absent for thoughts of earlier versions. */
function thoughtMs({ providerMetadata }: ReasoningPart): number | undefined {
  const { thoughtMs: ms } = asObject(providerMetadata?.['chat-server']);
  return typeof ms === 'number' ? ms : undefined;
}
