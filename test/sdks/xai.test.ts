import { createXai } from '@ai-sdk/xai';
import * as ai from 'ai';
import { createPeerSides } from '../contract/peers/sides.js';
import { XAI_CONTRACT } from '../contract/peers/xai.js';
import { MAJORS } from '../contract/sides.js';
import { describeFlips } from '../contract/peers/describe-flips.js';
import { describeContract } from '../contract/suite.js';
import { sdk, spec } from './support/sdk.js';

const hosted = createXai({ apiKey: 'k' }).tools as never;
const sides = createPeerSides({ name: 'xai', major: MAJORS[spec], sdk, ai, create: createXai, hosted });
describeContract(sides, XAI_CONTRACT);
describeFlips(sides, { losses: [], seals: ['ours', 'stock'] });
