import { config } from 'zod/v4/core';

// Schemas that are made after this do not try whether code can be made of text: the policy of the page forbids it, and
// the console would say so.
config({ jitless: true });
