import { createOpenResponses } from '@ai-sdk/open-responses';
import * as ai from 'ai';
import { OPEN_RESPONSES_CONTRACT } from '../contract/peers/open-responses.js';
import { type CreatePeer, createPeerSides } from '../contract/peers/sides.js';
import { MAJORS } from '../contract/sides.js';
import { describeFlips } from '../contract/peers/describe-flips.js';
import { describeContract } from '../contract/suite.js';
import { sdk, spec } from './support/sdk.js';

const create: CreatePeer = (settings) => ({ responses: createOpenResponses(settings) });
const peer = { name: 'open-responses', major: MAJORS[spec], sdk, ai, create, hosted: {} } as const;
const sides = createPeerSides(peer);
describeContract(sides, OPEN_RESPONSES_CONTRACT);
describeFlips(sides, {
  // Many servers refuse reasoning: `backend` says who takes it.
  losses: ['ours after stock: reasoning is missing', 'ours after ours: reasoning is missing'],
  seals: [],
});
