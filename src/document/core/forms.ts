import * as z from 'zod/mini';
import { issueOf, published, type SchemaFragment } from './fields.ts';
import type { InputErrorCode } from './error-codes.ts';
import { NumberText } from './number-text.ts';
import { describe, either } from './quote.ts';
import { addition } from './validate.ts';

/** One way to write an object: the keys it needs and those it may have beside them. */
export interface Form {
  readonly needs: readonly string[];
  readonly allows?: readonly string[];
}

interface Options {
  /** `a laplace mechanism`, as error messages say it. */
  readonly what: string;
  /** The forms in words, where their needs one after the other would be long. */
  readonly choices?: string;
  /** One of them, written out. */
  readonly example?: string;
  readonly conflict: InputErrorCode;
  readonly description: string;
}

const keysOf = (form: Form): string[] => [...form.needs, ...(form.allows ?? [])];
/** Whether an object is of a form, `keys` being those of all forms. */
const isOf = (object: object, form: Form, keys: readonly string[]): boolean =>
  form.needs.every((key) => key in object) &&
  keys.every((key) => !(key in object) || form.needs.includes(key) || form.allows?.includes(key) === true);
const keysText = (form: Form): string => form.needs.join(' and ');

/** The forms that an object comes nearest to: no other needs the same of its keys, and more of them. */
function nearestForms(forms: readonly Form[], has: (key: string) => boolean): Form[] {
  const begun = forms.filter((form) => form.needs.some(has));
  const outdoes = (other: Form, form: Form): boolean => {
    const [more, fewer] = [other.needs.filter(has), form.needs.filter(has)];
    return more.length > fewer.length && fewer.every((key) => more.includes(key));
  };
  return begun.filter((form) => !begun.some((other) => outdoes(other, form)));
}

/** The keys that distinguish forms which are begun together: `epsilon`, `coefficient and range`. */
function rivals(forms: readonly Form[], has: (key: string) => boolean): string[] {
  const presentKeys = forms.map((form) => form.needs.filter(has));
  const own = presentKeys.map((keys) => keys.filter((key) => !presentKeys.every((other) => other.includes(key))));
  return [...new Set(own.map((keys) => keys.join(' and ')))];
}

/** The mistakes of an object that should have exactly one of several forms. */
function formIssues(object: object, forms: readonly Form[], { what, choices, example, conflict }: Options) {
  const offered = choices ?? either(forms.map(keysText));
  const has = (key: string): boolean => key in object;
  const missing = (form: Form): string[] => form.needs.filter((key) => !has(key));
  const lacks = (message: string, keys: string) => [
    issueOf(
      {
        code: 'missing-key',
        message: `${message} needs ${keys}`,
        hint: addition(keys) ?? `Add ${keys}${example === undefined ? '' : `, such as ${example}`}.`,
      },
      object,
    ),
  ];
  const conflicts = (message: string, hint: string, path: string[]) => [
    issueOf({ code: conflict, message: `${what} ${message}`, hint }, object, path),
  ];

  const nearest = nearestForms(forms, has);
  const [form] = nearest;
  if (form === undefined) return lacks(what, offered);
  const rivalry = rivals(nearest, has);
  if (rivalry.length > 1) {
    return conflicts(`has either ${offered}, got ${rivalry.join(' as well as ')}`, 'Keep one of them.', []);
  }
  const begun = form.needs.filter(has).join(' and ');
  const presentKeys = forms.flatMap(keysOf).filter(has);
  const fitting = nearest.filter((candidate) => presentKeys.every((key) => keysOf(candidate).includes(key)));
  const [fit] = fitting;
  if (fit === undefined) {
    const stray = presentKeys.find((key) => !keysOf(form).includes(key)) ?? '';
    return conflicts(`with ${begun} has no ${stray}`, `Remove ${stray}.`, [stray]);
  }
  if (fitting.length > 1) {
    return lacks(`${what} with ${begun}`, either(fitting.map((candidate) => missing(candidate).join(' and '))));
  }
  return missing(fit).map((key) => {
    const message = `${key} is missing; it goes together with ${begun}`;
    return issueOf({ code: 'missing-key', message, hint: addition(key) ?? `Add ${key}.` }, object, [key]);
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
  const keys = [...new Set(forms.flatMap(keysOf))];
  const checked = schema.check(
    z.check(
      ({ value, issues }) => {
        if (typeof value !== 'object' || forms.some((form) => isOf(value, form, keys))) return;
        issues.push(...formIssues(value, forms, options));
      },
      // Also beside mistakes in single keys: all are reported at once.
      { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
    ),
  );
  const oneOf = forms.map((form) => formFragment(form, forms));
  published.add<z.ZodMiniObject>(checked, { description: options.description, oneOf });
  return checked;
}

/** Refuses a list of more than `maximum` items before any of them is looked into. */
export const atMost = (maximum: number, name: string, items: string, hint: string) =>
  z.transform((value, context): unknown => {
    if (!Array.isArray(value) || value.length <= maximum) return value;
    const message = `${name} must hold at most ${maximum} ${items}, got ${value.length}`;
    context.issues.push(issueOf({ code: 'out-of-range', message, hint }, value));
    return z.NEVER;
  });
