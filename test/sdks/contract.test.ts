import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { describe, it } from 'vitest';
import { createSides, type Major } from '../contract/sides.js';
import { describeContract } from '../contract/suite.js';
import { sdk, spec } from './support/sdk.js';

/** The stock package of each specification, under the SDK that is made for it. */
const MAJORS: Readonly<Record<typeof spec, Major>> = { v2: 2, v3: 3, v4: 4 };
const SDK_OF: Readonly<Record<Major, typeof sdk>> = { 2: 5, 3: 6, 4: 7 };

const major = MAJORS[spec];

if (SDK_OF[major] === sdk) describeContract(createSides(major, ai, createOpenAI));
else describe('the contract with the stock provider', () => it.todo('is looked at under the SDK of its own major'));
