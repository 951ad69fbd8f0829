/** An error's code (`SQLITE_FULL`, `EACCES`) or, where it has none, its class: never its message, which may quote data. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
