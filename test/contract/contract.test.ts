import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { describeCompleteness } from './complete.js';
import { createSides } from './sides.js';
import { describeContract } from './suite.js';

const sides = createSides(2, 5, ai, createOpenAI);

describeCompleteness(sides, '@ai-sdk/openai', import.meta.url);
describeContract(sides);
