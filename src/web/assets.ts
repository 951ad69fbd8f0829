import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** A file as it is served: its content, the same compressed, and its media type. */
export type Asset = { body: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer>; type: string };

/** The pages' files by path, and the paths that a page names. The paths carry the content's hash. */
export type Assets = {
  files: ReadonlyMap<string, Asset>;
  /** By page: the student's lessons, the companions, a guardian's or anybody's own data, what staff see of a student. */
  scripts: Readonly<Record<ScriptName, string>>;
  style: string;
  icon: string;
};

/** The pages' scripts: each is the `main.ts` of the folder of its name. */
const scriptNames = ['app', 'companions', 'mine', 'students'] as const;
type ScriptName = (typeof scriptNames)[number];

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Bundles the pages' scripts and styles. Throws where the sources do not build. */
export async function buildAssets(): Promise<Assets> {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const result = await build({
    entryPoints: [
      ...scriptNames.map((name) => ({ in: here(`${name}/main.ts`), out: `${name}-page` })),
      { in: here('styles/app.css'), out: 'style' },
      { in: here('styles/icon.svg'), out: 'icon' },
    ],
    outdir: 'assets',
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome100', 'firefox102', 'safari15.4'],
    // A picture that a style names is a file of its own: the pages' policy allows no `data:`.
    loader: { '.svg': 'copy' },
    legalComments: 'none',
    logLevel: 'silent',
  });
  const files = new Map(result.outputFiles.map(({ path, contents }) => publish(basename(path), contents)));
  const pathOf = (start: string) => [...files.keys()].find((path) => path.startsWith(`/assets/${start}-`)) ?? '';
  return {
    files,
    scripts: {
      app: pathOf('app-page'),
      companions: pathOf('companions-page'),
      mine: pathOf('mine-page'),
      students: pathOf('students-page'),
    },
    style: pathOf('style'),
    icon: pathOf('icon'),
  };
}

function publish(name: string, contents: Uint8Array): [path: string, asset: Asset] {
  const body = new Uint8Array(contents);
  const type = types[extname(name)] ?? 'application/octet-stream';
  return [`/assets/${name}`, { body, gzip: new Uint8Array(gzipSync(body)), type }];
}
