import type { Field } from '../forms.ts';
import { element } from './element.ts';

let made = 0;

/** An input under its name and, once it has the focus, above what may be typed. */
export interface Input {
  readonly label: HTMLElement;
  readonly control: HTMLInputElement | HTMLSelectElement;
}

/** A control under its name, with what it is below; `changed` is called as it is typed. */
function labelled(name: string, about: string, control: Input['control'], changed: (value: string) => void): Input {
  const id = `field-${String(++made)}`;
  control.id = id;
  control.addEventListener('input', () => {
    changed(control.value);
  });
  const label = element('div', { class: 'field' }, element('label', { for: id }, name), control);
  if (about !== '') {
    control.setAttribute('aria-describedby', `${id}-about`);
    const hint = element('p', { class: 'about', id: `${id}-about` }, about);
    // It stands over what is below; Escape takes it away.
    label.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') hint.setAttribute('data-dismissed', '');
    });
    label.append(hint);
  }
  return { label, control };
}

/** A choice of words. */
export function choiceOf(
  { name, about, words }: Pick<Field, 'name' | 'about' | 'words'>,
  value: string,
  changed: (value: string) => void,
): Input {
  const select = element('select', {}, ...words.map((word) => element('option', {}, word)));
  select.value = value;
  return labelled(name, about, select, changed);
}

/** The input of a field; what is standard is not written. */
export function inputOf(field: Field, value: string, changed: (value: string) => void): Input {
  const { name, kind, about, words, example, standard } = field;
  if (kind === 'word') {
    const all = standard === '' ? ['', ...words] : words;
    return choiceOf({ name, about, words: all }, value === '' ? standard : value, (word) => {
      changed(word === standard ? '' : word);
    });
  }
  const input = element('input', {
    type: 'text',
    inputmode: kind === 'number' ? 'decimal' : false,
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: standard === '' && example !== '' ? `such as ${example}` : standard,
  });
  input.value = value;
  const { label, control } = labelled(name, about, input, changed);
  if (words.length > 0) {
    const list = `${control.id}-list`;
    control.setAttribute('list', list);
    label.append(element('datalist', { id: list }, ...words.map((word) => element('option', { value: word }))));
  }
  return { label, control };
}
