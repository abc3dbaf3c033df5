import type { Locator, Page } from 'playwright-core';

/** What is read of a page as a whole. Members of a document may be hidden by elements with their names: these are not. */
const READERS = {
  title: "Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document)",
  html: `(() => {
    const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document);
    return root === null ? '' : root.outerHTML;
  })()`,
} as const;

export interface PageText {
  readonly text: string;
  /** Of all of it. */
  readonly totalChars: number;
}

interface ReadLimits {
  readonly maxChars: number;
  readonly timeoutMs: number;
}

/**
 * The first characters of a text of the page. It is cut before it comes here, in a world of its own, whose functions the page
 * cannot replace.
 *
 * @throws Error that the page did not answer in time.
 */
export async function readPage(
  page: Page,
  what: keyof typeof READERS,
  { maxChars, timeoutMs }: ReadLimits,
): Promise<PageText> {
  const session = await page.context().newCDPSession(page);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Timeout ${timeoutMs}ms exceeded.`)), timeoutMs);
  });
  const read = async (): Promise<PageText> => {
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
    });
    const cut = `(() => { const text = String(${READERS[what]}); return [text.slice(0, ${maxChars}), text.length]; })()`;
    const { result } = await session.send('Runtime.evaluate', { expression: cut, contextId, returnByValue: true });
    const [text = '', totalChars = 0] = (result.value ?? []) as [string?, number?];
    return { text, totalChars };
  };
  const reading = read();
  // It may fail once nobody waits for it any more.
  reading.catch(() => {});
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    void session.detach().catch(() => {});
  }
}

export interface PartLimits {
  readonly maxChars: number;
  readonly maxRows: number;
}

/**
 * The text of an element, of a table as rows of cells. The page may have replaced every function and every member that is
 * read here: only what no script can replace, the signs of a string one by one, makes the text, and never more than allowed.
 */
export function readPart(part: Locator, limits: PartLimits): Promise<unknown> {
  return part.evaluate((element, { maxChars, maxRows }) => {
    let text = '';
    let left = maxChars;
    const add = (value: unknown, isCell: boolean): void => {
      if (typeof value !== 'string') return;
      for (let at = 0; at < value.length && left > 0; at += 1) {
        const sign = value[at] as string;
        const isBlank = sign === '\n' || sign === '\r' || sign === '\t' || sign === ' ';
        text += isCell && isBlank ? ' ' : sign;
        left -= 1;
      }
    };
    if (!(element instanceof HTMLTableElement)) {
      add(element instanceof HTMLElement ? element.innerText : element.textContent, false);
      return text;
    }
    const { rows } = element;
    for (let row = 0; row < rows.length && row < maxRows && left > 0; row += 1) {
      const cells = rows[row]?.cells ?? [];
      if (row > 0) text += '\n';
      for (let at = 0; at < cells.length && left > 0; at += 1) {
        left -= 3;
        text += '| ';
        add(cells[at]?.innerText, true);
        text += ' ';
      }
      text += '|';
    }
    return text;
  }, limits);
}
