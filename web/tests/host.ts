import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * A host of plain files as people rent them: the built app somewhere below the root, no special
 * headers. Its files can be changed and it can be switched off.
 */
export class Host {
  private readonly changed = new Map<string, string>();
  readonly address: string;

  private constructor(
    private readonly server: Server,
    hasRealAddresses: boolean,
  ) {
    const { port } = server.address() as AddressInfo;
    this.address = `http://127.0.0.1:${port}/some/where/`;
    server.on('request', ({ url = '/' }, response) => {
      const path =
        new URL(url, 'http://x').pathname.replace(/^\/some\/where\//, '') || 'index.html';
      try {
        // Whatever is no file is the app, which hears of it by the `<base>`.
        if (hasRealAddresses && (!path.includes('.') || url.endsWith('/where/'))) {
          response.setHeader('Content-Type', 'text/html');
          const page = readFileSync(join(DIST, 'index.html'), 'utf8');
          response.end(page.replace('<head>', '<head><base href="/some/where/">'));
          return;
        }
        const content = this.changed.get(path) ?? readFileSync(join(DIST, path));
        response.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/plain');
        response.end(content);
      } catch {
        response.statusCode = 404;
        response.end('nothing');
      }
    });
  }

  /** `hasRealAddresses`: it answers every address of the app with the page, as `stoa serve` may. */
  static async open({ hasRealAddresses = false } = {}): Promise<Host> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Host(server, hasRealAddresses);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Puts another version there, which differs in the title of the page alone. */
  putNewVersion(title: string, { complete = true } = {}): void {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8');
    const newPage = page.replace(
      /name="description"\s+content="[^"]*"/,
      `name="description" content="${title}"`,
    );
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const worker = readFileSync(join(DIST, 'service-worker.js'), 'utf8')
      .replace(/VERSION = '\w+'/, `VERSION = '${hash(title).slice(0, 12)}'`)
      .replace(hash(page), hash(newPage));
    this.changed.set('service-worker.js', worker);
    if (complete) this.changed.set('index.html', newPage);
  }
}
