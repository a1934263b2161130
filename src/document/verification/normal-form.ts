import type { VerifyQuestion } from '../../composition/attack/verify/question.ts';
import { inTexts } from '../core/exact-value.ts';
import type { ExactForm } from '../structure/normal-form.ts';
import { SPEC_VERSION } from '../core/version-field.ts';

/** A document of `attack verify` with every default filled in. */
export interface VerifyNormalForm {
  readonly dpcompose: typeof SPEC_VERSION;
  readonly name?: string;
  readonly verify: {
    readonly mechanism: {
      readonly start: string;
      readonly transitions: readonly {
        readonly from: string;
        readonly messages: readonly string[];
        readonly answer: string;
        readonly to: string;
        readonly probability: string;
      }[];
    };
    readonly verification: {
      readonly start: string;
      readonly allows: readonly {
        readonly from: string;
        readonly pairs: readonly (readonly [string, string])[];
        readonly to: string;
      }[];
    };
    readonly guarantee: { readonly factor: string; readonly delta?: string };
    readonly copies: number;
    readonly sparsity: number;
    readonly factors: readonly string[];
    readonly rounds?: number;
  };
}

/** The document that asks a question, with exact numbers. */
export function exactVerifyForm(question: VerifyQuestion): ExactForm {
  const { name, mechanism, verification, guarantee, copies, sparsity, factors, rounds } = question;
  return {
    dpcompose: SPEC_VERSION,
    ...(name === null ? {} : { name }),
    verify: {
      mechanism: {
        start: mechanism.start,
        transitions: mechanism.transitions.map(({ from, messages, answer, to, probability }) => ({
          from,
          messages,
          answer,
          to,
          probability,
        })),
      },
      verification: {
        start: verification.start,
        allows: verification.allows.map(({ from, pairs, to }) => ({ from, pairs, to })),
      },
      guarantee: {
        factor: guarantee.factor,
        ...(guarantee.delta === null ? {} : { delta: guarantee.delta }),
      },
      copies,
      sparsity,
      factors,
      ...(rounds === null ? {} : { rounds }),
    },
  };
}

/** The same with its numbers as text. */
export const verifyNormalForm = (question: VerifyQuestion): VerifyNormalForm =>
  inTexts(exactVerifyForm(question)) as unknown as VerifyNormalForm;
