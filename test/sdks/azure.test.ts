import { createAzure } from '@ai-sdk/azure';
import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { AZURE_CONTRACT } from '../contract/peers/azure.js';
import { createPeerSides } from '../contract/peers/sides.js';
import { MAJORS } from '../contract/sides.js';
import { describeFlips } from '../contract/peers/describe-flips.js';
import { describeContract } from '../contract/suite.js';
import { sdk, spec } from './support/sdk.js';

// The package itself declares a few of the tools only; the others are sent all the same.
const hosted = createOpenAI({ apiKey: 'k' }).tools as never;
const sides = createPeerSides({ name: 'azure', major: MAJORS[spec], sdk, ai, create: createAzure, hosted });
describeContract(sides, AZURE_CONTRACT);
describeFlips(sides, { losses: [], seals: ['ours', 'stock'] });
