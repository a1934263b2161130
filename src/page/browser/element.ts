/** Attributes by their names; true: there without a value; false: not there. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** An element with attributes and what stands in it. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/** A button that does something. */
export function button(text: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', act);
  return made;
}

/** The element of the page with this id. */
export const byId = (id: string): HTMLElement => typedById(id, HTMLElement);

/** The element of the page with this id, which must be of this class. */
export function typedById<E extends HTMLElement>(id: string, kind: new () => E): E {
  const there = document.getElementById(id);
  if (!(there instanceof kind)) throw new Error(`The page lacks #${id}.`);
  return there;
}

/** Something under a line that shows and hides it. */
export const details = (title: string, ...children: readonly (Node | string)[]): HTMLDetailsElement =>
  element('details', {}, element('summary', {}, title), ...children);
