import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { describeCompleteness } from '../contract/complete.js';
import { createSides, MAJORS } from '../contract/sides.js';
import { describeContract } from '../contract/suite.js';
import { sdk, spec } from './support/sdk.js';

const sides = createSides(MAJORS[spec], sdk, ai, createOpenAI);

if (spec !== 'v2') describeCompleteness(sides, `openai-${sides.major}`, import.meta.url);
describeContract(sides);
