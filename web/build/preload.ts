import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Lets the browser load the module as soon as it has read the page, not only when the scripts run: it
 * is most of a first visit.
 */
export function preload(): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const tags: HtmlTagDescriptor[] = [];
        const add = (name: string, attrs: Record<string, string | boolean>) =>
          tags.push({ tag: 'link', attrs: { ...attrs, href: `./${name}` }, injectTo: 'head' });
        for (const name of Object.keys(bundle)) {
          // As `fetch` asks for it, or it would be loaded twice.
          // The scripts come first: they show the page, and the module is most of a first visit.
          if (name.endsWith('.wasm')) {
            add(name, { rel: 'preload', as: 'fetch', crossorigin: true, fetchpriority: 'low' });
          }
        }
        return tags;
      },
    },
  };
}
