import type { ESLint } from 'eslint';

export const LAYERS: Readonly<Record<string, readonly string[]>>;
export const INSIDE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
declare const plugin: ESLint.Plugin;
export default plugin;
