// Makes the tables of accuracy again: npm run calibrate -- [GAME …] [--games 12] [--nodes 15000]
import { createServer } from 'vite';

const server = await createServer({
  configFile: 'vitest.config.ts',
  server: { middlewareMode: true, ws: false },
  appType: 'custom',
  logLevel: 'error',
});
const { calibrate } = await server.ssrLoadModule('./tools/calibrate.ts');
try {
  calibrate(process.argv.slice(2));
} finally {
  await server.close();
}
