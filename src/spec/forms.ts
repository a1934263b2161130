import * as z from 'zod/mini';
import { issueOf, published, type SchemaFragment } from './fields.ts';
import { NumberText } from './number-text.ts';
import { describe, either } from './quote.ts';
import type { InputErrorCode } from './input-error.ts';

/** One way to write an object: the keys it needs and those it may have beside them. */
export interface Form {
  readonly needs: readonly string[];
  readonly allows?: readonly string[];
}

interface Options {
  /** `a laplace mechanism`, as error messages say it. */
  readonly what: string;
  readonly conflict: InputErrorCode;
  readonly description: string;
}

const keysOf = (form: Form): string[] => [...form.needs, ...(form.allows ?? [])];
const written = (form: Form): string => form.needs.join(' and ');

/** The mistakes of an object that should have exactly one of several forms. */
function formIssues(object: object, forms: readonly Form[], { what, conflict }: Options) {
  const begun = forms.filter((form) => form.needs.some((key) => key in object));
  const choices = either(forms.map(written));
  const [form] = begun;
  if (form === undefined) {
    const hint = `Add ${choices}.`;
    return [issueOf({ code: 'missing-key', message: `${what} needs ${choices}`, hint }, object)];
  }
  const own = keysOf(form);
  const foreign = begun.length > 1 ? begun : forms.filter((other) => other !== form);
  const stray =
    begun.length > 1 ? undefined : foreign.flatMap(keysOf).find((key) => key in object && !own.includes(key));
  if (begun.length > 1 || stray !== undefined) {
    const message =
      stray === undefined
        ? `${what} has either ${choices}, got ${begun.map(written).join(' as well as ')}`
        : `${what} with ${written(form)} has no ${stray}`;
    const hint = stray === undefined ? 'Keep one of them.' : `Remove ${stray}.`;
    return [issueOf({ code: conflict, message, hint }, object, stray === undefined ? [] : [stray])];
  }
  return form.needs
    .filter((key) => !(key in object))
    .map((key) => {
      const partner = form.needs.find((other) => other in object) ?? '';
      const message = `${key} is missing; it goes together with ${partner}`;
      return issueOf({ code: 'missing-key', message, hint: `Add ${key}.` }, object, [key]);
    });
}

function formFragment(form: Form, forms: readonly Form[]): SchemaFragment {
  const own = keysOf(form);
  const excluded = forms.flatMap(keysOf).filter((key) => !own.includes(key));
  return { required: form.needs, properties: Object.fromEntries(excluded.map((key) => [key, false])) };
}

/** Refuses a number where `name` should be an object: zod would take a `NumberText` for one. */
export const noNumber = (name: string) =>
  z.transform((value, context): unknown => {
    if (!(value instanceof NumberText)) return value;
    const message = `${name} must be an object, got ${describe(value)}`;
    context.issues.push(issueOf({ code: 'wrong-type', message, hint: 'Write {"key": value, ...}.' }, value));
    return z.NEVER;
  });

/** `schema` restricted to objects of exactly one of `forms`, in the validation and in the published schema. */
export function inOneForm<S extends z.ZodMiniObject>(schema: S, forms: readonly Form[], options: Options): S {
  const checked = schema.check(
    z.check(
      (payload) => {
        if (typeof payload.value === 'object') payload.issues.push(...formIssues(payload.value, forms, options));
      },
      // Also beside mistakes in single keys: all are reported at once.
      { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
    ),
  );
  const oneOf = forms.map((form) => formFragment(form, forms));
  published.add<z.ZodMiniObject>(checked, { description: options.description, oneOf });
  return checked;
}
