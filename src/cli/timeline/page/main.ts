import type { Timeline } from '../model.js';
import { App } from './app.js';
import { visible } from './dom.js';
import { preparePrint } from './print.js';
import { pageTexts } from './texts.js';

function need(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element "${id}".`);
  return element;
}

// The command wrote it.
const timeline = JSON.parse(need('timeline').textContent ?? '') as Timeline;
document.title = visible(`${timeline.source} · timeline`).data;
const app = new App(timeline, pageTexts(need('texts')));
app.mount(need('app'), timeline);
preparePrint(need('print'), timeline, app.rows);
