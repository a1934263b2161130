// Of the site that `npm run docs` makes in dist/site: the page for browsers, and a link to it from everywhere.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { PageEvent, RendererEvent } from 'typedoc';

/** As in `navigationLinks`, whose addresses typedoc leaves as they are. */
const LINK = 'href="page/index.html"';

export function load({ renderer }) {
  renderer.on(PageEvent.END, (page) => {
    const up = '../'.repeat(page.url.split('/').length - 1);
    page.contents = page.contents.replaceAll(LINK, LINK.replace('page/', `${up}page/`));
  });
  renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    cpSync('dist/page', join(outputDirectory, 'page'), { recursive: true });
  });
}
