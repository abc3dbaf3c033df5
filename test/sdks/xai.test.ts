import { createXai } from '@ai-sdk/xai';
import * as ai from 'ai';
import { createPeerSides } from '../contract/peers/sides.js';
import { XAI_CONTRACT } from '../contract/peers/xai.js';
import { MAJORS } from '../contract/sides.js';
import { describeContract } from '../contract/suite.js';
import { sdk, spec } from './support/sdk.js';

const hosted = createXai({ apiKey: 'k' }).tools as never;
describeContract(
  createPeerSides({ name: 'xai', major: MAJORS[spec], sdk, ai, create: createXai, hosted }),
  XAI_CONTRACT,
);
