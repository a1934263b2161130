import { inTexts } from '../document/core/exact-value.ts';
import type { Specification } from '../document/core/specification.ts';
import { exactForm } from '../document/structure/normal-form.ts';

/** Where `dpcompose page` answers, unless another port is chosen. */
export const PAGE_PORT = 8417;

/** The key under which the address of an answer has its document. */
export const LINK_KEY = 'document';

/** What stands behind the # of an address: keys and values, so encoded that nothing of them is lost. */
export const fragmentOf = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString();

/** The address of an answer on a page: its document, in normal form and with all digits, stands behind the #, which no server sees. */
export const linkTo = (specification: Specification, page = `http://127.0.0.1:${PAGE_PORT}/`): string =>
  `${page.replace(/#.*/s, '')}#${fragmentOf({ [LINK_KEY]: JSON.stringify(inTexts(exactForm(specification))) })}`;

/** The document in the address of an answer; null: it is no such address. */
export function documentIn(address: string): string | null {
  const [, fragment] = /^\w+:\/\/[^#]*#(.*)$/s.exec(address) ?? [];
  return fragment === undefined ? null : new URLSearchParams(fragment).get(LINK_KEY);
}
