import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { createSides, type Major } from '../contract/sides.js';
import { describeContract } from '../contract/suite.js';
import { spec } from './support/sdk.js';

/** The stock package of each specification. That of V2 is looked at in `test/contract`. */
const MAJORS: Readonly<Record<typeof spec, Major>> = { v2: 2, v3: 3, v4: 4 };

describeContract(createSides(MAJORS[spec], ai, createOpenAI));
