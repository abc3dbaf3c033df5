import { expect, it } from 'vitest';
import { newPlace, startTwo, useModel } from '../../support/instances.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, TOKEN } from '../../support/start-chat.js';
import { describeInChromium, useChromium } from '../browser/support/browser.js';
import { ChatPage } from '../browser/support/chat-page.js';

const LONG = Array.from({ length: 120 }, (_, n) => `word${n}`).join(' ');
const { postgres, model } = await useModel(() => startScriptedModel({ delayMs: 40 }));
const addressOf = ({ port }: ChatProcess): string => `http://127.0.0.1:${port}/#token=${TOKEN}`;

describeInChromium('a page at another instance than the one that has its chat', () => {
  const newPage = useChromium();
  it.skipIf(postgres === undefined)(
    'shows the whole answer once after that instance was killed, and goes on with the chat',
    async () => {
      const [one, two] = await startTwo(newPlace(postgres, model));
      const first = new ChatPage((await newPage()).page);
      await first.open(addressOf(one));
      await first.send(LONG);
      await first.shows(first.answers, 'word5 ');
      const second = new ChatPage((await newPage()).page);
      await second.open(addressOf(two));
      await second.page.goto(first.page.url().replace(`:${one.port}`, `:${two.port}`));
      await second.shows(second.answers, 'word9 ');
      await one.end('SIGKILL');
      await second.becomes('ready');
      const text = (await second.answers.last().textContent()) ?? '';
      expect(text.match(/word\d+/g)).toEqual(LONG.split(' '));
      expect([await second.answers.count(), await second.page.getByRole('alert').count()]).toEqual([1, 0]);
      await second.say('and now?');
      await second.shows(second.answers.last(), 'You said: and now?');
      expect(model.problems).toEqual([]);
    },
  );
});
