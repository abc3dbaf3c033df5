import { expect, it } from 'vitest';
import { AppPages, PAGE_LASTS_MS } from '../../src/apps/app-pages.js';

const page = { html: '<p>Hello', csp: {} };

it('a page is given once', () => {
  const pages = new AppPages();
  const name = pages.keep(page);
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(pages.take(name)).toMatchObject({ html: '<p>Hello' });
  expect(pages.take(name)).toBe(undefined);
});

it('a page that nobody asks for is gone after its time', () => {
  const pages = new AppPages();
  const name = pages.keep(page, 0);
  expect(pages.take(name, PAGE_LASTS_MS)).toBe(undefined);
});

it('the oldest page goes, if there are too many', () => {
  const pages = new AppPages();
  const names = Array.from({ length: 51 }, () => pages.keep(page));
  expect(names.filter((name) => pages.take(name) !== undefined)).toEqual(names.slice(1));
});
