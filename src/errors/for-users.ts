import { ApiError as Api, type ApiErrorOptions } from './api-error.js';
import { type ErrorOptions, ResponsesLoopError as Base } from './responses-loop-error.js';

/** A class whose errors users make of any texts: in their tests, and in functions of the settings. */
type ForUsers<Class, Options, Made> = Omit<Class, 'prototype'> & (new (options: Options) => Made);

/** An instance of `ApiError`, for places that need a type. */
export type ApiError = Api;
export const ApiError = Api as unknown as ForUsers<typeof Api, ApiErrorOptions, Api>;

/** An instance of `ResponsesLoopError`, for places that need a type. */
export type ResponsesLoopError = Base;
export const ResponsesLoopError = Base as unknown as ForUsers<typeof Base, ErrorOptions, Base>;
