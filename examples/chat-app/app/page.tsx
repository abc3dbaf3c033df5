'use client';
import { useChat } from '@ai-sdk/react';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { type FormEvent, useEffect, useState } from 'react';
import { ToolCard } from './tool-card';

const KEPT = 'chat-app-messages';

export default function Page() {
  const [text, setText] = useState('');
  const { messages, setMessages, sendMessage, addToolApprovalResponse, status, stop, error, regenerate } = useChat({
    // Continues the chat once the user has answered every approval request.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const isBusy = status === 'submitted' || status === 'streaming';

  // Stores the chat in the browser, so that it survives a reload.
  useEffect(() => {
    setMessages(JSON.parse(localStorage.getItem(KEPT) ?? '[]'));
  }, [setMessages]);
  useEffect(() => {
    if (messages.length > 0) localStorage.setItem(KEPT, JSON.stringify(messages));
  }, [messages]);

  function send(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    void sendMessage({ text });
    setText('');
  }

  return (
    <main>
      <h1>Notes</h1>
      {messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, at) => {
            if (part.type === 'text') return <p key={at}>{part.text}</p>;
            if (part.type !== 'dynamic-tool') return null;
            const isLast = message === messages.at(-1);
            const answer = (id: string, approved: boolean) => void addToolApprovalResponse({ id, approved });
            return (
              <ToolCard
                key={part.toolCallId}
                part={part}
                isRunning={isBusy && isLast}
                answer={!isBusy && isLast ? answer : undefined}
              />
            );
          })}
        </article>
      ))}
      {error && (
        <p role="alert">
          {error.message} <button onClick={() => void regenerate()}>Try again</button>
        </p>
      )}
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        {isBusy ? (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button>Send</button>
        )}
      </form>
    </main>
  );
}
