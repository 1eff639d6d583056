import type { ResolveHook } from 'node:module';

const GLOBALS = new URL('./globals.js', import.meta.url).href;

/** Makes `@jest/globals`, which works in Jest's own environment only, the module of ours that stands in for it. */
export const resolve: ResolveHook = (specifier, context, nextResolve) =>
  specifier === '@jest/globals'
    ? { url: GLOBALS, format: 'module', shortCircuit: true }
    : nextResolve(specifier, context);
