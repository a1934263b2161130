// What SARIF 2.1.0 (OASIS, section 3) asks of the objects that are written, and nothing beside them.

const text = { type: 'string' } as const;
const index = { type: 'integer', minimum: 0 } as const;
const position = { type: 'integer', minimum: 1 } as const;

const exactly = (properties: Record<string, unknown>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const message = exactly({ text }, ['text']);
const level = { enum: ['none', 'note', 'warning', 'error'] } as const;

const rule = exactly({ id: text, shortDescription: message, defaultConfiguration: exactly({ level }, []) }, ['id']);

const artifactLocation = exactly(
  { uri: { type: 'string', pattern: "^(file:///)?[A-Za-z0-9._~!'()*%/-]+$" }, uriBaseId: { const: '%SRCROOT%' } },
  [],
);

const physicalLocation = exactly(
  { artifactLocation, region: exactly({ startLine: position, startColumn: position }, []) },
  [],
);

const result = exactly(
  {
    ruleId: text,
    ruleIndex: index,
    level,
    message,
    locations: { type: 'array', items: exactly({ physicalLocation }, []) },
  },
  ['message'],
);

/** The part of the format that reports use, as strict as the standard. */
export const SARIF_SUBSET = exactly(
  {
    $schema: { type: 'string', pattern: '^https://' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: exactly(
        {
          tool: exactly(
            { driver: exactly({ name: text, version: text, rules: { type: 'array', items: rule } }, ['name']) },
            ['driver'],
          ),
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: { type: 'array', items: result },
        },
        ['tool'],
      ),
    },
  },
  ['version', 'runs'],
);
