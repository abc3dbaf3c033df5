import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { describeConversation } from './conversation/describe-conversation.js';
import { createSides } from './sides.js';

describeConversation(createSides(2, 5, ai, createOpenAI));
