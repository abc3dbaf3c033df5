import { Component, type ReactNode, Suspense } from 'react';
import { withoutPictures } from '../lib/output-pictures.js';
import { callOf, readable, stateOfOutput, stringIn, type ToolPart } from '../lib/parts.js';
import { bodyOf, type ToolBody } from '../lib/tool-bodies.js';
import { Loading } from './loading.js';

interface ToolOutputProps {
  readonly part: ToolPart;
  readonly place: ToolBody['place'];
}

/** What a call gave: in the view of its tool where there is one, else as text in the opened card. */
export function ToolOutput({ part, place }: ToolOutputProps) {
  const text = place === 'details' ? <OutputText part={part} /> : null;
  const body = part.state === 'output-available' ? bodyOf(part) : undefined;
  const isGood = part.state === 'output-available' && stateOfOutput(part.output) === 'done';
  // What never ran printed nothing.
  const isViewed = isGood || (body?.isOfFailures === true && stringIn(part.output, 'output') !== undefined);
  if (body === undefined || !isViewed) return text;
  if (body.place !== place) return null;
  return (
    <Instead of={<OutputText part={part} />}>
      {!isGood && <Failed output={part.output} />}
      <Suspense fallback={<Loading />}>
        <body.View part={part} />
      </Suspense>
    </Instead>
  );
}

/** Shows a text where a view cannot be loaded, or fails. */
class Instead extends Component<
  { readonly of: ReactNode; readonly children: ReactNode },
  { readonly isBroken: boolean }
> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.of : this.props.children;
  }
}

function OutputText({ part }: { readonly part: ToolPart }) {
  if (part.state === 'output-error') return <Block label="Error" text={part.errorText} />;
  if (part.state !== 'output-available') return <Failed output={part.output} />;
  const { isOwn, name } = callOf(part);
  const { output } = part;
  // Of another's tool no member stands for all of them.
  if (!isOwn) return <Block label="Output" text={readable(withoutPictures(output)) || '(nothing)'} />;
  // The input shows what these tools did.
  if (['updatePlan', 'writeFile', 'viewImage', 'chartRender', 'imageGenerate', 'writeJsx'].includes(name))
    return <Failed output={output} />;
  const said = stringIn(output, 'output') ?? stringIn(output, 'content');
  const text = said ?? (stringIn(output, 'error') === undefined ? readable(output) : undefined);
  return (
    <>
      <Failed output={output} />
      {text !== undefined && <Block label="Output" text={text === '' ? '(nothing)' : text} />}
    </>
  );
}

function Failed({ output }: { readonly output: unknown }) {
  const error = stringIn(output, 'error');
  return error === undefined ? null : <Block label="Error" text={error} />;
}

/** Of what a tool gave. What it gets is never cut. */
const MAX_CHARS = 20_000;

function Block({ label, text }: { readonly label: string; readonly text: string }) {
  const more = text.length - MAX_CHARS;
  return (
    <figure className="block">
      <figcaption>{label}</figcaption>
      <pre tabIndex={0}>{more > 0 ? text.slice(0, MAX_CHARS) : text}</pre>
      {more > 0 && <p className="hint">… and {more.toLocaleString('en')} more characters</p>}
    </figure>
  );
}
