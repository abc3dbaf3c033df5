import { createOpenResponses } from '@ai-sdk/open-responses';
import * as ai from 'ai';
import { OPEN_RESPONSES_CONTRACT } from '../contract/peers/open-responses.js';
import { type CreatePeer, createPeerSides } from '../contract/peers/sides.js';
import { MAJORS } from '../contract/sides.js';
import { describeContract } from '../contract/suite.js';
import { sdk, spec } from './support/sdk.js';

const create: CreatePeer = (settings) => ({ responses: createOpenResponses(settings) });
const peer = { name: 'open-responses', major: MAJORS[spec], sdk, ai, create, hosted: {} } as const;
describeContract(createPeerSides(peer), OPEN_RESPONSES_CONTRACT);
