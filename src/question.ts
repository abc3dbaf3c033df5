/** `responses-loop/question`: what a person answers to, for programs and for pages. */
export { type AskedCall, questionOf, type ToolQuestion } from './tools/question/question-of.js';
export { spellText } from './util/spell-text.js';
