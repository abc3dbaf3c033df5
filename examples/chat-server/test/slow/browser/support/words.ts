import type { Locator } from 'playwright-core';

/** The words inside of `locator` that are on two lines, as a person would see them broken. */
export function brokenWords(locator: Locator): Promise<string[]> {
  return locator.evaluateAll((roots) => {
    const broken: string[] = [];
    const range = document.createRange();
    for (const root of roots) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[\w./]+/g)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(tops).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  });
}
