import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin, type Rolldown } from 'vite';
import type { AddressPages } from '../src/pages/addresses.ts';

const SOURCE = './src/pages/addresses.ts';

/**
 * Writes what is at the addresses of the page, in words: `addresses.json` for servers that answer them,
 * and plain pages in `texts/` for hosts of plain files, which link to them from `index.html`.
 */
export function addresses(): Plugin {
  let alias: Record<string, string> = {};
  return {
    name: 'addresses',
    apply: 'build',
    configResolved({ resolve }) {
      for (const { find, replacement } of resolve.alias) {
        if (typeof find === 'string') alias = { ...alias, [find]: replacement };
      }
    },
    async generateBundle(_, bundle) {
      const pages = await pagesInWords(alias);
      const withScripts = Object.entries(pages).map(([path, page]) => {
        return [path, { ...page, scripts: scriptsOf(path, bundle) }];
      });
      const json = JSON.stringify({ pages: Object.fromEntries(withScripts) });
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: json });
      for (const [path, page] of Object.entries(pages)) {
        if (page.text === '' || path.split('/').length > 2) continue;
        const fileName = `texts/${path === '' ? 'index' : path.replace('/', '-')}.html`;
        this.emitFile({ type: 'asset', fileName, source: plainPage(page, pages) });
      }
    },
  };
}

/** The scripts that an address needs besides those of every page, so that browsers load them at once. */
function scriptsOf(path: string, bundle: Rolldown.OutputBundle): string[] {
  const [first = '', second] = path.split('/');
  const page = second ?? first;
  const chunks = Object.values(bundle).filter((chunk) => chunk.type === 'chunk');
  const known = new Set<string>();
  const closure = (name: string, into: Set<string>): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || known.has(name) || into.has(name)) return;
    into.add(name);
    for (const other of chunk.imports) closure(other, into);
  };
  for (const chunk of chunks) if (chunk.isEntry) closure(chunk.fileName, known);
  const wanted = new Set<string>();
  const modules = [
    new RegExp(`/src/pages/${page === '' ? 'home' : page}/[A-Z]\\w+\\.svelte$`),
    ...(second === 'rules' ? [new RegExp(`/src/games/${first}/sheet\\.ts$`)] : []),
    ...(second === 'learn' ? [new RegExp(`/src/games/${first}/lesson\\.ts$`)] : []),
    ...(second === undefined ? [] : [new RegExp(`/src/games/${first}/look\\.ts$`)]),
  ];
  for (const { fileName, facadeModuleId } of chunks) {
    if (modules.some((module) => module.test(facadeModuleId ?? ''))) closure(fileName, wanted);
  }
  return [...wanted];
}

/** Runs the module that knows the words, made into one script. */
async function pagesInWords(alias: Record<string, string>): Promise<AddressPages> {
  const built = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [wordsAlone, svelte({ configFile: false })],
    resolve: { alias },
    ssr: { noExternal: true },
    build: {
      ssr: SOURCE,
      write: false,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false }, checks: { pluginTimings: false } },
    },
  })) as Rolldown.RolldownOutput;
  const script = Buffer.from(built.output[0].code).toString('base64');
  const module = (await import(`data:text/javascript;base64,${script}`)) as { pages: AddressPages };
  return module.pages;
}

/** Words need neither styles nor files. */
const wordsAlone: Plugin = {
  name: 'words-alone',
  enforce: 'pre',
  resolveId: (id) => (/\.css$|\?url$/.test(id) ? '\0nothing' : undefined),
  load: (id) => (id === '\0nothing' ? 'export default ""' : undefined),
};

/** A page of its own, whose links lead to others like it. */
function plainPage(
  { title, description, text }: AddressPages[string],
  pages: AddressPages,
): string {
  const plain = text.replace(/<img [^>]*>/g, '');
  const linked = plain.replace(/href="([\w/]+)"/g, (link, path: string) =>
    path in pages ? `href="./${path.replace('/', '-')}.html"` : link,
  );
  const escaped = (words: string) =>
    words.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escaped(description)}">
<title>${escaped(title)}</title>
</head>
<body>
${linked}
<p><a href="../">Stoa</a></p>
</body>
</html>
`;
}
