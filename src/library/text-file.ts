import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** A file's text, without a byte order mark; or that there is none, or why it was not read. */
export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string };

/**
 * Reads a UTF-8 file that an author wrote. Refused where it is larger than `maxBytes`, is no UTF-8, cannot be read, or
 * is a link to a file outside `within`. Never throws.
 */
export async function readTextFile(path: string, limits: { within: string; maxBytes: number }): Promise<TextFile> {
  try {
    const described = await stat(path);
    if (!described.isFile()) return { kind: 'absent' };
    if (!(await isInside(path, limits.within))) {
      return refuse('This is a link to a file outside the folder.', 'Copy the file here instead.');
    }
    if (described.size > limits.maxBytes) {
      const most = `${Math.floor(limits.maxBytes / 1024)} KiB`;
      return refuse(`The file is larger than ${most}.`, 'Keep texts short, and pictures in files of their own.');
    }
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)) };
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return { kind: 'absent' };
    if (error instanceof TypeError) return refuse('The file is not UTF-8 text.', 'Save it with the encoding UTF-8.');
    return refuse('The file cannot be read.', 'Check who may read it.');
  }
}

/** Whether a file is, once every link is followed, inside a folder. Throws where either is not there. */
export async function isInside(path: string, folder: string): Promise<boolean> {
  const way = relative(await realpath(folder), await realpath(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function refuse(message: string, hint: string): TextFile {
  return { kind: 'refused', message, hint };
}
