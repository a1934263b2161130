const MECHANISM = '{"type": "dp", "epsilon": "0.1"}';

/** Values to write for keys of which it takes more than a word to say what they hold. */
const EXAMPLES: Readonly<Record<string, string>> = {
  mechanisms: `[${MECHANISM}]`,
  of: MECHANISM,
  each: `[${MECHANISM}]`,
  target: '{"delta": "1e-6"}',
  inputs: '[{"name": "x", "differing": 1, "change": 1}]',
  submechanisms: '[{"mechanism": "svt", "receives": [{"name": "row", "change": 1}]}], the mechanism by its label',
  procedure:
    '{"start": [{"create": "svt"}], "input": [{"send": ["x"], "to": "svt", "answer": "a"}, {"output": ["a"]}]}',
  send: '["x"], the values of the message',
  set: '"y", the name of a variable',
  add: '["x"], what the sum grows by',
  output: '["a"], what is output',
  if: '["a"], what the condition depends on',
  then: '[{"output": ["a"]}], the statements to be done',
  to: '"svt", the label of a mechanism or the name of a sum',
  differing: '1, or "unbounded"',
  change: '1, or "any"',
  on: '"the threshold", what the noise is added to',
  laplace: '6, the scale of the noise',
  gaussian: '6, the standard deviation of the noise',
};

/** `Add "then": [...], ....`: a key with a value to write; null where the key alone says enough. */
export function addition(key: string): string | null {
  const example = EXAMPLES[key];
  return example === undefined ? null : `Add "${key}": ${example}.`;
}
