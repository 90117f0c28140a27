import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin, type Rolldown } from 'vite';
import type { AddressPages } from '../src/pages/addresses.ts';
import type { prerenderAll, Prerendered } from '../src/pages/prerender.ts';

const WORDS = './src/pages/addresses.ts';
const PAGES = './src/pages/prerender.ts';

interface Drawn {
  pages: AddressPages;
  prerendered: { frame: Prerendered; pages: Record<string, Prerendered> };
}

/**
 * Writes what is at the addresses of the page, in words: `addresses.json` for servers that answer them,
 * and plain pages in `texts/` for hosts of plain files, which link to them from `index.html`. With
 * `prerenders`, servers also get the pages as they look at first.
 */
export function addresses(prerenders: boolean): Plugin {
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
      const { pages, prerendered } = await drawn(alias, prerenders);
      const withFiles = Object.entries(pages).map(([path, page]) => {
        const looks = prerendered.pages[path];
        const files = filesFor(path, bundle);
        return [path, { ...page, ...files, ...(looks ? { prerendered: looks } : {}) }];
      });
      const site = { pages: Object.fromEntries(withFiles), frame: prerendered.frame };
      const json = JSON.stringify(site);
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: json });
      for (const [path, page] of Object.entries(pages)) {
        if (page.text === '' || path.split('/').length > 2) continue;
        const fileName = `texts/${path === '' ? 'index' : path.replace('/', '-')}.html`;
        this.emitFile({ type: 'asset', fileName, source: plainPage(page, pages) });
      }
    },
  };
}

/** The files that an address needs besides those of every page, so that browsers load them at once. */
function filesFor(
  path: string,
  bundle: Rolldown.OutputBundle,
): { scripts: string[]; styles: string[] } {
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
  const styles = [...wanted].flatMap((name) => {
    const chunk = bundle[name];
    return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
  });
  return { scripts: [...wanted], styles: [...new Set(styles)] };
}

/** Runs the module that knows the words, and if wanted the whole app, made into one script. */
async function drawn(alias: Record<string, string>, prerenders: boolean): Promise<Drawn> {
  const built = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [withoutBrowser, svelte({ configFile: false })],
    resolve: { alias },
    ssr: { noExternal: true },
    build: {
      ssr: prerenders ? PAGES : WORDS,
      write: false,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false }, checks: { pluginTimings: false } },
    },
  })) as Rolldown.RolldownOutput;
  const script = Buffer.from(built.output[0].code).toString('base64');
  const module = (await import(`data:text/javascript;base64,${script}`)) as {
    pages: AddressPages;
    prerenderAll?: typeof prerenderAll;
  };
  const nothing = { frame: {}, pages: {} };
  return { pages: module.pages, prerendered: (await module.prerenderAll?.()) ?? nothing };
}

/** Words need neither styles nor files, and there are no workers that would answer anything. */
const STUBS: Record<string, string> = {
  '\0nothing': 'export default ""',
  '\0workers':
    'export const spawnClient = () => ({ ask: () => new Promise(() => undefined), wake() {} });',
};
const withoutBrowser: Plugin = {
  name: 'without-browser',
  enforce: 'pre',
  resolveId: (id) =>
    /\.css$|\?url$/.test(id) ? '\0nothing' : id.endsWith('/worker/spawn') ? '\0workers' : undefined,
  load: (id) => STUBS[id],
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
