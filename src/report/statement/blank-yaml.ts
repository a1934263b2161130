import { Document, isScalar, Pair, Scalar, YAMLMap, YAMLSeq, type Node, type ScalarTag } from 'yaml';

/** A value that is not known, and what belongs there: null with a comment. */
export interface Blank {
  readonly blank: string;
}

/** A value of a record: numbers are doubles, and infinite where there is none. */
export type RecordValue = string | number | Blank | readonly RecordValue[] | { readonly [key: string]: RecordValue };

const isBlank = (value: object): value is Blank => 'blank' in value;
const isList = (value: RecordValue): value is readonly RecordValue[] => Array.isArray(value);

/** A number that YAML 1.1, too, takes for one: with a point before its exponent. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return JSON.stringify(value).replace(/^(-?\d+)e/, '$1.0e');
}

const NUMBER: ScalarTag = {
  identify: (value) => typeof value === 'number',
  default: true,
  tag: 'tag:yaml.org,2002:float',
  test: /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/i,
  resolve: Number,
  stringify: ({ value }) => numberText(value as number),
};

function nodeOf(value: RecordValue): Node {
  if (typeof value !== 'object') return new Scalar(value);
  if (isList(value)) {
    const list = new YAMLSeq();
    list.items.push(...value.map(nodeOf));
    return list;
  }
  if (isBlank(value)) {
    const nothing = new Scalar(null);
    nothing.comment = ` ${value.blank}`;
    return nothing;
  }
  const map = new YAMLMap();
  for (const [key, each] of Object.entries(value)) map.items.push(new Pair(new Scalar(key), nodeOf(each)));
  return map;
}

/** A record in YAML 1.2 that YAML 1.1 reads alike, under a comment; blanks are null, with a comment beside them. */
export function blankYaml(record: RecordValue, comment: string): string {
  const document = new Document(null, {
    version: '1.2',
    compat: 'yaml-1.1',
    customTags: (tags) => [NUMBER, ...tags],
  });
  document.contents = nodeOf(record);
  document.commentBefore = comment;
  if (isScalar(document.contents)) throw new TypeError('a record has keys');
  return document.toString({ lineWidth: 100 });
}
