import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { createSides } from './sides.js';
import { describeContract } from './suite.js';

describeContract(createSides(2, ai, createOpenAI));
