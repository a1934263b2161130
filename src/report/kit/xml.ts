const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};

/** Text as it stands in elements and attributes of XML; what XML does not have must be gone from it. */
export const escapeXml = (text: string): string => text.replace(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? '');
