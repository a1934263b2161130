import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/cli/kit/io.ts';
import { schemasJson, SCHEMA_NAMES } from '../../src/output/schema/names.ts';
import { type } from './run.ts';

const names = Object.keys(SCHEMA_NAMES);

describe('dpcompose schema', () => {
  it('lists the schemas', async () => {
    const { code, stdout } = await type('schema');
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(names);
  });

  it('lists them as a document, too', async () => {
    const { stdout } = await type('schema --json');
    expect(stdout).toBe(schemasJson(VERSION));
    expect((JSON.parse(stdout) as { schemas: { name: string }[] }).schemas.map(({ name }) => name)).toEqual(names);
  });

  it.each(names)('prints the schema %s, as it is published', async (name) => {
    const { code, stdout } = await type(`schema ${name}`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(await readFile(`dist/schema/${name}.json`, 'utf8')));
  });

  it('describes the examples', async () => {
    const ajv = new Ajv2020({ strict: false });
    const valid = ajv.compile(JSON.parse((await type('schema spec')).stdout) as object);
    for (const example of ['dashboard', 'selection', 'mixed', 'every-type', 'live-dashboard', 'endless-alarms']) {
      expect(valid(JSON.parse(await readFile(`fixtures/${example}.json`, 'utf8')))).toBe(true);
    }
    expect(valid({ dpcompose: 1, mechanisms: [] })).toBe(false);
  });

  it('does not know other names', async () => {
    const { code, stderr } = await type('schema nothing');
    expect(code).toBe(2);
    expect(stderr).toContain(`The schemas are ${names.join(', ')}.`);
  });
});
