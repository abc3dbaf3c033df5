import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AppQuestion } from '../../../src/context/request-context.js';
import type { ApprovalAnswer } from '../../../src/types.js';
import { api, sentenceOf } from '../../lib/api.js';
import type { NamedApp } from '../../lib/mcp-apps/app-of.js';
import { appAddress } from '../../lib/mcp-apps/app-requests.js';
import { type AppLink, useAppHost } from '../../lib/mcp-apps/use-app-host.js';
import { useIsSomebodyAsked } from '../../lib/mcp-apps/somebody-asked.js';
import { useFocusGuard } from '../../lib/mcp-apps/use-focus-guard.js';
import type { ToolPart } from '../../lib/parts.js';
import { useSeen } from '../../lib/use-seen.js';
import { ApprovalQuestion } from '../approval-question.js';
import { Questions } from '../questions.js';
import { Loading } from '../loading.js';

interface McpAppProps {
  readonly sessionId: string;
  readonly part: ToolPart;
  readonly app: NamedApp;
}

/** An app in its frame, named by the server that it is of: nothing inside of the frame is of this page. */
export default function McpApp({ sessionId, part, app }: McpAppProps) {
  const server = spelledLine(app.server);
  const [target, isSeen] = useSeen<HTMLElement>();
  const [isOpen, setIsOpen] = useState(true);
  const [closed, setClosed] = useState<ClosedProps>();
  const body = useRef<HTMLDivElement>(null);
  const close = (why: string): void => {
    setClosed({ why, height: body.current?.offsetHeight ?? 0 });
    setIsOpen(false);
  };
  return (
    <section ref={target} className="mcp-app" aria-label={`App of the MCP server ${server}`}>
      <header className="mcp-app-head">
        <span>
          App of the MCP server <strong>{server}</strong>
        </span>
        <button
          type="button"
          className="small"
          onClick={() => {
            setClosed(undefined);
            setIsOpen(!isOpen);
          }}
        >
          {isOpen ? 'Close app' : 'Open app'}
        </button>
      </header>
      {isOpen && isSeen && (
        <div ref={body} className="mcp-app-body">
          <Frame sessionId={sessionId} part={part} app={app} onClose={close} />
        </div>
      )}
      {closed !== undefined && <Closed {...closed} />}
    </section>
  );
}

interface ClosedProps {
  readonly why: string;
  /** What it had when it was closed. */
  readonly height: number;
}

/** An app that the page closed. Its room stays while somebody is asked, so that no button moves. */
function Closed({ why, height }: ClosedProps) {
  const isAsked = useIsSomebodyAsked();
  return (
    <div className="mcp-app-body" style={isAsked ? { height, overflow: 'auto' } : undefined}>
      <p className="problem" role="alert">
        {why}
      </p>
    </div>
  );
}

interface FrameProps extends McpAppProps {
  readonly onClose: (why: string) => void;
}

const FLOOD = 'The app sent more messages than an app should, and was closed.';
const THEFT = 'The app was closed because it kept taking the focus while you were typing.';

function Frame({ sessionId, part, app, onClose }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [address, setAddress] = useState<string>();
  const { height, asked, link } = useAppHost({ sessionId, part, app, frame, onFlood: () => onClose(FLOOD) });
  useFocusGuard(frame, () => onClose(THEFT));
  const failed = useRef(onClose);
  failed.current = onClose;
  const { server, uri } = app;
  useEffect(() => {
    let isGone = false;
    appAddress({ sessionId, server }, uri).then(
      (found) => isGone || setAddress(found),
      (error: unknown) => isGone || failed.current(`The app cannot be shown. ${sentenceOf(error)}`),
    );
    return () => {
      isGone = true;
    };
  }, [sessionId, server, uri]);
  if (address === undefined) return <Loading />;
  return (
    <>
      <iframe
        ref={frame}
        title={`App of ${spelledLine(server)}: ${spelledLine(app.tool)}`}
        src={address}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        style={{ height }}
      />
      {asked.question !== undefined && (
        <Question key={asked.question.id} sessionId={sessionId} server={server} asked={asked.question} />
      )}
      {asked.serverQuestions?.map((question) => (
        <Asked key={question.id} what="Question" server={server}>
          <Questions sessionId={sessionId} items={[question]} />
        </Asked>
      ))}
      {asked.cancelled !== undefined && (
        <p className="problem" role="alert">
          {spelledLine(asked.cancelled)}
        </p>
      )}
      {link !== undefined && <Link key={link.id} server={server} link={link} />}
    </>
  );
}

/** A click or a key that was meant for the app does not answer what has just appeared. */
const ARMED_AFTER_MS = 800;

interface AskedProps {
  readonly what: 'Question' | 'Link';
  readonly server: string;
  readonly children: ReactNode;
}

/** What an app wants of the person, outside of its frame. */
function Asked({ what, server, children }: AskedProps) {
  const [isArmed, setIsArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsArmed(true), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      className="mcp-app-question"
      role="group"
      aria-label={`${what} of the app of ${spelledLine(server)}`}
      inert={!isArmed}
    >
      {children}
    </div>
  );
}

interface QuestionProps {
  readonly sessionId: string;
  readonly server: string;
  readonly asked: AppQuestion;
}

function Question({ sessionId, server, asked }: QuestionProps) {
  const [problem, setProblem] = useState<string>();
  const answer = ({ approved, reason }: Omit<ApprovalAnswer, 'id'>): void => {
    const given = { approved, ...(reason !== undefined && { reason }) };
    api('POST', `/api/sessions/${sessionId}/approvals/${encodeURIComponent(asked.id)}`, given).catch((error: unknown) =>
      setProblem(sentenceOf(error)),
    );
  };
  return (
    <Asked what="Question" server={server}>
      <p>
        The app of <strong>{spelledLine(server)}</strong> wants to make this call:
      </p>
      {problem !== undefined && <p className="problem">{problem}</p>}
      <ApprovalQuestion
        call={{ name: asked.toolName, input: asked.input, isOwn: false, descriptor: asked.descriptor }}
        onAnswer={answer}
      />
    </Asked>
  );
}

/** Nothing is opened before somebody follows the link. */
function Link({ server, link: { url, answer } }: { readonly server: string; readonly link: AppLink }) {
  const { host } = new URL(url);
  return (
    <Asked what="Link" server={server}>
      <p>
        The app of <strong>{spelledLine(server)}</strong> wants you to open a page of <strong>{host}</strong>:
      </p>
      <code className="question-url">{spelledLine(url)}</code>
      <div className="row">
        <a className="button primary" href={url} target="_blank" rel="noopener noreferrer" onClick={() => answer(true)}>
          Open {host}
        </a>
        <button type="button" onClick={() => answer(false)}>
          Do not open
        </button>
      </div>
    </Asked>
  );
}
