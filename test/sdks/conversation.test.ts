import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { describeConversation } from '../contract/conversation/describe-conversation.js';
import { createSides, MAJORS } from '../contract/sides.js';
import { sdk, spec } from './support/sdk.js';

describeConversation(createSides(MAJORS[spec], sdk, ai, createOpenAI));
