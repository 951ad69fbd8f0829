export type Entry = { source: string | null; query: string | null };

const longestSource = 120;
const longestQuery = 300;

/**
 * Where somebody comes from, for the companion to know: `?from=` and `?query=` of a link that leads here, or else the page
 * of this server they were on. Null where nothing is known.
 */
export function entryOf({ href, referrer }: { href: string; referrer: string }): Entry | null {
  const { origin, searchParams } = new URL(href);
  const source = clip(searchParams.get('from'), longestSource) ?? pageOf(referrer, origin);
  const query = clip(searchParams.get('query'), longestQuery);
  return source === null && query === null ? null : { source, query };
}

function pageOf(referrer: string, origin: string): string | null {
  if (!URL.canParse(referrer)) return null;
  const from = new URL(referrer);
  if (from.origin !== origin || from.pathname.startsWith('/companions')) return null;
  return clip(from.pathname === '/' ? 'the lessons' : `the page ${from.pathname}`, longestSource);
}

function clip(text: string | null, longest: number): string | null {
  const clipped = (text ?? '').replace(/\s+/gu, ' ').trim().slice(0, longest);
  return clipped === '' ? null : clipped;
}
