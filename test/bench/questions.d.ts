import type { Question } from './cases.js';

export function prepared(question: Question, folder: string): { readonly words: string[] };
