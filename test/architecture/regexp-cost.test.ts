import { describe, expect, it } from 'vitest';
import { costOf, type RegExpCost } from './regexp-cost.js';

describe('what a regular expression may cost', () => {
  it.each<[RegExpCost, RegExp]>([
    ['linear', /a/],
    ['linear', /\s+/g],
    ['linear', /^\s*a/],
    ['linear', /;\s*/],
    ['linear', /"[^"]*"/g],
    ['linear', /^\d+(?:\.\d+)?$/],
    ['linear', /\[\s+(\d+),\s+(\d+)\s+\]/g],
    ['linear', /\b(?:try again|retry) (?:in|after) (\d[\w. ]{0,40})/i],
    ['quadratic', /[.\s]+$/],
    ['quadratic', /\/+$/],
    ['quadratic', /^\s*\s*$/],
    ['quadratic', /^.*-.*-chat$/],
    ['quadratic', /encrypted content .*could/],
    ['quadratic', /a(?=.*b)/g],
    ['quadratic', /^a+b?a+$/],
    ['quadratic', /(a*)\1/],
    ['quadratic', /^(?:a|b)*[bc]*$/],
    ['exponential', /^(?:a+)+$/],
    ['exponential', /^([a-zA-Z0-9]+\s?)+$/],
    ['exponential', /^(?:a|a)*b/],
    ['exponential', /(?:\w|\d)+!/],
    ['exponential', /^(?:a?a?)*b/],
  ])('%s: %s', (cost, { source, flags }) => {
    expect(costOf(source, flags)).toBe(cost);
  });
});
