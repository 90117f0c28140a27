import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What lies beside the app in the folder of the build, and is no part of it: for servers and crawlers. */
const NOT_THE_APP =
  /^(first-load\.txt|service-worker\.js|addresses\.json|robots\.txt|texts\/.*)$|\.(br|gz)$/;

/** The files of the built app, by their paths from the folder of the build. */
export function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((file) => relative(folder, join(file.parentPath, file.name)));
  return paths
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !NOT_THE_APP.test(path))
    .sort();
}
