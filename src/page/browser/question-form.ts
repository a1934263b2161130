import type { Field, Forms, TypeForm } from '../forms.ts';
import type { Cells, Rows } from '../question.ts';
import { button, details, element } from './element.ts';
import { choiceOf, inputOf } from './inputs.ts';

type Typed = Record<string, string>;
type Way = TypeForm['ways'][number];

const keysOf = ({ needs, allows }: Way): readonly string[] => [...needs, ...allows];

const isTyped = (cells: Cells, name: string): boolean => (cells[name] ?? '') !== '';

/** The way to write a mechanism of which most is typed. */
function wayOf({ ways }: TypeForm, cells: Cells): Way {
  const typed = (way: Way): number => keysOf(way).filter((key) => isTyped(cells, key)).length;
  return ways.reduce((best, way) => (typed(way) > typed(best) ? way : best));
}

const inFields = (labels: readonly HTMLElement[]): HTMLElement => element('div', { class: 'fields' }, ...labels);

/** A question in inputs: what is typed, and where. */
export class QuestionForm {
  /** Inputs by their places: `mechanisms[0].epsilon`, `delta`, `batch`. */
  readonly controls = new Map<string, HTMLElement>();
  readonly #forms: Forms;
  readonly #place: HTMLElement;
  readonly #changed: () => void;
  #settings: Typed = {};
  #mechanisms: Typed[] = [];
  #training: Typed | null = null;
  /** The ways that were chosen, also where nothing of them is typed yet. */
  readonly #ways = new WeakMap<Typed, Way>();

  /** @param changed - called when anything is typed */
  constructor(forms: Forms, place: HTMLElement, changed: () => void) {
    this.#forms = forms;
    this.#place = place;
    this.#changed = changed;
  }

  get rows(): Rows {
    return { settings: this.#settings, mechanisms: this.#mechanisms };
  }

  get training(): Cells {
    return this.#training ?? {};
  }

  showRows({ settings, mechanisms }: Rows): void {
    this.#settings = { ...settings };
    this.#mechanisms = mechanisms.map((mechanism) => ({ ...mechanism }));
    this.#training = null;
    this.#draw();
  }

  showTraining(cells: Cells): void {
    this.#training = { ...cells };
    this.#draw();
  }

  /** Draws the inputs again, with the focus where it is to be. */
  #redraw(focus: string): void {
    this.#draw();
    this.controls.get(focus)?.focus();
    this.#changed();
  }

  #draw(): void {
    this.controls.clear();
    this.#place.replaceChildren(...(this.#training === null ? this.#drawRows() : this.#drawTraining(this.#training)));
  }

  #drawTraining(cells: Typed): readonly HTMLElement[] {
    const fields = this.#inputs(this.#forms.training, cells);
    return [element('fieldset', {}, element('legend', {}, 'Training'), inFields(fields)), this.#target(cells)];
  }

  #drawRows(): readonly HTMLElement[] {
    const add = button('Add a mechanism', () => {
      const at = this.#mechanisms.push({ type: this.#forms.types[0]!.type }) - 1;
      this.#redraw(`mechanisms[${String(at)}].type`);
    });
    const settings = details('Settings', inFields(this.#inputs(this.#forms.settings, this.#settings)));
    settings.open = this.#forms.settings.some(({ name }) => isTyped(this.#settings, name));
    return [
      ...this.#mechanisms.map((cells, index) => this.#mechanism(cells, index)),
      add,
      this.#target(this.#settings),
      settings,
    ];
  }

  /** The inputs of some fields, which write into `cells`; of those beside an empty one, nothing. */
  #inputs(fields: readonly Field[], cells: Typed, at = ''): readonly HTMLElement[] {
    const isFirst = (name: string): boolean => fields.some(({ beside }) => beside === name);
    const shown = fields.filter(({ beside }) => beside === undefined || isTyped(cells, beside));
    return shown.map((field) => {
      const { label, control } = inputOf(field, cells[field.name] ?? '', (value) => {
        cells[field.name] = value;
        if (isFirst(field.name)) {
          for (const { name, beside } of fields) if (beside === field.name && value === '') cells[name] = '';
          this.#redraw(`${at}${field.name}`);
        } else {
          this.#changed();
        }
      });
      this.controls.set(`${at}${field.name}`, control);
      return label;
    });
  }

  /** A choice that changes which inputs there are. */
  #choice(name: string, about: string, words: readonly string[], value: string, at: string, act: (at: number) => void) {
    const { label, control } = choiceOf({ name, about, words }, value, (word) => {
      act(words.indexOf(word));
      this.#redraw(`${at}${name}`);
    });
    this.controls.set(`${at}${name}`, control);
    return label;
  }

  /** One of epsilon and delta, which is given; the other is solved for. */
  #target(cells: Typed): HTMLElement {
    const { target } = this.#forms;
    const given = target.find(({ name }) => isTyped(cells, name)) ?? target[0]!;
    const names = target.map(({ name }) => name);
    const choice = this.#choice('given', '', names, given.name, '', (at) => {
      cells[given.name] = '';
      cells[target[at]!.name] = target[at]!.example;
    });
    const fields = inFields([choice, ...this.#inputs([given], cells)]);
    return element('fieldset', {}, element('legend', {}, 'Target'), fields);
  }

  #mechanism(cells: Typed, index: number): HTMLElement {
    const { types, common } = this.#forms;
    const [at, number] = [`mechanisms[${String(index)}].`, String(index + 1)];
    const form = types.find(({ type }) => type === cells.type) ?? types[0]!;
    const names = types.map(({ type }) => type);
    const type = this.#choice('type', form.about, names, form.type, at, (chosen) => {
      const shared = common.filter(({ name }) => isTyped(cells, name)).map(({ name }) => [name, cells[name]!] as const);
      this.#mechanisms[index] = { type: names[chosen]!, ...Object.fromEntries(shared) };
    });
    const [count, ...others] = this.#inputs(common, cells, at);
    const more = details('Label, kind and sampling', inFields(others));
    more.open = common.slice(1).some(({ name }) => isTyped(cells, name));
    const remove = button(
      'Remove',
      () => {
        this.#mechanisms.splice(index, 1);
        this.#redraw(`mechanisms[${String(Math.max(0, index - 1))}].type`);
      },
      { class: 'remove', 'aria-label': `Remove mechanism ${number}` },
    );
    return element(
      'fieldset',
      {},
      element('legend', {}, `Mechanism ${number}`),
      ...(this.#mechanisms.length > 1 ? [remove] : []),
      inFields([type, ...this.#keys(form, cells, at), count!]),
      more,
    );
  }

  /** The keys of one of the ways to write a type, and the choice of it. */
  #keys(form: TypeForm, cells: Typed, at: string): readonly HTMLElement[] {
    const way = this.#ways.get(cells) ?? wayOf(form, cells);
    const fields = form.fields.filter(({ name }) => keysOf(way).includes(name));
    const all = this.#inputs(fields, cells, at);
    if (form.ways.length === 1) return all;
    const words = form.ways.map(({ needs }) => needs.join(' and '));
    const choice = this.#choice('given by', '', words, words[form.ways.indexOf(way)]!, at, (chosen) => {
      const next = form.ways[chosen]!;
      for (const { name } of form.fields) if (!keysOf(next).includes(name)) cells[name] = '';
      this.#ways.set(cells, next);
    });
    return [choice, ...all];
  }
}
