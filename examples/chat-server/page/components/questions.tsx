import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { checkAnswer } from 'responses-loop-example-shared/form-fields.js';
import { useState } from 'react';
import type { McpQuestion } from '../../src/elicitation/mcp-questions.js';
import { api, ApiError, sentenceOf } from '../lib/api.js';
import { contentOf, firstValues } from '../lib/question-values.js';
import { QuestionField } from './question-field.js';

interface QuestionsProps {
  readonly sessionId: string;
  /** As the running turn tells of them: one that is answered is not among them any more. */
  readonly items: readonly McpQuestion[];
}

type Answer =
  | { readonly action: 'accept'; readonly content?: object }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** What MCP servers ask. It names the server, since anybody could have written the rest. */
export function Questions({ sessionId, items }: QuestionsProps) {
  return items.map((question) => <Question key={question.id} sessionId={sessionId} question={question} />);
}

function Question({ sessionId, question }: { readonly sessionId: string; readonly question: McpQuestion }) {
  const [problem, setProblem] = useState<string>();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const server = spelledLine(question.server);
  const refuse = (found: Readonly<Record<string, string>>, why: string): void => {
    setProblems(found);
    setProblem(why);
  };
  const answer = async (given: Answer): Promise<void> => {
    try {
      setProblem(undefined);
      await api('POST', `/api/sessions/${sessionId}/questions/${question.id}`, given);
    } catch (error) {
      refuse((error instanceof ApiError ? error.fields : undefined) ?? {}, sentenceOf(error));
    }
  };
  return (
    <section className="question" aria-label={`Question of the MCP server ${server}`}>
      <p className="question-head">
        The MCP server <strong>{server}</strong> asks
      </p>
      {question.message.split('\n').map((line, at) => (
        <p key={at}>{spelledLine(line)}</p>
      ))}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {question.mode === 'form' ? (
        <Form question={question} problems={problems} onAnswer={answer} onProblems={refuse} />
      ) : (
        <Page question={question} onAnswer={answer} />
      )}
      <p className="hint">
        What you enter goes to this server. Enter no passwords. It waits until {timeOf(question.until)}.
      </p>
    </section>
  );
}

interface FormProps {
  readonly question: Extract<McpQuestion, { readonly mode: 'form' }>;
  readonly problems: Readonly<Record<string, string>>;
  readonly onAnswer: (answer: Answer) => Promise<void>;
  readonly onProblems: (problems: Readonly<Record<string, string>>, why: string) => void;
}

function Form({ question: { fields }, problems, onAnswer, onProblems }: FormProps) {
  const [values, setValues] = useState(() => firstValues(fields));
  /** The server checks again, and patterns too: in the page, one that never ends would hold it. */
  const submit = (): void => {
    const content = contentOf(fields, values);
    const checked = checkAnswer(fields, content);
    if ('problems' in checked) onProblems(checked.problems, 'Some values do not fit.');
    else void onAnswer({ action: 'accept', content });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.map((field) => (
        <QuestionField
          key={field.key}
          field={field}
          value={values[field.key] ?? ''}
          problem={problems[field.key]}
          onChange={(value) => setValues((all) => ({ ...all, [field.key]: value }))}
        />
      ))}
      <div className="row">
        <button type="submit" className="primary">
          Submit
        </button>
        <Refusals onAnswer={onAnswer} />
      </div>
    </form>
  );
}

interface PageProps {
  readonly question: Extract<McpQuestion, { readonly mode: 'url' }>;
  readonly onAnswer: (answer: Answer) => Promise<void>;
}

/** Nothing is opened, or loaded, before somebody follows the link. */
function Page({ question: { url, host }, onAnswer }: PageProps) {
  return (
    <>
      <p>
        It wants you to open a page of <strong>{host}</strong>:
      </p>
      <code className="question-url">{spelledLine(url)}</code>
      <div className="row">
        <a
          className="button primary"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => void onAnswer({ action: 'accept' })}
        >
          Open {host}
        </a>
        <Refusals onAnswer={onAnswer} />
      </div>
    </>
  );
}

function Refusals({ onAnswer }: Pick<FormProps, 'onAnswer'>) {
  return (
    <>
      <button type="button" title="Tell the server no" onClick={() => void onAnswer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" title="Give no answer" onClick={() => void onAnswer({ action: 'cancel' })}>
        Cancel
      </button>
    </>
  );
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
