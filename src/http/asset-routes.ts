import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type { CartridgeLibrary } from '../engine/ports/library.ts';
import type { AppEnv } from './authentication.ts';

/** Media types of what a lesson shows; anything else is not served. */
const types: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.m4a': 'audio/mp4',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.vtt': 'text/vtt; charset=utf-8',
};

/** `/cartridges/<id>/assets/…`: pictures and sounds of the lessons. They hold no secrets, so anyone may fetch them. */
export function assetRoutes(library: CartridgeLibrary): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/cartridges/:id/:path{.+}', async (c) => {
    const { id, path } = c.req.param();
    const type = types[extname(path).toLowerCase()];
    const file = type === undefined ? null : await library.readAssetPath(id, path);
    if (file === null || type === undefined) return c.notFound();
    const { size, mtimeMs } = await stat(file);
    const headers = {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=300',
      ETag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      'Accept-Ranges': 'bytes',
      'X-Content-Type-Options': 'nosniff',
      // An author's SVG is a picture: nothing in it runs, wherever it is opened.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    };
    if (c.req.header('if-none-match') === headers.ETag) return c.body(null, 304, headers);
    const range = readRange(c.req.header('range'), size);
    const status = range ? 206 : 200;
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const sent = {
      ...headers,
      'Content-Length': String(end - start + 1),
      ...(range ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {}),
    };
    if (c.req.method === 'HEAD' || size === 0) return c.body(null, status, sent);
    return c.body(Readable.toWeb(createReadStream(file, { start, end })) as ReadableStream, status, sent);
  });
}

/** A single byte range, as players ask for; null where the whole file is to be sent. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/u.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end && start < size ? { start, end } : null;
}
