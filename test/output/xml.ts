import { XMLParser, XMLValidator } from 'fast-xml-parser';

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });

/** A document that an independent reader takes for well-formed XML, with its attributes as keys. */
export function readXml(text: string): unknown {
  // Its validator is to become a package of its own; this one is still what it reads by.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) throw new Error(`line ${verdict.err.line}: ${verdict.err.msg}`);
  return parser.parse(text) as unknown;
}
